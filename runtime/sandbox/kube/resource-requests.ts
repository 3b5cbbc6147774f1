import type { IncomingMessage } from 'node:http';
import type { User } from './authentication.ts';
import { decodeObject, decodePatch, mediaType } from './encoding.ts';
import { list } from './lists.ts';
import { immortalNamespaces } from './namespaces.ts';
import type { Accepted } from './negotiation.ts';
import type { DeleteRequest, Objects, Target, WriteContext } from './objects.ts';
import type { RequestInfo } from './request-info.ts';
import { groupVersion, present, type Resource } from './resource.ts';
import type { Reply } from './respond.ts';
import { type ReviewContext, reviews } from './reviews.ts';
import { selection } from './selection.ts';
import {
  badRequest,
  forbidden,
  invalidOptions,
  methodNotAllowed,
  noSuchResource,
  StatusError,
  unsupportedMediaType,
} from './status.ts';
import { bindPod, evictPod, finalizeNamespace, requestToken, rescale, scaleOf } from './subresources.ts';
import { partial, tableOf } from './table.ts';
import type { TokenIssuer } from './tokens.ts';
import type { Unstructured } from './types.ts';

export interface ResourceRequest {
  readonly info: RequestInfo & { readonly resource: NonNullable<RequestInfo['resource']> };
  readonly resource: Resource;
  readonly accepted: Accepted;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly user: User;
  readonly warnings: string[];
}

const patchKinds = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
} as const;
const applyType = 'application/apply-patch+yaml';

/** Answers every verb but WATCH on resources and their subresources. */
export class ResourceRequests {
  readonly #objects: Objects;
  readonly #issuer: TokenIssuer;
  readonly #review: Omit<ReviewContext, 'user' | 'namespace'>;

  constructor(objects: Objects, issuer: TokenIssuer, review: Omit<ReviewContext, 'user' | 'namespace'>) {
    this.#objects = objects;
    this.#issuer = issuer;
    this.#review = review;
  }

  handle(request: ResourceRequest): Reply {
    const { info, resource } = request;
    const { namespace, name, subresource } = info.resource;
    if (resource.namespaced && name && !namespace) throw noSuchResource();
    if (subresource && !resource.subresources.some((one) => one.name === subresource)) throw noSuchResource();
    const target = { resource, namespace: resource.namespaced ? namespace : '', name, subresource };
    if (subresource && subresource !== 'status') return this.#subresource(request, target);
    if (Object.hasOwn(reviews, resource.plural) && info.verb === 'create') return this.#answerReview(request);
    if (!subresource && !resource.verbs.includes(info.verb)) throw methodNotAllowed();
    switch (info.verb) {
      case 'get':
        return this.#shown(request, 200, this.#objects.get(target));
      case 'list':
        return this.#list(request, target);
      case 'create':
        return this.#create(request, target);
      case 'update': {
        const body = this.#decode(request);
        const { object, created } = this.#objects.update(target, body, this.#context(request, 'UpdateOptions'));
        return this.#shown(request, created ? 201 : 200, object);
      }
      case 'patch':
        return this.#patch(request, target);
      case 'delete':
        return this.#delete(request, target);
      case 'deletecollection':
        return this.#deleteCollection(request, target);
      default:
        throw methodNotAllowed();
    }
  }

  #list(request: ResourceRequest, target: Target): Reply {
    const { query } = request.info;
    const limit = Number(query.get('limit') ?? 0);
    const selected = this.#selection(request, target);
    const { items, metadata } = list(this.#objects.store, selected, {
      limit: Number.isFinite(limit) ? limit : 0,
      continue: query.get('continue') ?? '',
      resourceVersion: query.get('resourceVersion') ?? '',
      resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    });
    return this.#shownList(request, items, metadata);
  }

  #selection({ info, resource }: ResourceRequest, { namespace }: Target) {
    const { query } = info;
    return selection(
      resource,
      namespace || undefined,
      query.get('labelSelector') ?? '',
      query.get('fieldSelector') ?? '',
    );
  }

  #create(request: ResourceRequest, { resource, namespace, name }: Target): Reply {
    if (name || (resource.namespaced && !namespace)) throw methodNotAllowed();
    const context = this.#context(request, 'CreateOptions');
    return this.#shown(request, 201, this.#objects.create(resource, namespace, this.#decode(request), context));
  }

  #patch(request: ResourceRequest, target: Target): Reply {
    const { info, headers, body, resource } = request;
    const type = mediaType(headers['content-type']);
    const context = this.#context(request, 'PatchOptions');
    const force = info.query.get('force');
    if (type === applyType) {
      if (!info.query.get('fieldManager'))
        throw invalidOptions('PatchOptions', {
          reason: 'FieldValueRequired',
          message: 'Required value: is required for apply patch',
          field: 'fieldManager',
        });
      const applied = decodePatch(body, true);
      if (applied === null || typeof applied !== 'object' || Array.isArray(applied))
        throw badRequest('error decoding YAML: expected an object');
      const { object, created } = this.#objects.apply(target, applied as Unstructured, force === 'true', context);
      return this.#shown(request, created ? 201 : 200, object);
    }
    const kind = patchKinds[type as keyof typeof patchKinds];
    if (!kind || (kind === 'strategic' && resource.custom)) {
      const offered = Object.keys(patchKinds).filter((one) => !resource.custom || !one.includes('strategic'));
      throw unsupportedMediaType([...offered, applyType]);
    }
    if (force !== null)
      throw invalidOptions('PatchOptions', {
        reason: 'FieldValueForbidden',
        message: 'Forbidden: may not be specified for non-apply patch',
        field: 'force',
      });
    return this.#shown(request, 200, this.#objects.patch(target, kind, decodePatch(body, false), context));
  }

  #delete(request: ResourceRequest, target: Target): Reply {
    const { resource, name } = target;
    if (resource.bucket === 'namespaces' && immortalNamespaces.includes(name))
      throw forbidden(resource, name, 'this namespace may not be deleted');
    const { object, gone } = this.#objects.delete(target, this.#deleteRequest(request));
    if (!gone || resource.behaviour.returnsDeleted) return this.#shown(request, 200, object);
    const { uid } = object['metadata'];
    const details = { name, group: resource.group || undefined, kind: resource.plural, uid };
    return { code: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } };
  }

  #deleteCollection(request: ResourceRequest, target: Target): Reply {
    const options = this.#deleteRequest(request);
    const selected = this.#selection(request, target);
    const { items, metadata } = list(this.#objects.store, selected, {
      limit: 0,
      continue: '',
      resourceVersion: '',
      resourceVersionMatch: '',
    });
    for (const item of items) {
      const { namespace = '', name } = item['metadata'];
      try {
        this.#objects.delete({ resource: target.resource, namespace, name }, options);
      } catch (error) {
        if (!(error instanceof StatusError && error.code === 404)) throw error;
      }
    }
    return this.#shownList(request, items, metadata);
  }

  #deleteRequest({ info, body, headers }: ResourceRequest): DeleteRequest {
    const sent = body.length > 0 ? (decodeObject(body, headers['content-type'], 'DeleteOptions') as Unstructured) : {};
    const policy = sent['propagationPolicy'] ?? info.query.get('propagationPolicy') ?? undefined;
    if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy))
      throw invalidOptions('DeleteOptions', {
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: "${policy}": supported values: "Foreground", "Background", "Orphan", "nil"`,
        field: 'propagationPolicy',
      });
    const orphan = sent['orphanDependents'] ?? undefined;
    const dryRun = sent['dryRun'] ?? info.query.getAll('dryRun');
    return {
      propagationPolicy: policy ?? (orphan === true ? 'Orphan' : undefined),
      preconditions: sent['preconditions'] ?? undefined,
      dryRun: checkDryRun(dryRun, 'DeleteOptions'),
    };
  }

  #subresource(request: ResourceRequest, target: Target): Reply {
    const { info, resource } = request;
    const { subresource } = target;
    const created = (body: Unstructured): Reply => ({ code: 201, body });
    if (subresource === 'scale') {
      const current = scaleOf(resource, this.#objects.get(target));
      if (info.verb === 'get') return { code: 200, body: current };
      const context = this.#context(request, info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
      if (info.verb === 'update')
        return { code: 200, body: rescale(this.#objects, target, this.#decode(request, 'Scale'), context) };
      const kind = patchKinds[mediaType(request.headers['content-type']) as keyof typeof patchKinds];
      if (info.verb !== 'patch' || !kind) throw methodNotAllowed();
      const scale = this.#objects.patchPlain(kind, current, decodePatch(request.body, false));
      return { code: 200, body: rescale(this.#objects, target, scale, context) };
    }
    if (subresource === 'log' && info.verb === 'get') {
      this.#objects.get(target);
      return { code: 200, body: '' };
    }
    if (subresource === 'finalize' && info.verb === 'update')
      return { code: 200, body: finalizeNamespace(this.#objects, target, this.#decode(request)) };
    if (info.verb !== 'create') throw methodNotAllowed();
    if (subresource === 'token')
      return created(requestToken(this.#objects, this.#issuer, target, this.#decode(request, 'TokenRequest')));
    if (subresource === 'binding') return created(bindPod(this.#objects, target, this.#decode(request, 'Binding')));
    if (subresource === 'eviction')
      return created(evictPod(this.#objects, target, this.#context(request, 'CreateOptions').dryRun));
    throw methodNotAllowed();
  }

  #answerReview(request: ResourceRequest): Reply {
    const { info, resource, user } = request;
    const body = this.#decode(request) as Unstructured;
    const context = { ...this.#review, user, namespace: info.resource.namespace };
    const status = (reviews[resource.plural] as NonNullable<(typeof reviews)[string]>)(body, context);
    const { kind } = resource;
    return {
      code: 201,
      body: {
        kind,
        apiVersion: groupVersion(resource),
        metadata: { creationTimestamp: null },
        spec: body['spec'],
        status,
      },
    };
  }

  #decode({ body, headers, resource }: ResourceRequest, kind = resource.kind): Unstructured {
    return decodeObject(body, headers['content-type'], kind);
  }

  #context({ info, headers, warnings, user }: ResourceRequest, kind: string): WriteContext {
    const { query } = info;
    const validation = query.get('fieldValidation') || 'Warn';
    if (validation !== 'Ignore' && validation !== 'Warn' && validation !== 'Strict')
      throw invalidOptions(kind, {
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: "${validation}": supported values: "Ignore", "Strict", "Warn"`,
        field: 'fieldValidation',
      });
    const agent = String(headers['user-agent'] ?? '').split('/')[0] || 'unknown';
    return {
      manager: (query.get('fieldManager') || agent).slice(0, 128),
      dryRun: checkDryRun(query.getAll('dryRun'), kind),
      fieldValidation: validation,
      warnings,
      user,
    };
  }

  #shown({ accepted, resource, info }: ResourceRequest, code: number, object: Unstructured): Reply {
    const shown = present(resource, object);
    if (accepted.as === 'Table') {
      const { resourceVersion } = object['metadata'];
      const include = info.query.get('includeObject') ?? 'Metadata';
      return typed(code, accepted, tableOf(resource, [shown], { resourceVersion }, include, this.#objects.clock.now()));
    }
    return accepted.as ? typed(code, accepted, partial(shown)) : { code, body: shown };
  }

  #shownList({ accepted, resource, info }: ResourceRequest, items: Unstructured[], metadata: object): Reply {
    if (accepted.as === 'Table') {
      const include = info.query.get('includeObject') ?? 'Metadata';
      return typed(200, accepted, tableOf(resource, items, metadata, include, this.#objects.clock.now()));
    }
    if (accepted.as) {
      const kind = 'PartialObjectMetadataList';
      return typed(200, accepted, { kind, apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(partial) });
    }
    return { code: 200, body: { kind: resource.listKind, apiVersion: groupVersion(resource), metadata, items } };
  }
}

const typed = (code: number, { as, group, version }: Accepted, body: Unstructured): Reply => ({
  code,
  body,
  contentType: `application/json;as=${as};g=${group};v=${version}`,
});

function checkDryRun(values: readonly string[], kind: string): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => value === 'All')) return true;
  throw invalidOptions(kind, {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: []string{${values.map((value) => `"${value}"`).join(', ')}}: supported values: "All"`,
    field: 'dryRun',
  });
}
