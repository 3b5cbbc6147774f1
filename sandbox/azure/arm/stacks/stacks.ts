import { isObject } from '../../../../runtime/base/json.ts';
import { strictJson } from '../../../../runtime/compute/templates/functions/text/lenient-json.ts';
import { type Exchange, jsonBody, queryOf, type Reply, refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { notFound } from '../arm-errors.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { Submit } from '../deployments/deployment-run.ts';
import { type DeploymentPath, deploymentPath, deploymentType, idAt, scopeOf } from '../deployments/deployment-scope.ts';
import { deploymentRequest } from '../deployments/template-source.ts';
import { page } from '../paging.ts';
import type { Caller, ResourceEngine } from '../resources/resource-engine.ts';
import { groupIdOf, parsePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { methodNotSupported } from '../write-checks.ts';
import { isAtWork, type StackRecord, stackRecordOf, stackType, type UnmanageAction } from './stack-record.ts';
import { leave } from './stack-run.ts';
import { stackView } from './stack-view.ts';

/** A request to stacks, with what it needs. */
interface StackCall extends DeploymentPath {
  readonly id: string;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly context: BehaviourContext;
  readonly engine: ResourceEngine;
  readonly submit: Submit;
}

/** `Microsoft.Resources/deploymentStacks` of groups and subscriptions; undefined for any other path. */
export function stackDocuments(
  exchange: Exchange,
  caller: Caller,
  context: BehaviourContext,
  engine: ResourceEngine,
  submit: Submit,
): Reply | undefined {
  const path = deploymentPath(exchange.segments, 'deploymentStacks');
  if (!path) return undefined;
  const { scope, name } = path;
  if (scope.subscriptionId === undefined) {
    throw refuse(400, 'InvalidDeploymentStackScope', 'The sandbox has stacks of resource groups and subscriptions.');
  }
  const group = scope.resourceGroup === undefined ? undefined : engine.resources.find(groupIdOf(scope));
  if (scope.resourceGroup !== undefined && !group) throw notFound.group(scope.resourceGroup);
  const there = { ...scope, id: group?.id ?? scope.id };
  const body = Buffer.from(strictJson(exchange.body.toString('utf8')));
  const id = idAt(there, stackType, name);
  return answer({ ...path, scope: there, id, exchange: { ...exchange, body }, caller, context, engine, submit });
}

function answer(call: StackCall): Reply {
  const { exchange, context, name, rest, engine, id } = call;
  const { method } = exchange;
  const action = rest[0]?.toLowerCase();
  if (name === '' && method === 'GET') return list(call);
  if (name === '') throw methodNotSupported(method);
  if (method === 'PUT' && action === undefined) return create(call);
  if (method === 'POST' && action === 'validate') return validate(call);
  const resource = engine.resources.find(id);
  if (method === 'DELETE' && action === undefined) return resource ? remove(resource, call) : { status: 204 };
  if (method === 'HEAD') return { status: resource ? 204 : 404 };
  if (!resource) {
    throw refuse(404, 'DeploymentStackNotFound', `The deployment stack '${name}' could not be found.`);
  }
  if (method === 'GET' && action === undefined) return { status: 200, body: stackView(resource, context.state) };
  if (method === 'POST' && action === 'exporttemplate') {
    return { status: 200, body: { template: stackRecordOf(resource).template } };
  }
  throw methodNotSupported(method);
}

function list({ exchange, context, scope }: StackCall): Reply {
  const items = context.state.resources
    .ofType(stackType)
    .filter(({ id, name }) => id.toLowerCase() === idAt(scope, stackType, name).toLowerCase())
    .map((resource) => stackView(resource, context.state));
  return page(exchange, items, context.settings.pageSize);
}

function create(call: StackCall): Reply {
  const { exchange, context, scope, id, name, engine, caller } = call;
  const existing = engine.resources.find(id);
  checkIdle(existing);
  const body = jsonBody(exchange);
  const deployment = deploymentOf(call, body, context.ids.uuid().slice(0, 8));
  const reply = call.submit('PUT', deployment.id, deploymentVersion, deployment.body);
  if (reply.status >= 400) return reply;
  const operation = startOperation(call, stringOf(body['location']), existing ? 'update' : 'create');
  const { unmanage, shown } = deployment;
  const request = deploymentRequest(body, scope.resourceGroup === undefined, context);
  const record: StackRecord = {
    scope,
    caller: { clientId: caller.clientId, objectId: caller.objectId },
    startedAt: context.now,
    correlationId: context.ids.uuid(),
    operationId: operation.id,
    shown,
    ...(request.location === undefined ? {} : { location: request.location }),
    ...(request.tags === undefined ? {} : { tags: request.tags }),
    unmanage,
    template: request.template,
    deploymentId: deployment.id,
    state: 'deploying',
    managed: existing ? stackRecordOf(existing).managed : [],
    leaving: [],
    detached: [],
    deleted: [],
    failed: [],
  };
  const resource: StoredResource = {
    id,
    name,
    type: stackType,
    subscriptionId: scope.subscriptionId ?? '',
    ...(scope.resourceGroup === undefined ? {} : { resourceGroup: scope.resourceGroup }),
    body: {},
    system: { stack: record },
    createdAt: existing?.createdAt ?? context.now,
    changedAt: context.now,
  };
  engine.resources.save(resource);
  exchange.entry.effective = true;
  return { status: existing ? 200 : 201, headers: operation.headers, body: stackView(resource, context.state) };
}

function remove(resource: StoredResource, call: StackCall): Reply {
  checkIdle(resource);
  const { exchange, context } = call;
  const asked = (of: string) =>
    /^delete$/i.test(queryOf(exchange, `unmanageAction.${of}`) ?? '') ? 'delete' : 'detach';
  const unmanage: UnmanageAction = { resources: asked('Resources'), resourceGroups: asked('ResourceGroups') };
  const before = stackRecordOf(resource);
  const operation = startOperation(call, before.location ?? '', 'delete');
  const { error: _error, endedAt: _endedAt, ...kept } = before;
  const fresh = { managed: [], detached: [], deleted: [], failed: [], startedAt: context.now };
  const record: StackRecord = { ...kept, ...fresh, unmanage, operationId: operation.id, state: 'deleting' };
  leave(record, before.managed);
  resource.system['stack'] = record;
  resource.changedAt = context.now;
  exchange.entry.effective = true;
  return { status: 202, headers: operation.headers };
}

function validate(call: StackCall): Reply {
  const { exchange, id, name } = call;
  const { id: deploymentId, body, shown } = deploymentOf(call, jsonBody(exchange), 'validation');
  const reply = call.submit('POST', `${deploymentId}/validate`, deploymentVersion, body);
  if (reply.status >= 400) return reply;
  const properties = objectOf(at(reply.body, 'properties'));
  const { validatedResources, parameters, correlationId } = properties;
  const scope = { deploymentScope: call.scope.id };
  return {
    status: 200,
    body: {
      id,
      name,
      type: stackType,
      properties: { ...scope, ...shown, validatedResources, parameters, correlationId },
    },
  };
}

/** The deployment of a stack's template, and what the request says of the stack itself. */
function deploymentOf(call: StackCall, body: Json, suffix: string) {
  const properties = objectOf(body['properties']);
  const { actionOnUnmanage, denySettings, description, deploymentScope, bypassStackOutOfSyncError } = properties;
  for (const [name, value] of Object.entries({ actionOnUnmanage, denySettings })) {
    if (!isObject(value)) throw invalid(`Required property '${name}' not found in JSON.`);
  }
  const mode = stringOf(at(denySettings, 'mode')).toLowerCase();
  if (!denyModes.has(mode))
    throw invalid(`'${mode}' is no mode of denySettings: none, denyDelete or denyWriteAndDelete.`);
  const scope = deploymentScope === undefined ? call.scope : scopeOf(stringOf(deploymentScope));
  if (!scope) throw invalid(`'${stringOf(deploymentScope)}' is no scope of a deployment.`);
  const { template, templateLink, parameters, parametersLink } = properties;
  const { location, tags } = body;
  const action = (of: string) => (/^delete$/i.test(stringOf(at(actionOnUnmanage, of))) ? 'delete' : 'detach');
  const unmanage: UnmanageAction = { resources: action('resources'), resourceGroups: action('resourceGroups') };
  const managementGroups = action('managementGroups');
  return {
    id: idAt(scope, deploymentType, `${call.name.slice(0, 50)}-${suffix}`),
    unmanage,
    shown: {
      actionOnUnmanage: { ...unmanage, managementGroups },
      denySettings: { ...objectOf(denySettings), mode: denyModes.get(mode) },
      ...defined({ description, deploymentScope, bypassStackOutOfSyncError }),
    },
    body: {
      ...(scope.resourceGroup === undefined ? { location: location ?? groupLocation(call) } : {}),
      ...defined({ tags }),
      properties: { mode: 'Incremental', ...defined({ template, templateLink, parameters, parametersLink }) },
    },
  };
}

const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const denyModes = new Map(['none', 'denyDelete', 'denyWriteAndDelete'].map((mode) => [mode.toLowerCase(), mode]));

const deploymentVersion = '2022-09-01';

const groupLocation = ({ scope, engine }: StackCall) =>
  stringOf(scope.resourceGroup === undefined ? '' : engine.resources.find(groupIdOf(scope))?.body['location']);

/** The operation that clients of the stack poll. It ends with the stack's work, not at a time. */
function startOperation(call: StackCall, location: string, kind: 'create' | 'update' | 'delete') {
  const { engine, exchange, context, id } = call;
  const { retryAfterSeconds } = context.settings;
  const operation = engine.running.operations.start({
    kind,
    resourceId: id,
    type: stackType,
    apiVersion: exchange.query.get('api-version') ?? '',
    style: 'status',
    location: location || groupLocation(call),
    startedAt: context.now,
    readyAt: Number.MAX_SAFE_INTEGER,
    retryAfterSeconds: retryAfterSeconds === 'real' ? 5 : retryAfterSeconds,
    runningWord: kind === 'delete' ? 'deleting' : 'deploying',
  });
  const style = { statusSegment: 'deploymentStackOperationStatus', locationSegment: 'operationResults' };
  const how = { poll: kind === 'delete' ? 'both' : 'status' };
  const headers = engine.running.pollHeaders(operation, how, style, parsePath(id), exchange, context.now);
  return { id: operation.id, headers };
}

function checkIdle(resource: StoredResource | undefined): void {
  if (!resource || !isAtWork(stackRecordOf(resource))) return;
  const { state } = stackRecordOf(resource);
  throw refuse(
    409,
    'DeploymentStackInNonTerminalState',
    `The requested change to deployment stack '${resource.id}' is not allowed because it is in the non-terminal state '${state}'. Retry when it has ended.`,
  );
}

const invalid = (why: string) =>
  refuse(400, 'InvalidRequestContent', `The request content was invalid and could not be deserialized: '${why}'`);
