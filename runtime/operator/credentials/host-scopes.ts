import { LRUCache } from 'lru-cache';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { type ResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isWithinScope } from '../../azure/arm/scopes.ts';
import { type ServiceHost, ServiceHosts } from '../../azure/service-hosts.ts';
import type { Authorizer, CloudEnvironment, SharedArmClient } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type CredentialScopes, type Reach, ruleFor, ScopeNotAllowed } from './scopes.ts';
import { readingsOf, textsIn } from './texts-in.ts';

/** Dependencies of HostScopes. */
export interface HostScopesDeps {
  readonly scopes: Pick<CredentialScopes, 'limitsOf'>;
  readonly arm: Pick<SharedArmClient, 'send'>;
  readonly cloud: CloudEnvironment;
  readonly clock: Clock;
}

/** The reconcile run that looks for resources. */
export interface HostReader {
  readonly authorizer: Authorizer;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

const apiVersion = '2021-04-01';
/** A resource that a scope had counts for so long, in milliseconds. */
const knownMs = 60_000;
const mostKnown = 10_000;
const places: ReadonlySet<string> = new Set([
  'Microsoft.Resources/subscriptions',
  'Microsoft.Resources/resourceGroups',
]);
/** Refusals of a read that say no more than that the scope has no such resource for the operator. */
const absent: ReadonlySet<number> = new Set([403, 404]);

/**
 * Whether an object may name the resources behind the hosts in it, such as the storage account of a disk's source. A host
 * has no subscription, but its name is unique in Azure: it is allowed where a rule of the namespace ends in the type and
 * the name, or where Azure has the resource in a subscription or resource group of a rule.
 */
export class HostScopes {
  readonly #deps: HostScopesDeps;
  readonly #hosts: ServiceHosts;
  /** When a scope had a resource, milliseconds since the epoch. */
  readonly #known = new LRUCache<string, number>({ max: mostKnown });

  constructor(deps: HostScopesDeps) {
    this.#deps = deps;
    this.#hosts = new ServiceHosts(deps.cloud);
  }

  /** Throws ScopeNotAllowed, and errors of ARM. */
  async check(object: KubeObject, { resourceId, inputs }: Reach, reader: HostReader): Promise<void> {
    const limits = this.#deps.scopes.limitsOf(object);
    if (limits === undefined) return;
    const resource = tryParseResourceId(resourceId);
    const check = async (value: unknown, shown: (host: string) => string) => {
      for (const host of this.#hostsIn(value)) {
        if (isNamedBy(resource, host) || (await this.#reaches(host, limits, object, reader))) continue;
        throw refusal(host, shown(host.host), object);
      }
    };
    await check([object['spec'], ...inputs], (host) => `The host ${host}`);
    // The message never repeats the content of a Secret.
    const secrets = inputs.flatMap((input) => (input instanceof SecretValue ? [input.reveal()] : []));
    await check(secrets, () => 'A host in a Secret that the object names');
  }

  #hostsIn(value: unknown): ServiceHost[] {
    const readings = textsIn(value).flatMap(readingsOf);
    const hosts = readings.flatMap((text) => this.#hosts.in(text));
    return [...new Map(hosts.map((each) => [each.host, each])).values()];
  }

  async #reaches(host: ServiceHost, limits: readonly string[], object: KubeObject, reader: HostReader) {
    const { name } = host;
    if (name === undefined) return false;
    const scopes = limits.flatMap((scope) => tryParseResourceId(scope) ?? []);
    if (scopes.some((scope) => isNamedBy(scope, host))) return true;
    for (const { id, type } of scopes)
      if (places.has(type) && (await this.#has(id, { ...host, name }, object, reader))) return true;
    return false;
  }

  /** Whether a subscription or resource group has the resource. */
  async #has(
    scope: string,
    { type: { armType }, name }: ServiceHost,
    { metadata: { namespace: share = '' } }: KubeObject,
    reader: HostReader,
  ): Promise<boolean> {
    const { arm, clock } = this.#deps;
    const key = `${reader.authorizer.cloud?.resourceManagerEndpoint ?? ''} ${scope} ${armType} ${name}`;
    if (clock.now() - (this.#known.get(key) ?? Number.NEGATIVE_INFINITY) < knownMs) return true;
    const filter = encodeURIComponent(`resourceType eq '${armType}' and name eq '${name}'`);
    const path = `${scope}/resources?$filter=${filter}`;
    const sent = arm.send({ method: 'GET', path, apiVersion, share, ...reader });
    const body = await sent.then(
      (answer) => answer.body,
      (error: unknown) => {
        if (error instanceof ArmError && absent.has(error.info.status)) return undefined;
        throw error;
      },
    );
    const items = isObject(body) && Array.isArray(body['value']) ? body['value'].filter(isObject) : [];
    const isIt = ({ id }: { id?: unknown }) =>
      typeof id === 'string' && isWithinScope(id, scope) && isNamed(tryParseResourceId(id), armType, name);
    if (!items.some(isIt)) return false;
    this.#known.set(key, clock.now());
    return true;
  }
}

/** The resource may come to be, as an object beside this one, unless its host has a name that none can have. */
function refusal({ type: { armType }, name }: ServiceHost, what: string, { metadata }: KubeObject): ScopeNotAllowed {
  const { namespace = '' } = metadata;
  if (name === undefined)
    return new ScopeNotAllowed(`${what} has no form that Azure documents and may not be reached`, namespace, {
      allow: ruleFor(namespace, '/'),
    });
  const shown = what.startsWith('The host') ? ruleFor(namespace, `/providers/${armType}/${name}`) : undefined;
  const missing = 'leads to no resource that Azure has in a scope of the namespace, so that it may not be reached';
  return new ScopeNotAllowed(`${what} ${missing}`, namespace, { ...(shown && { allow: shown }), lasting: false });
}

function isNamedBy(id: ResourceId | undefined, { type: { armType }, name }: ServiceHost): boolean {
  return isNamed(id, armType, name);
}

function isNamed(id: ResourceId | undefined, armType: string, name: string | undefined): boolean {
  return id?.type.toLowerCase() === armType.toLowerCase() && id.name.toLowerCase() === name;
}
