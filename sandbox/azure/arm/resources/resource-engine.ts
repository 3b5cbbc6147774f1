import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '../../../../runtime/base/json.ts';
import { mergePatch } from '../../../json.ts';
import { type Exchange, jsonBody, type Reply } from '../../exchange.ts';
import { at, type Json, merge, stringOf, withoutNulls } from '../../json.ts';
import { assignAddresses } from '../answers/private-addresses.ts';
import { addRecordedMembers } from '../answers/recorded-members.ts';
import { notFound } from '../arm-errors.ts';
import type { Behaviour, BehaviourContext, WriteContext, WriteStyle } from '../behaviour.ts';
import type { Behaviours } from '../behaviours/index.ts';
import { refuseAbsent } from '../refusals/absent.ts';
import { refuseRanges } from '../refusals/address-ranges.ts';
import { refuseChange } from '../refusals/immutable.ts';
import { refuseInUse } from '../refusals/in-use.ts';
import { refuseOverlap } from '../refusals/peerings.ts';
import { refuseValues } from '../refusals/values.ts';
import { busy, checkMatch, commonChecks, isMatched, methodNotSupported, normalLocation } from '../write-checks.ts';
import { keepEffects } from './action-effects.ts';
import { missing, requireDroppedUnused, requireParents, requireRest } from './preconditions.ts';
import { ResourceActions } from './resource-actions.ts';
import { etagOf, keepMembers, requestedOf, sameContent, setState, startedBody } from './resource-content.ts';
import { completeIdentity, normalizeIdentity } from './resource-identity.ts';
import { ResourceOperations } from './resource-operations.ts';
import { groupType, parsePath, type ResourcePath } from './resource-path.ts';
import { ResourceStore } from './resource-store.ts';
import type { StoredResource } from './stored-resources.ts';

/** A caller whose token was verified. */
export interface Caller {
  readonly clientId: string;
  readonly objectId: string;
}

/** Reads, writes and deletes resources by the rules of their behaviours. */
export class ResourceEngine {
  readonly resources: ResourceStore;
  readonly running: ResourceOperations;
  readonly actions: ResourceActions;

  constructor(behaviours: Behaviours, context: () => BehaviourContext) {
    this.resources = new ResourceStore(behaviours, context);
    this.running = new ResourceOperations(this.resources);
    this.actions = new ResourceActions(this.resources, this.running);
  }

  read(path: ResourcePath): Reply {
    requireParents(this.resources, this.running.operations, path, 'read');
    const behaviour = this.resources.behaviourOf(path.type);
    const resource = this.resources.find(path.id);
    const implied = resource ? undefined : behaviour.implicit?.(path);
    if (implied) return { status: 200, body: { ...implied, id: path.id, name: path.name, type: behaviour.type } };
    if (!resource) throw missing(path, behaviour);
    return { status: 200, headers: etagOf(resource, behaviour), body: this.resources.view(resource) };
  }

  /** Writes a resource; a `part` comes in the request of its parent, whose operation is its own too. */
  write(path: ResourcePath, exchange: Exchange, caller: Caller, apiVersion: string, part = false): Reply {
    const behaviour = this.resources.behaviourOf(path.type);
    const context = this.resources.context();
    const existing = this.resources.find(path.id);
    requireParents(this.resources, this.running.operations, path, 'write');
    if (!part) requireRest(this.resources, path);
    const patch = exchange.method === 'PATCH';
    if (patch && !existing) throw missing(path, behaviour);
    if (patch && behaviour.patchable === false) throw methodNotSupported(exchange.method);
    if (existing && behaviour.matchesLate && !isMatched(exchange, existing))
      return this.running.refuseLate(existing, exchange, apiVersion);
    const sent = jsonBody(exchange);
    const { id: _id, name: _name, type: _type, etag: _etag, ...own } = sent;
    const merged = (patch ? mergePatch(requestedOf(existing), own) : withoutNulls(own)) as Json;
    if (!patch) keepMembers(merged, requestedOf(existing), behaviour.keeps);
    if (typeof merged['location'] === 'string') merged['location'] = normalLocation(merged['location']);
    const system: Json = { ...(existing?.system ?? {}) };
    const about = { ...context, path, method: exchange.method, apiVersion, existing, system, caller };
    commonChecks({ ...about, request: merged }, behaviour, exchange, sent);
    const request = normalizeIdentity(merged, own, about);
    const write: WriteContext = { ...about, request };
    behaviour.validate?.(write);
    refuseValues(request, path);
    if (!part) for (const check of [refuseAbsent, refuseOverlap]) check(write, this.resources);
    if (!part && !patch) refuseRanges(write);
    if (existing) refuseChange(request, existing);
    if (existing && !patch) requireDroppedUnused(this.resources, existing, request);
    const body = merge(merge(behaviour.defaults?.(write) ?? {}, request), {});
    if (behaviour.tracked ?? path.types.length === 1) body['tags'] ??= {};
    const goal = createHash('sha256').update(canonicalJson(body)).digest('hex');
    const changed = !existing || existing.system['goal'] !== goal;
    const complete = merge(merge(body, completeIdentity(write)), behaviour.computed?.(write) ?? {});
    const id = existing?.id ?? this.resources.canonicalId(path, behaviour);
    const etag = changed ? { etag: context.ids.uuid() } : {};
    assignAddresses(complete, write);
    addRecordedMembers(complete, id, { ...write, system: { ...system, ...etag } }, behaviour);
    keepEffects(complete, system);
    const resource: StoredResource = {
      id,
      name: existing?.name ?? path.name,
      type: behaviour.type === '*' ? path.type : behaviour.type,
      subscriptionId: path.subscriptionId ?? '',
      ...(path.resourceGroup ? { resourceGroup: path.resourceGroup } : {}),
      body: complete,
      system: { ...system, goal, request, ...etag },
      createdAt: existing?.createdAt ?? context.now,
      changedAt: changed ? context.now : (existing?.changedAt ?? context.now),
    };
    this.resources.save(resource);
    if (changed) {
      exchange.entry.effective = true;
      this.resources.touchParent(resource);
    }
    this.#writeEmbedded(resource, behaviour, patch ? own : request, exchange, caller, apiVersion);
    const kind = !existing ? 'create' : patch ? 'patch' : changed ? 'update' : 'repeat';
    const recorded = this.resources.writeStyle(path.type, kind, apiVersion);
    const style: WriteStyle = part ? { status: 200 } : recorded;
    const ended = { ...exchange, operationFault: exchange.operationFault ?? behaviour.failure?.(write) };
    return this.#answerWrite(resource, behaviour, style, existing ? 'update' : 'create', ended, apiVersion);
  }

  remove(path: ResourcePath, exchange: Exchange, apiVersion: string): Reply {
    requireParents(this.resources, this.running.operations, path, 'delete');
    requireRest(this.resources, path);
    const behaviour = this.resources.behaviourOf(path.type);
    const resource = this.resources.find(path.id);
    const style = this.resources.removeStyle(path.type, apiVersion);
    if (style.status === 405) throw methodNotSupported('DELETE');
    if (!resource) {
      if (path.type === groupType) throw notFound.group(path.name);
      return { status: 204 };
    }
    refuseInUse(resource, this.resources.context().state.resources);
    const running = resource.operationId === undefined ? undefined : this.running.operations.find(resource.operationId);
    if (running?.state === 'running' && running.kind !== 'delete') throw busy(behaviour, resource);
    const context = this.resources.context();
    if (behaviour.matchesLate && !isMatched(exchange, resource))
      return this.running.refuseLate(resource, exchange, apiVersion);
    if (behaviour.etag) checkMatch(exchange, resource);
    const shown = style.body === 'resource' || behaviour.removeShowsBody ? { body: this.resources.view(resource) } : {};
    const again = running?.state === 'running';
    if (!again) exchange.entry.effective = true;
    if ((style.poll ?? 'none') === 'none') {
      this.resources.drop(resource);
      return { status: style.status, ...shown };
    }
    const body = style.body === 'empty' ? {} : { body: startedBody(style.body, path, context.now) };
    const operation = again ? running : this.running.startRemoval(resource, style, exchange, apiVersion);
    return {
      status: style.status,
      headers: this.running.pollHeaders(operation, style, {}, path, exchange, context.now),
      ...body,
    };
  }

  #answerWrite(
    resource: StoredResource,
    behaviour: Behaviour,
    style: WriteStyle,
    kind: 'create' | 'update',
    exchange: Exchange,
    apiVersion: string,
  ): Reply {
    const context = this.resources.context();
    const path = parsePath(resource.id);
    const failure = exchange.operationFault;
    const poll = style.poll ?? 'none';
    const done = behaviour.succeeded ?? 'Succeeded';
    const location: Record<string, string> = style.locationIsResource ? { location: encodeURI(resource.id) } : {};
    if (poll === 'none' && !failure) {
      setState(resource, done);
      behaviour.written?.(resource, context);
      return {
        status: style.status,
        headers: { ...location, ...etagOf(resource, behaviour) },
        body: this.resources.view(resource),
      };
    }
    const operation = this.running.startWrite(resource, kind, style, exchange, apiVersion);
    const word = style.word ?? (kind === 'create' ? 'Creating' : 'Updating');
    if (done !== '') setState(resource, word);
    const headers =
      poll === 'body' ? {} : this.running.pollHeaders(operation, { poll }, style, path, exchange, context.now);
    const started = startedBody(style.body, path, context.now) ?? this.resources.view(resource);
    const body = style.body === 'empty' ? {} : { body: started };
    return { status: style.status, headers: { ...location, ...headers, ...etagOf(resource, behaviour) }, ...body };
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
      // A PUT replaces all children: those that it does not name are deleted. A PATCH without the member keeps them.
      const items = at(request['properties'], member) ?? (exchange.method === 'PATCH' ? undefined : []);
      if (!Array.isArray(items)) continue;
      const wanted = new Set<string>();
      for (const item of items.filter(isObject)) {
        const id = `${parent.id}/${childType}/${stringOf(item['name'])}`;
        wanted.add(id.toLowerCase());
        const before = this.resources.find(id);
        if (before && [requestedOf(before), this.resources.view(before)].some((content) => sameContent(content, item)))
          continue;
        const child = { ...exchange, method: 'PUT', body: Buffer.from(JSON.stringify(item)), headers: {} };
        this.write(parsePath(id), child, caller, apiVersion, true);
      }
      for (const child of this.resources.list(`${parent.type}/${childType}`, parent.id)) {
        const resource = this.resources.find(stringOf(child['id']));
        if (resource && !wanted.has(resource.id.toLowerCase())) this.resources.drop(resource);
      }
    }
  }
}
