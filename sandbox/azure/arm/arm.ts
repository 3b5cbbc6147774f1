import type { Clock } from '../../../runtime/base/clock.ts';
import { bearer } from '../bearer.ts';
import type { TokenIssuer } from '../entra/tokens.ts';
import { type Exchange, jsonBody, type Reply, refuse } from '../exchange.ts';
import { forbidden, notFound, unauthorized } from './arm-errors.ts';
import type { BehaviourContext } from './behaviour.ts';
import type { Behaviours } from './behaviours/index.ts';
import { type CloudEndpoints, cloudMetadata } from './cloud-metadata.ts';
import { applyHealthChanges } from './compute/instance-health.ts';
import { machinePaths } from './compute/machine-paths.ts';
import { advanceUpgrades } from './compute/rolling-upgrade.ts';
import { deletedVaults } from './deleted-vaults.ts';
import { DeploymentRun, type Submit } from './deployments/deployment-run.ts';
import { deploymentDocuments } from './deployments/deployments.ts';
import { senderDuring } from './deployments/sender.ts';
import { featureDocuments } from './features/feature-documents.ts';
import { checkGates } from './features/feature-gates.ts';
import { checkRegistration, registrationOf } from './features/provider-registration.ts';
import { checkLocks } from './governance/locks.ts';
import { applyPolicies } from './governance/policies.ts';
import { scopeTags } from './governance/scope-tags.ts';
import { inPages, page } from './paging.ts';
import { checkSubscription, requireVersion } from './request-checks.ts';
import { resourceDocuments } from './resources/resource-documents.ts';
import { type Caller, ResourceEngine } from './resources/resource-engine.ts';
import { groupType, type ResourcePath, tryParsePath } from './resources/resource-path.ts';
import { isAllowed, isOpenToAll } from './roles/access.ts';
import { roleLists } from './roles/role-lists.ts';
import { checkDenySettings } from './stacks/deny-settings.ts';
import { advanceStacks } from './stacks/stack-run.ts';
import { stackDocuments } from './stacks/stacks.ts';
import { subscriptionDocuments } from './subscriptions.ts';
import type { Throttle } from './throttle.ts';
import { locations, methodNotSupported, normalLocation } from './write-checks.ts';

/** The parts that Azure Resource Manager uses. */
export interface ArmParts {
  readonly tokens: TokenIssuer;
  readonly throttle: Throttle;
  readonly behaviours: Behaviours;
  readonly clock: Clock;
  /** Audiences that tokens may have, without trailing slash. */
  readonly audiences: () => readonly string[];
  readonly authority: (tenantId: string) => string;
  readonly cloud: () => CloudEndpoints;
  readonly context: () => BehaviourContext;
  /** Called before a write; prepares the parts that must exist when its answer goes out. */
  readonly prepare: (path: ResourcePath) => Promise<void>;
}

const operationSegments =
  /^(asyncoperations|operations|operationstatuses|operationresults|deploymentstackoperationstatus)$/i;
const statusSegments = /^(operations|operationstatuses|deploymentstackoperationstatus)$/i;
/** Azure Resource Manager: verifies the caller, throttles, checks versions, and routes each request by its path. */
export class Arm {
  readonly engine: ResourceEngine;
  readonly #parts: ArmParts;
  readonly #deployments: DeploymentRun;

  constructor(parts: ArmParts) {
    this.#parts = parts;
    this.engine = new ResourceEngine(parts.behaviours, parts.context);
    this.#deployments = new DeploymentRun(this.engine);
  }

  readonly handle = async (exchange: Exchange): Promise<Reply> => {
    const metadata = cloudMetadata(exchange, this.#parts.cloud());
    if (metadata) return metadata;
    const context = this.#parts.context();
    this.engine.running.operations.settle(context.now);
    applyHealthChanges(context.state, context.now);
    advanceUpgrades(context);
    const subscriptionId = exchange.segments[0]?.toLowerCase() === 'subscriptions' ? exchange.segments[1] : undefined;
    const caller = await this.#authenticate(exchange, context, subscriptionId);
    const apiVersion = requireVersion(exchange);
    exchange.entry.apiVersion = apiVersion;
    if (subscriptionId !== undefined) checkSubscription(subscriptionId, context);
    const limits = this.#parts.throttle.take(exchange.method, subscriptionId ?? 'tenant', caller.objectId);
    const path = exchange.method === 'PUT' ? tryParsePath(exchange.segments) : undefined;
    if (path) await this.#parts.prepare(path);
    const submitAs = (as: Caller) => this.#senderFor(exchange, as, context);
    const advance = async () => {
      await this.#deployments.advance(context, this.#parts.prepare, submitAs);
      advanceStacks(context, this.engine, submitAs);
    };
    await advance();
    const reply = this.#route(exchange, caller, apiVersion, context);
    await advance();
    return { ...reply, headers: { ...limits, ...reply.headers } };
  };

  async #authenticate(
    exchange: Exchange,
    context: BehaviourContext,
    subscriptionId: string | undefined,
  ): Promise<Caller> {
    const tenantId = context.state.subscriptions[subscriptionId?.toLowerCase() ?? '']?.tenantId ?? context.tenantId;
    const authority = this.#parts.authority(tenantId);
    const refused = (code: string, message: string) => unauthorized(code, message, authority);
    const token = bearer(exchange);
    if (token === undefined)
      throw refused('AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.");
    const claims = await this.#parts.tokens.tryVerify(token);
    if (!claims) throw refused('InvalidAuthenticationToken', 'The access token is invalid.');
    const { entry } = exchange;
    entry.tokenId = String(claims['uti']);
    entry.clientId = String(claims['appid']);
    entry.principalId = String(claims['oid']);
    entry.audience = String(claims['aud']);
    const now = Math.floor(context.now / 1000);
    const time = (seconds: number) => new Date(seconds * 1000).toISOString();
    if (Number(claims['exp']) <= now) {
      throw refused(
        'ExpiredAuthenticationToken',
        `The access token expiry UTC time '${time(Number(claims['exp']))}' is earlier than current UTC time '${time(now)}'.`,
      );
    }
    const audiences = this.#parts.audiences();
    if (!audiences.includes(entry.audience.replace(/\/+$/, ''))) {
      throw refused(
        'InvalidAuthenticationTokenAudience',
        `The access token has been obtained for wrong audience or resource '${entry.audience}'. It should exactly match with one of the allowed audiences '${audiences.join(',')}'.`,
      );
    }
    if (subscriptionId !== undefined && claims['tid'] !== tenantId) {
      throw refused(
        'InvalidAuthenticationTokenTenant',
        `The access token is from the wrong issuer '${claims['iss']}'. It must match the tenant '${tenantId}' associated with this subscription. Please use the authority (URL) '${authority}' to get the token.`,
      );
    }
    return { clientId: entry.clientId, objectId: entry.principalId };
  }

  #senderFor(exchange: Exchange, caller: Caller, context: BehaviourContext): Submit {
    return senderDuring(exchange, (sent, version) => this.#route(sent, caller, version, context));
  }

  #route(exchange: Exchange, caller: Caller, apiVersion: string, context: BehaviourContext): Reply {
    const { segments } = exchange;
    const operationId = segments.at(-1) ?? '';
    const kind = segments.at(-2) ?? '';
    const polled = segments.length === 4 || segments.at(-4)?.toLowerCase() === 'locations';
    if (exchange.method === 'GET' && polled && operationSegments.test(kind)) {
      const asStatus = statusSegments.test(kind);
      const reply = this.engine.running.poll(operationId, asStatus, exchange);
      if (reply) return reply;
      throw refuse(404, 'OperationNotFound', `The operation '${operationId}' was not found.`);
    }
    const path = tryParsePath(segments);
    this.#authorize(exchange, caller, path, context);
    if (path) {
      checkLocks(exchange.method, path, context.state);
      checkDenySettings(exchange.method, path, caller, context.state);
    }
    const special =
      featureDocuments(exchange, context, caller.objectId) ??
      scopeTags(exchange, context, this.engine.resources) ??
      deploymentDocuments(exchange, caller, context, this.engine) ??
      stackDocuments(exchange, caller, context, this.engine, this.#senderFor(exchange, caller, context)) ??
      subscriptionDocuments(exchange, context, this.#parts.behaviours, this.engine.resources) ??
      deletedVaults(exchange, context, this.engine.running.operations, apiVersion) ??
      (path && roleLists(exchange, path, context, this.engine.resources));
    if (special) return special;
    if (!path) {
      throw refuse(404, 'InvalidResourceType', `The path '${exchange.url.pathname}' names nothing that exists here.`);
    }
    this.#checkType(exchange, path, apiVersion, context);
    return (
      machinePaths({ exchange, path, engine: this.engine, context, apiVersion }) ??
      resourceDocuments(exchange, path, this.engine) ??
      this.#resource(exchange, path, caller, apiVersion, context)
    );
  }

  #resource(
    exchange: Exchange,
    path: ResourcePath,
    caller: Caller,
    apiVersion: string,
    context: BehaviourContext,
  ): Reply {
    const { method } = exchange;
    const action = method === 'POST' ? this.engine.actions.pathOf(path) : undefined;
    if (action)
      return inPages(exchange, this.engine.actions.act(action, exchange, apiVersion), context.settings.pageSize);
    if (path.tail !== undefined) {
      const isFurtherPage = method === 'GET' && this.engine.actions.has(path) && exchange.query.has('$skiptoken');
      if (isFurtherPage)
        return inPages(exchange, this.engine.actions.act(path, exchange, apiVersion), context.settings.pageSize);
      if (method !== 'GET') throw methodNotSupported(method);
      const type = path.type === groupType ? `${path.tail}` : [path.type, path.tail].filter(Boolean).join('/');
      const below = path.names.length > 0 ? path.id : path.scope;
      if (
        path.resourceGroup &&
        !this.engine.resources.find(`/subscriptions/${path.subscriptionId}/resourceGroups/${path.resourceGroup}`)
      ) {
        throw notFound.group(path.resourceGroup);
      }
      const items = this.engine.resources.list(type, below);
      const { emptyList } = this.engine.resources.behaviourOf(type);
      if (items.length === 0 && emptyList && path.names.length > 0) throw emptyList(path);
      return page(exchange, items, context.settings.pageSize);
    }
    if (method === 'GET') {
      if (this.#parts.behaviours.of(path.type).unreadable) throw methodNotSupported(method);
      return this.engine.read(path);
    }
    if (method === 'HEAD') {
      const exists = this.engine.resources.find(path.id) !== undefined;
      return { status: exists ? 204 : 404 };
    }
    if (method === 'PUT' || method === 'PATCH') {
      return this.engine.write(path, applyPolicies(exchange, path, context), caller, apiVersion);
    }
    if (method === 'DELETE') return this.engine.remove(path, exchange, apiVersion);
    throw methodNotSupported(method);
  }

  #authorize(exchange: Exchange, caller: Caller, path: ResourcePath | undefined, context: BehaviourContext): void {
    if (!context.settings.enforceRbac || !path || isOpenToAll(exchange, path)) return;
    const ofGroup = path.type === groupType ? 'Microsoft.Resources/subscriptions/resourceGroups' : path.type;
    const type = /\/providers\/Microsoft\.Features$/i.test(path.scope)
      ? 'Microsoft.Features/providers/features'
      : ofGroup;
    const verb = { GET: 'read', HEAD: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete', POST: 'action' }[
      exchange.method
    ];
    const action =
      path.tail === undefined || exchange.method === 'GET'
        ? `${[type, path.tail].filter(Boolean).join('/')}/${verb}`
        : `${type}/${path.tail}/${verb}`;
    if (!isAllowed(context.state, caller.objectId, action, path.id)) {
      throw forbidden(caller.clientId, caller.objectId, action, path.id);
    }
  }

  /** The namespace must be registered where that is enforced, and the type must know the api-version. */
  #checkType(exchange: Exchange, path: ResourcePath, apiVersion: string, context: BehaviourContext): void {
    const behaviour = this.#parts.behaviours.of(
      path.tail !== undefined && path.types.length === 0 ? `${path.namespace}/${path.tail}` : path.type,
    );
    const subscription = context.state.subscriptions[path.subscriptionId?.toLowerCase() ?? ''];
    const namespace = path.namespace ?? 'Microsoft.Resources';
    const write = exchange.method === 'PUT' || exchange.method === 'PATCH';
    const { enforceRegistration, featureGates } = context.settings;
    const body = write && (enforceRegistration || featureGates.length > 0) ? jsonBody(exchange) : {};
    if (enforceRegistration && subscription && path.type !== groupType && !alwaysRegistered.test(namespace)) {
      const registration = registrationOf(subscription, namespace, context.now, context.settings);
      const { location } = body;
      const where = typeof location === 'string' ? normalLocation(location) : undefined;
      checkRegistration(registration, namespace, path.types.join('/'), where);
    }
    if (write) checkGates(path.type, body, subscription, context.now, context.settings);
    if (!behaviour.apiVersions || behaviour.apiVersions.includes(apiVersion)) return;
    // Azure has gained versions since: a current az asks for them.
    if (behaviour.apiVersions.every((known) => known < apiVersion)) return;
    throw refuse(
      400,
      'NoRegisteredProviderFound',
      `No registered resource provider found for location '${locations[3]}' and API version '${apiVersion}' for type '${path.types.join('/') || 'resourceGroups'}'. The supported api-versions are '${behaviour.apiVersions.join(', ')}'.`,
    );
  }
}

const alwaysRegistered = /^microsoft\.(authorization|resources|features)$/i;
