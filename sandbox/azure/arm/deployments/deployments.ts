import { strictJson } from '../../../../runtime/compute/templates/functions/text/lenient-json.ts';
import { type Exchange, jsonBody, type Reply, refuse } from '../../exchange.ts';
import { notFound } from '../arm-errors.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { page } from '../paging.ts';
import type { Caller, ResourceEngine } from '../resources/resource-engine.ts';
import { groupIdOf } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { methodNotSupported } from '../write-checks.ts';
import { type DeploymentRecord, expansionOf, isRunning, recordOf } from './deployment-record.ts';
import { type DeploymentPath, deploymentPath, deploymentType, idAt, requestPath } from './deployment-scope.ts';
import { deploymentView, operationViews, templateHash, validatedView } from './deployment-views.ts';
import { expand, parameterViews } from './template-expansion.ts';
import { deploymentRequest } from './template-source.ts';
import { whatIf } from './what-if.ts';

/** A request to deployments, with what it needs. */
interface DeploymentCall extends DeploymentPath {
  readonly id: string;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly context: BehaviourContext;
  readonly engine: ResourceEngine;
}

/** `Microsoft.Resources/deployments` at every scope; undefined for any other path. */
export function deploymentDocuments(
  exchange: Exchange,
  caller: Caller,
  context: BehaviourContext,
  engine: ResourceEngine,
): Reply | undefined {
  if (
    exchange.method === 'POST' &&
    /^\/providers\/microsoft\.resources\/calculatetemplatehash$/i.test(pathOf(exchange))
  ) {
    const template = jsonBody(exchange);
    const body = { minifiedTemplate: JSON.stringify(template), templateHash: templateHash(template) };
    return { status: 200, body };
  }
  const path = deploymentPath(exchange.segments, 'deployments');
  if (!path) return undefined;
  const { scope } = path;
  const group = scope.resourceGroup === undefined ? undefined : engine.resources.find(groupIdOf(scope));
  if (scope.resourceGroup !== undefined && !group) throw notFound.group(scope.resourceGroup);
  const at = { ...scope, id: group?.id ?? scope.id };
  const id = idAt(at, deploymentType, path.name);
  // az sends templates with comments, under a name without quotes.
  const body = Buffer.from(strictJson(exchange.body.toString('utf8')));
  return answer({ ...path, scope: at, id, exchange: { ...exchange, body }, caller, context, engine });
}

const pathOf = ({ segments }: Exchange) => `/${segments.join('/')}`;

function answer(call: DeploymentCall): Reply {
  const { exchange, context, name, rest, engine, id } = call;
  const { method } = exchange;
  if (name === '') {
    if (method !== 'GET') throw methodNotSupported(method);
    return list(call);
  }
  const action = rest[0]?.toLowerCase();
  if (action === undefined && method === 'PUT') return create(call);
  if (method === 'POST' && action === 'validate') return validate(call);
  if (method === 'POST' && action === 'whatif') {
    const record = recordFor(call);
    const expanded = expand(expansionOf({ id, name } as StoredResource, record), context);
    return { status: 200, body: whatIf(expanded, record, engine, context) };
  }
  const resource = engine.resources.find(id);
  if (method === 'HEAD') return { status: resource ? 204 : 404 };
  if (!resource) throw missing(name);
  return answerOf(resource, action, call);
}

function answerOf(resource: StoredResource, action: string | undefined, call: DeploymentCall): Reply {
  const { exchange, context, rest, engine } = call;
  const { method } = exchange;
  const record = recordOf(resource);
  if (method === 'GET' && action === undefined) return { status: 200, body: deploymentView(resource) };
  if (method === 'GET' && action === 'operationstatuses') return { status: 200, body: statusOf(record) };
  if (method === 'GET' && action === 'operations') return operations(resource, rest[1], exchange, context);
  if (method === 'POST' && action === 'exporttemplate')
    return { status: 200, body: { template: record.request.template } };
  if (method === 'POST' && action === 'cancel') return cancel(resource, context);
  if (method !== 'DELETE' || action !== undefined) throw methodNotSupported(method);
  if (isRunning(record)) throw active(resource.id);
  exchange.entry.effective = true;
  engine.resources.drop(resource);
  return { status: 204 };
}

function list({ exchange, context, scope }: DeploymentCall): Reply {
  const state = /provisioningState eq '(\w+)'/i.exec(exchange.query.get('$filter') ?? '')?.[1]?.toLowerCase();
  const items = context.state.resources
    .ofType(deploymentType)
    .filter(({ id, name }) => id.toLowerCase() === idAt(scope, deploymentType, name).toLowerCase())
    .filter((resource) => state === undefined || recordOf(resource).state.toLowerCase() === state)
    .map(deploymentView);
  return page(exchange, items, context.settings.pageSize);
}

function create(call: DeploymentCall): Reply {
  const { exchange, context, scope, id, name, engine } = call;
  const existing = engine.resources.find(id);
  if (existing && isRunning(recordOf(existing))) throw active(id);
  checkName(name);
  const record = recordFor(call);
  const resource: StoredResource = {
    id,
    name,
    type: deploymentType,
    subscriptionId: scope.subscriptionId ?? '',
    ...(scope.resourceGroup === undefined ? {} : { resourceGroup: scope.resourceGroup }),
    body: {},
    system: { deployment: record },
    createdAt: existing?.createdAt ?? context.now,
    changedAt: context.now,
  };
  engine.resources.save(resource);
  exchange.entry.effective = true;
  const version = exchange.query.get('api-version') ?? '';
  const status = `${exchange.origin}${encodeURI(id)}/operationStatuses/${record.correlationId}?api-version=${version}`;
  return { status: existing ? 200 : 201, headers: { 'azure-asyncoperation': status }, body: deploymentView(resource) };
}

/** The record of a deployment that begins now. Throws Azure's refusal of one that cannot. */
function recordFor(call: DeploymentCall): DeploymentRecord {
  const { exchange, context, scope, id, name, caller } = call;
  const needsLocation = scope.resourceGroup === undefined;
  const request = deploymentRequest(jsonBody(exchange), needsLocation, context);
  const { clientId, objectId } = caller;
  const base = { scope, request, caller: { clientId, objectId }, startedAt: context.now, parameters: {} };
  const correlationId = context.ids.uuid();
  const record: DeploymentRecord = { ...base, correlationId, steps: [], state: 'Accepted', ...failureOf(exchange) };
  const expansion = expansionOf({ id, name } as StoredResource, record);
  for (const { id: resourceId, type, name: own, apiVersion } of expand(expansion, context).resources) {
    if (apiVersion === undefined) throw withoutVersion(own);
    const operation = context.ids.uuid().replaceAll('-', '').toUpperCase().slice(0, 16);
    record.steps.push({ id: resourceId, type, name: own, apiVersion, state: 'waiting', operation });
  }
  record.parameters = parameterViews(expansion, context);
  return record;
}

const failureOf = ({ operationFault }: Exchange) =>
  operationFault ? { failure: { code: operationFault.code, message: operationFault.message } } : {};

function validate(call: DeploymentCall): Reply {
  const record = recordFor(call);
  const { engine, id } = call;
  const there = new Set(record.steps.map((step) => requestPath(step.id).toLowerCase()));
  for (const step of record.steps) {
    const [, group] = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\//i.exec(step.id) ?? [];
    const groupId = requestPath(step.id).split('/').slice(0, 5).join('/');
    if (group === undefined || there.has(groupId.toLowerCase()) || engine.resources.find(groupId)) continue;
    throw notFound.group(group);
  }
  return { status: 200, body: validatedView(id, record) };
}

function statusOf({ state, error }: DeploymentRecord) {
  return { status: state === 'Accepted' ? 'Running' : state, ...(error === undefined ? {} : { error }) };
}

function operations(
  resource: StoredResource,
  name: string | undefined,
  exchange: Exchange,
  { settings }: BehaviourContext,
): Reply {
  const views = operationViews(resource);
  if (name === undefined) return page(exchange, views, settings.pageSize);
  const found = views.find(({ operationId }) => operationId === name.toUpperCase());
  if (found) return { status: 200, body: found };
  throw refuse(404, 'DeploymentOperationNotFound', `Deployment operation '${name}' could not be found.`);
}

function cancel(resource: StoredResource, { now }: BehaviourContext): Reply {
  const record = recordOf(resource);
  if (!isRunning(record)) {
    throw refuse(
      409,
      'DeploymentCannotBeCancelled',
      `The deployment '${resource.name}' cannot be cancelled because its provisioning state is '${record.state}'.`,
    );
  }
  record.state = 'Canceled';
  record.endedAt = now;
  record.error = { code: 'DeploymentCanceled', message: `The deployment '${resource.name}' was canceled.` };
  return { status: 204 };
}

function checkName(name: string): void {
  if (/^[-\w.()]{1,64}$/.test(name)) return;
  throw refuse(
    400,
    'InvalidDeploymentName',
    `The deployment name '${name}' is invalid. It must have 1 to 64 characters, which are alphanumeric, '-', '_', '.', '(' and ')'.`,
  );
}

const withoutVersion = (name: string) =>
  refuse(
    400,
    'InvalidTemplate',
    `Deployment template validation failed: 'The template resource '${name}' is missing required property 'apiVersion'.'.`,
  );

const active = (id: string) =>
  refuse(
    409,
    'DeploymentActive',
    `Unable to edit or replace deployment with resource id '${id}': the previous deployment is still active. Please see https://aka.ms/arm-deploy for usage details.`,
  );

const missing = (name: string) => refuse(404, 'DeploymentNotFound', `Deployment '${name}' could not be found.`);
