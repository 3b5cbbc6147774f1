import type { Exchange, Reply } from '../../exchange.ts';
import { stringOf } from '../../json.ts';
import type { StoredOperation } from '../../state.ts';
import { recordedAction } from '../answers/recorded-answers.ts';
import type { BehaviourContext, RemoveStyle, WriteStyle } from '../behaviour.ts';
import { Operations, type PollUrl, retryAfter } from '../operations.ts';
import { setEffects } from './action-effects.ts';
import { setState } from './resource-content.ts';
import { groupType, parsePath, type ResourcePath } from './resource-path.ts';
import type { ResourceStore } from './resource-store.ts';
import type { StoredResource } from './stored-resources.ts';

/** The long-running operations on resources: how one starts, the answers of its polls, and the effect of its end. */
export class ResourceOperations {
  readonly operations: Operations;
  readonly #store: ResourceStore;

  constructor(store: ResourceStore) {
    this.#store = store;
    const { state, ids } = store.context();
    this.operations = new Operations(state, ids, (operation) => this.#finish(operation));
  }

  /** Starts the operation of a PUT or PATCH; `style.poll` says where its clients poll. */
  startWrite(
    resource: StoredResource,
    kind: 'create' | 'update',
    style: WriteStyle,
    exchange: Exchange,
    apiVersion: string,
  ): StoredOperation {
    return this.#start(resource, exchange, apiVersion, style.retryAfterSeconds, {
      kind,
      style: style.poll === 'location' || style.poll === 'body' ? style.poll : 'status',
      runningWord: 'InProgress',
      ...(style.minimalStatus ? { minimalStatus: true } : {}),
    });
  }

  /** Starts the operation of a long POST action, which has its effect at the end. */
  startAction(
    resource: StoredResource,
    action: NonNullable<StoredOperation['action']>,
    exchange: Exchange,
    apiVersion: string,
    how: { readonly retryAfterSeconds: number | undefined; readonly runningWord?: string; readonly result?: unknown },
  ): StoredOperation {
    const { retryAfterSeconds, runningWord = 'Updating', result = {} } = how;
    const more = { kind: 'action', style: 'status', runningWord, result, action } as const;
    return this.#start(resource, exchange, apiVersion, retryAfterSeconds, more);
  }

  /** The answer of a write whose operation fails, as its If-Match names another etag; the resource stays as it is. */
  refuseLate(resource: StoredResource, exchange: Exchange, apiVersion: string): Reply {
    const message = 'The precondition of the request is not satisfied: the etag is another one.';
    const failure = { state: 'failed', status: 412, code: 'PreconditionFailed', message } as const;
    const before = resource.operationId;
    const how = { kind: 'update', style: 'status', runningWord: 'InProgress', failure } as const;
    const operation = this.#start(resource, exchange, apiVersion, 10, how);
    if (before === undefined) delete resource.operationId;
    else resource.operationId = before;
    const path = parsePath(resource.id);
    const headers = this.pollHeaders(operation, { poll: 'both' }, {}, path, exchange, this.#store.context().now);
    return { status: 202, headers, ...(exchange.method === 'DELETE' ? {} : { body: {} }) };
  }

  /** Starts the operation of a DELETE; the resource is shown as Deleting meanwhile. */
  startRemoval(resource: StoredResource, style: RemoveStyle, exchange: Exchange, apiVersion: string): StoredOperation {
    setState(resource, 'Deleting');
    return this.#start(resource, exchange, apiVersion, style.retryAfterSeconds, {
      kind: 'delete',
      style: style.poll === 'location' ? 'location' : 'status',
      runningWord: 'InProgress',
      deletedStatus: style.final ?? 200,
    });
  }

  #start(
    resource: StoredResource,
    exchange: Exchange,
    apiVersion: string,
    retryAfterSeconds: number | undefined,
    more: Pick<StoredOperation, 'kind' | 'style' | 'runningWord'> & Partial<StoredOperation>,
  ): StoredOperation {
    const context = this.#store.context();
    const { now, settings } = context;
    const timing =
      settings.types[this.#store.behaviourOf(resource.type).type.toLowerCase()] ??
      settings.types[resource.type.toLowerCase()];
    const operation = this.operations.start({
      resourceId: resource.id,
      type: resource.type,
      apiVersion,
      location: stringOf(resource.body['location']) || 'westus2',
      startedAt: now,
      readyAt: now + (timing?.operationMs ?? settings.operationMs),
      retryAfterSeconds: seconds(context, timing?.retryAfterSeconds, retryAfterSeconds),
      ...more,
      ...(exchange.operationFault ? { failure: exchange.operationFault } : {}),
    });
    resource.operationId = operation.id;
    return operation;
  }

  /** The headers with the poll URL and Retry-After. */
  pollHeaders(
    operation: StoredOperation,
    how: { poll?: string },
    style: Pick<WriteStyle, 'statusSegment' | 'locationSegment' | 'locationQuery'>,
    path: ResourcePath,
    exchange: Exchange,
    now: number,
  ): Record<string, string> {
    const at = (segment: string, query?: string): PollUrl => ({
      origin: exchange.origin,
      subscriptionId: path.subscriptionId ?? '',
      namespace: path.type === groupType ? '' : (path.namespace ?? ''),
      segment,
      ...(query ? { query } : {}),
    });
    const both = how.poll === 'both';
    const headers: Record<string, string> = retryAfter(operation);
    if (both || how.poll === 'status') {
      headers['azure-asyncoperation'] = this.operations.url(operation, at(style.statusSegment ?? 'operations'), now);
    }
    if (both || how.poll === 'location') {
      const segment = style.locationSegment ?? (path.type === groupType ? 'operationresults' : 'operationResults');
      headers['location'] = this.operations.url(operation, at(segment, style.locationQuery), now);
    }
    return headers;
  }

  /** The answer to a GET of a poll URL; undefined where the id is not that of an operation. */
  poll(operationId: string, asStatus: boolean, exchange: Exchange): Reply | undefined {
    const operation = this.operations.find(operationId);
    if (!operation) return undefined;
    if (asStatus) return this.operations.status(operation, exchange.url.pathname);
    const next = new URL(exchange.url);
    const { now } = this.#store.context();
    next.searchParams.set('t', (BigInt(Math.round(now)) * 10_000n + 621_355_968_000_000_000n).toString());
    return this.operations.location(operation, next.toString(), () => {
      const resource = this.#store.find(operation.resourceId);
      return resource && this.#store.view(resource);
    });
  }

  /** An operation's end: its effect on the resource. */
  #finish(operation: StoredOperation): void {
    const resource = this.#store.find(operation.resourceId);
    if (resource?.operationId !== operation.id) return;
    delete resource.operationId;
    if (operation.kind === 'action') this.#endAction(operation, resource);
    else if (operation.failure) setState(resource, operation.state === 'canceled' ? 'Canceled' : 'Failed');
    else if (operation.kind === 'delete') this.#store.drop(resource);
    else {
      const behaviour = this.#store.behaviourOf(resource.type);
      setState(resource, behaviour.succeeded ?? 'Succeeded');
      behaviour.written?.(resource, this.#store.context());
    }
  }

  #endAction(operation: StoredOperation, resource: StoredResource): void {
    const { action, failure } = operation;
    const path = parsePath(resource.id);
    const long = this.#store.behaviourOf(resource.type).longActions?.[action?.name ?? ''];
    if (failure || !action) return;
    setEffects(resource, recordedAction(resource.type, action.name)?.sets);
    if (!long) return;
    const context = { ...this.#store.context(), path, resource, request: action.request, changed: () => undefined };
    operation.result = long.end(context);
  }
}

function seconds(context: BehaviourContext, ofType: number | undefined, real: number | undefined): number | undefined {
  if (ofType !== undefined) return ofType;
  const { retryAfterSeconds, alwaysRetryAfter } = context.settings;
  if (real === undefined && !alwaysRetryAfter) return undefined;
  return retryAfterSeconds === 'real' ? (real ?? 1) : retryAfterSeconds;
}
