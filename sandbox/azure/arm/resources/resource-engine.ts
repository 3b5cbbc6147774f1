import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '../../../../runtime/base/json.ts';
import { mergePatch } from '../../../json.ts';
import { type Exchange, jsonBody, type Refusal, type Reply, refuse } from '../../exchange.ts';
import { at, type Json, merge, objectOf, stringOf, withoutNulls } from '../../json.ts';
import type { StoredOperation, StoredResource } from '../../state.ts';
import { notFound } from '../arm-errors.ts';
import type {
  ActionContext,
  Behaviour,
  BehaviourContext,
  RemoveStyle,
  WriteContext,
  WriteStyle,
} from '../behaviour.ts';
import type { Behaviours } from '../behaviours/index.ts';
import { Operations, type PollUrl, retryAfter } from '../operations.ts';
import { busy, checkMatch, commonChecks, methodNotSupported, normalLocation, sameName } from '../write-checks.ts';
import { removeAt, removeSecrets } from './hidden-members.ts';
import { etagOf, requestedOf, sameContent, setState } from './resource-content.ts';
import { completeIdentity, normalizeIdentity } from './resource-identity.ts';
import { groupIdOf, groupType, type ResourcePath, tryParsePath } from './resource-path.ts';

/** A caller whose token was verified. */
export interface Caller {
  readonly clientId: string;
  readonly objectId: string;
}

/** Reads, writes and deletes resources by the rules of their behaviours. */
export class ResourceEngine {
  readonly operations: Operations;
  readonly #behaviours: Behaviours;
  readonly #context: () => BehaviourContext;

  constructor(behaviours: Behaviours, context: () => BehaviourContext) {
    this.#behaviours = behaviours;
    this.#context = context;
    const { state, ids } = context();
    this.operations = new Operations(state, ids, (operation) => this.#finish(operation));
  }

  find(id: string): StoredResource | undefined {
    return this.#context().state.resources[id.toLowerCase()];
  }

  read(path: ResourcePath): Reply {
    this.#requireParents(path, 'read');
    const behaviour = this.#behaviours.of(path.type);
    const resource = this.find(path.id);
    const implied = resource ? undefined : behaviour.implicit?.(path);
    if (implied) return { status: 200, body: { ...implied, id: path.id, name: path.name, type: behaviour.type } };
    if (!resource) throw this.#missing(path, behaviour);
    return { status: 200, headers: etagOf(resource, behaviour), body: this.view(resource) };
  }

  write(path: ResourcePath, exchange: Exchange, caller: Caller, apiVersion: string): Reply {
    const behaviour = this.#behaviours.of(path.type);
    const context = this.#context();
    const existing = this.find(path.id);
    this.#requireParents(path, 'write');
    this.#requireRest(path);
    const patch = exchange.method === 'PATCH';
    if (patch && !existing) throw this.#missing(path, behaviour);
    if (patch && behaviour.patchable === false) throw methodNotSupported(exchange.method);
    const sent = jsonBody(exchange);
    const { id: _id, name: _name, type: _type, etag: _etag, ...own } = sent;
    const merged = (patch ? mergePatch(requestedOf(existing), own) : withoutNulls(own)) as Json;
    if (typeof merged['location'] === 'string') merged['location'] = normalLocation(merged['location']);
    const system: Json = { ...(existing?.system ?? {}) };
    const about = { ...context, path, method: exchange.method, existing, system, caller };
    commonChecks({ ...about, request: merged }, behaviour, exchange, sent);
    const request = normalizeIdentity(merged, own, about);
    const write: WriteContext = { ...about, request };
    behaviour.validate?.(write);
    const body = merge(merge(behaviour.defaults?.(write) ?? {}, request), {});
    if (behaviour.tracked ?? path.types.length === 1) body['tags'] ??= {};
    const goal = createHash('sha256').update(canonicalJson(body)).digest('hex');
    const changed = !existing || existing.system['goal'] !== goal;
    const complete = merge(merge(body, completeIdentity(write)), behaviour.computed?.(write) ?? {});
    const resource: StoredResource = {
      id: existing?.id ?? this.#canonicalId(path, behaviour),
      name: existing?.name ?? path.name,
      type: behaviour.type === '*' ? path.type : behaviour.type,
      subscriptionId: path.subscriptionId ?? '',
      ...(path.resourceGroup ? { resourceGroup: path.resourceGroup } : {}),
      body: complete,
      system: { ...system, goal, request, ...(changed ? { etag: context.ids.uuid() } : {}) },
      createdAt: existing?.createdAt ?? context.now,
      changedAt: changed ? context.now : (existing?.changedAt ?? context.now),
    };
    context.state.resources[path.id.toLowerCase()] = resource;
    if (changed) {
      exchange.entry.effective = true;
      this.#touchParent(resource);
    }
    this.#writeEmbedded(resource, behaviour, request, exchange, caller, apiVersion);
    const style = existing ? behaviour.update : behaviour.create;
    return this.#answerWrite(resource, behaviour, style, existing ? 'update' : 'create', exchange, apiVersion);
  }

  remove(path: ResourcePath, exchange: Exchange, apiVersion: string): Reply {
    this.#requireParents(path, 'delete');
    this.#requireRest(path);
    const behaviour = this.#behaviours.of(path.type);
    const resource = this.find(path.id);
    const style = behaviour.remove;
    if (style.status === 405) throw methodNotSupported('DELETE');
    if (!resource) {
      if (path.type === groupType) throw notFound.group(path.name);
      return { status: 204 };
    }
    const running = resource.operationId === undefined ? undefined : this.operations.find(resource.operationId);
    if (running?.state === 'running' && running.kind !== 'delete') throw busy(behaviour, resource);
    const context = this.#context();
    if (behaviour.etag) checkMatch(exchange, resource);
    const shown = behaviour.removeShowsBody ? { body: this.view(resource) } : {};
    const again = running?.state === 'running';
    if (!again) exchange.entry.effective = true;
    if ((style.poll ?? 'none') === 'none') {
      this.#drop(resource);
      return { status: style.status, ...shown };
    }
    const operation = again ? running : this.#startRemoval(resource, style, exchange, apiVersion);
    return { status: style.status, headers: this.#pollHeaders(operation, style, {}, path, exchange, context.now) };
  }

  act(path: ResourcePath, exchange: Exchange, apiVersion: string): Reply {
    this.#requireParents(path, 'action');
    const behaviour = this.#behaviours.of(path.type);
    const resource = this.find(path.id) ?? this.#implied(path, behaviour);
    if (!resource) throw this.#missing(path, behaviour);
    const name = path.tail?.toLowerCase() ?? '';
    const action = behaviour.actions?.[name];
    const long = behaviour.longActions?.[name];
    if (!action && !long) {
      throw refuse(
        404,
        'ResourceNotFound',
        `The action '${path.tail}' does not exist on resources of type '${path.type}'.`,
      );
    }
    const request = exchange.body.length === 0 ? {} : jsonBody(exchange);
    const changed = () => {
      exchange.entry.effective = true;
    };
    const context: ActionContext = { ...this.#context(), path, resource, request, changed };
    if (action) return action(context);
    if (resource.operationId) throw busy(behaviour, resource);
    long?.check(context);
    changed();
    const operation = this.#startAction(resource, { name, request }, exchange, apiVersion);
    return { status: 202, headers: this.#pollHeaders(operation, { poll: 'both' }, {}, path, exchange, context.now) };
  }

  /** What exists with its parent, once something is asked of it that must be remembered. */
  #implied(path: ResourcePath, behaviour: Behaviour): StoredResource | undefined {
    const body = behaviour.implicit?.(path);
    if (!body) return undefined;
    const { state, now } = this.#context();
    const { id, name, type, subscriptionId = '', resourceGroup } = path;
    const times = { createdAt: now, changedAt: now };
    const group = resourceGroup ? { resourceGroup } : {};
    const resource: StoredResource = { id, name, type, subscriptionId, ...group, body, system: {}, ...times };
    state.resources[id.toLowerCase()] = resource;
    return resource;
  }

  /** Resources of a type directly under a scope (resource group, parent, or whole subscription), in order of creation. */
  list(type: string, below: string): Json[] {
    const prefix = `${below.toLowerCase()}/`;
    return Object.entries(this.#context().state.resources)
      .filter(([id, resource]) => id.startsWith(prefix) && resource.type.toLowerCase() === type.toLowerCase())
      .map(([, resource]) => this.view(resource));
  }

  view(resource: StoredResource): Json {
    const behaviour = this.#behaviours.of(resource.type);
    const context = this.#context();
    const shown = structuredClone(behaviour.view?.(resource, context) ?? resource.body);
    for (const path of behaviour.writeOnly ?? []) removeAt(shown, path.split('.'));
    if (behaviour.type === '*') removeSecrets(shown);
    for (const { member, childType } of behaviour.embeds ?? []) {
      const items = this.list(`${resource.type}/${childType}`, resource.id);
      const within = member.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), items);
      const nested = member.includes('.');
      if (!nested || items.length > 0) shown['properties'] = merge(objectOf(shown['properties']), within as Json);
    }
    const { busyWithChildren: member } = behaviour;
    if (member !== undefined && this.#childAtWork(resource)) {
      shown['properties'] = { ...objectOf(shown['properties']), [member]: 'Updating' };
    }
    const etag = behaviour.etag ? { etag: `W/"${stringOf(resource.system['etag'])}"` } : {};
    return { id: resource.id, name: resource.name, type: resource.type, ...etag, ...shown };
  }

  /** The answer to a GET of a poll URL; undefined where the id is not that of an operation. */
  poll(operationId: string, asStatus: boolean, exchange: Exchange): Reply | undefined {
    const operation = this.operations.find(operationId);
    if (!operation) return undefined;
    if (asStatus) return this.operations.status(operation, exchange.url.pathname);
    const next = new URL(exchange.url);
    const { now } = this.#context();
    next.searchParams.set('t', (BigInt(Math.round(now)) * 10_000n + 621_355_968_000_000_000n).toString());
    return this.operations.location(operation, next.toString(), () => {
      const resource = this.find(operation.resourceId);
      return resource && this.view(resource);
    });
  }

  #answerWrite(
    resource: StoredResource,
    behaviour: Behaviour,
    style: WriteStyle,
    kind: 'create' | 'update',
    exchange: Exchange,
    apiVersion: string,
  ): Reply {
    const context = this.#context();
    const path = tryParsePath(resource.id.split('/').filter(Boolean)) as ResourcePath;
    const failure = exchange.operationFault;
    const poll = style.poll ?? 'none';
    const done = behaviour.succeeded ?? 'Succeeded';
    const location: Record<string, string> = style.locationIsResource ? { location: encodeURI(resource.id) } : {};
    if (poll === 'none' && !failure) {
      setState(resource, done);
      const status = kind === 'update' && style.status === 201 ? 200 : style.status;
      return { status, headers: { ...location, ...etagOf(resource, behaviour) }, body: this.view(resource) };
    }
    const word = style.word ?? (kind === 'create' ? 'Creating' : 'Updating');
    const timing =
      context.settings.types[behaviour.type.toLowerCase()] ?? context.settings.types[resource.type.toLowerCase()];
    const operation = this.operations.start({
      kind,
      resourceId: resource.id,
      type: resource.type,
      apiVersion,
      style: poll === 'location' ? 'location' : poll === 'body' ? 'body' : 'status',
      location: stringOf(resource.body['location']) || 'westus2',
      startedAt: context.now,
      readyAt: context.now + (timing?.operationMs ?? context.settings.operationMs),
      retryAfterSeconds: seconds(context, timing?.retryAfterSeconds, style.retryAfterSeconds),
      runningWord: 'InProgress',
      ...(style.minimalStatus ? { minimalStatus: true } : {}),
      ...(failure ? { failure } : {}),
    });
    resource.operationId = operation.id;
    if (done !== '') setState(resource, word);
    const headers = poll === 'body' ? {} : this.#pollHeaders(operation, { poll }, style, path, exchange, context.now);
    const body = style.body === 'empty' ? {} : { body: style.body === 'object' ? {} : this.view(resource) };
    return { status: style.status, headers: { ...location, ...headers, ...etagOf(resource, behaviour) }, ...body };
  }

  #startAction(
    resource: StoredResource,
    action: NonNullable<StoredOperation['action']>,
    exchange: Exchange,
    apiVersion: string,
  ): StoredOperation {
    const { now, settings, ...context } = this.#context();
    const timing = settings.types[resource.type.toLowerCase()];
    const operation = this.operations.start({
      kind: 'action',
      resourceId: resource.id,
      type: resource.type,
      apiVersion,
      style: 'status',
      location: stringOf(resource.body['location']) || 'westus2',
      startedAt: now,
      readyAt: now + (timing?.operationMs ?? settings.operationMs),
      retryAfterSeconds: seconds({ ...context, now, settings }, timing?.retryAfterSeconds, 10),
      runningWord: 'Updating',
      result: {},
      action,
      ...(exchange.operationFault ? { failure: exchange.operationFault } : {}),
    });
    resource.operationId = operation.id;
    return operation;
  }

  #startRemoval(resource: StoredResource, style: RemoveStyle, exchange: Exchange, apiVersion: string): StoredOperation {
    const { now, settings, ...context } = this.#context();
    const timing = settings.types[resource.type.toLowerCase()];
    setState(resource, 'Deleting');
    const operation = this.operations.start({
      kind: 'delete',
      resourceId: resource.id,
      type: resource.type,
      apiVersion,
      style: style.poll === 'location' ? 'location' : 'status',
      location: stringOf(resource.body['location']) || 'westus2',
      startedAt: now,
      readyAt: now + (timing?.operationMs ?? settings.operationMs),
      retryAfterSeconds: seconds({ ...context, now, settings }, timing?.retryAfterSeconds, style.retryAfterSeconds),
      runningWord: 'InProgress',
      deletedStatus: style.final ?? 200,
      ...(exchange.operationFault ? { failure: exchange.operationFault } : {}),
    });
    resource.operationId = operation.id;
    return operation;
  }

  #pollHeaders(
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

  /** An operation's end: its effect on the resource. */
  #finish(operation: StoredOperation): void {
    const resource = this.find(operation.resourceId);
    if (resource?.operationId !== operation.id) return;
    delete resource.operationId;
    if (operation.kind === 'action') this.#endAction(operation, resource);
    else if (operation.failure) setState(resource, operation.state === 'canceled' ? 'Canceled' : 'Failed');
    else if (operation.kind === 'delete') this.#drop(resource);
    else setState(resource, this.#behaviours.of(resource.type).succeeded ?? 'Succeeded');
  }

  #endAction({ action, failure }: StoredOperation, resource: StoredResource): void {
    const path = tryParsePath(resource.id.split('/').filter(Boolean)) as ResourcePath;
    const long = this.#behaviours.of(resource.type).longActions?.[action?.name ?? ''];
    if (failure || !action || !long) return;
    long.end({ ...this.#context(), path, resource, request: action.request, changed: () => undefined });
  }

  /** What shows its children inside itself changes with them, and so does its etag. */
  #touchParent(child: StoredResource): void {
    const parent = this.find(child.id.split('/').slice(0, -2).join('/'));
    const behaviour = parent && this.#behaviours.of(parent.type);
    const shown = behaviour?.embeds?.some(({ childType }) => sameName(`${parent?.type}/${childType}`, child.type));
    if (parent && behaviour?.etag && shown) parent.system['etag'] = this.#context().ids.uuid();
  }

  #drop(resource: StoredResource): void {
    const context = this.#context();
    this.#touchParent(resource);
    const prefix = resource.id.toLowerCase();
    for (const [id, victim] of Object.entries(context.state.resources).reverse()) {
      if (id !== prefix && !id.startsWith(`${prefix}/`)) continue;
      delete context.state.resources[id];
      this.#behaviours.of(victim.type).removed?.(victim, context);
    }
  }

  #writeEmbedded(
    parent: StoredResource,
    behaviour: Behaviour,
    request: Json,
    exchange: Exchange,
    caller: Caller,
    apiVersion: string,
  ): void {
    for (const { member, childType } of behaviour.embeds ?? []) {
      // A PUT replaces all children: those that it does not name are deleted.
      const items = at(request['properties'], member) ?? [];
      if (!Array.isArray(items)) continue;
      const wanted = new Set<string>();
      for (const item of items.filter(isObject)) {
        const id = `${parent.id}/${childType}/${stringOf(item['name'])}`;
        wanted.add(id.toLowerCase());
        const before = this.find(id);
        if (before && sameContent(this.view(before), item)) continue;
        const child = { ...exchange, method: 'PUT', body: Buffer.from(JSON.stringify(item)), headers: {} };
        this.write(tryParsePath(id.split('/').filter(Boolean)) as ResourcePath, child, caller, apiVersion);
      }
      for (const child of this.list(`${parent.type}/${childType}`, parent.id)) {
        const resource = this.find(stringOf(child['id']));
        if (resource && !wanted.has(resource.id.toLowerCase())) this.#drop(resource);
      }
    }
  }

  #canonicalId(path: ResourcePath, behaviour: Behaviour): string {
    const group = path.resourceGroup === undefined ? undefined : this.find(groupIdOf(path));
    const id = group && path.type !== groupType ? `${group.id}${path.id.slice(group.id.length)}` : path.id;
    return id.replace(/\/resourcegroups\//i, behaviour.lowerCaseGroups ? '/resourcegroups/' : '/resourceGroups/');
  }

  /** The resource group and the parent must be there and must not be going away. */
  #requireParents(path: ResourcePath, verb: string): void {
    if (path.resourceGroup && path.type !== groupType) {
      const group = this.find(groupIdOf(path));
      if (!group) throw notFound.group(path.resourceGroup);
      const going = group.operationId && this.operations.find(group.operationId)?.kind === 'delete';
      if (going && verb === 'write') {
        throw refuse(
          409,
          'ResourceGroupBeingDeleted',
          `The resource group '${path.resourceGroup}' is in deprovisioning state and cannot perform this operation.`,
        );
      }
    }
    if (/\/providers\//i.test(path.scope) && !this.find(path.scope)) {
      throw notFound.resource(tryParsePath(path.scope.split('/').filter(Boolean)) as ResourcePath);
    }
    if (!path.parentId) return;
    const parent = tryParsePath(path.parentId.split('/').filter(Boolean)) as ResourcePath;
    if (this.find(path.parentId)) return;
    if (parent.parentId && this.find(parent.parentId) && this.#behaviours.of(parent.type).implicit?.(parent)) return;
    throw notFound.parent(path, verb);
  }

  /** Some take one write at a time, to themselves and to all that lies in them. */
  #requireRest(path: ResourcePath): void {
    for (const id of [path.id, path.parentId ?? '']) {
      const resource = this.find(id);
      const behaviour = resource && this.#behaviours.of(resource.type);
      if (!resource || behaviour?.busyWithChildren === undefined) continue;
      const own = resource.operationId !== undefined && id !== path.id;
      if (own || this.#childAtWork(resource)) throw busy(behaviour, resource);
    }
  }

  #childAtWork({ id }: StoredResource): boolean {
    const prefix = `${id.toLowerCase()}/`;
    return Object.values(this.#context().state.operations).some(
      ({ state, resourceId }) => state === 'running' && resourceId.toLowerCase().startsWith(prefix),
    );
  }

  #missing(path: ResourcePath, behaviour: Behaviour): Refusal {
    if (path.type === groupType) return notFound.group(path.name);
    return behaviour.notFound?.(path) ?? notFound.resource(path);
  }
}

function seconds(context: BehaviourContext, ofType: number | undefined, real: number | undefined): number | undefined {
  if (ofType !== undefined) return ofType;
  const { retryAfterSeconds } = context.settings;
  return retryAfterSeconds === 'real' ? real : real === undefined ? undefined : retryAfterSeconds;
}
