import { type ReviewContext, reviews } from '../access/reviews.ts';
import type { TokenIssuer } from '../access/tokens.ts';
import { undeletableNamespaces } from '../controllers/namespaces.ts';
import { groupVersion } from '../model/resource.ts';
import {
  badRequest,
  forbidden,
  invalidOptions,
  methodNotAllowed,
  noSuchResource,
  StatusError,
  unsupportedMediaType,
} from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import type { Target } from '../model/write-request.ts';
import { bindPod, evictPod, finalizeNamespace, requestToken, rescale, scaleOf } from '../resources/subresources.ts';
import { list } from '../storage/lists.ts';
import type { Objects } from '../storage/objects.ts';
import { selection } from '../storage/selection.ts';
import { decodeObject, decodePatch, mediaType } from './encoding.ts';
import { representList, representObject } from './representations.ts';
import { deleteRequest, type ResourceRequest, writeContext } from './request-options.ts';
import type { Reply } from './respond.ts';

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

  async handle(request: ResourceRequest): Promise<Reply> {
    const { info, resource } = request;
    const { namespace, name, subresource } = info.resource;
    if (resource.namespaced && name && !namespace) throw noSuchResource();
    if (subresource && !resource.subresources.some((one) => one.name === subresource)) throw noSuchResource();
    const target = { resource, namespace: resource.namespaced ? namespace : '', name, subresource };
    if (subresource && subresource !== 'status') return await this.#subresource(request, target);
    if (Object.hasOwn(reviews, resource.plural) && info.verb === 'create') return await this.#answerReview(request);
    if (!subresource && !resource.verbs.includes(info.verb)) throw methodNotAllowed();
    switch (info.verb) {
      case 'get':
        return representObject(request, 200, this.#objects.get(target), this.#objects.clock.now());
      case 'list':
        return this.#list(request, target);
      case 'create':
        return this.#create(request, target);
      case 'update': {
        const body = this.#decode(request);
        const { object, created } = this.#objects.update(target, body, writeContext(request, 'UpdateOptions'));
        return representObject(request, created ? 201 : 200, object, this.#objects.clock.now());
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
    const limit = query.get('limit') || '0';
    if (!/^[-+]?\d+$/.test(limit)) throw badRequest(`strconv.ParseInt: parsing "${limit}": invalid syntax`);
    const selected = this.#selection(request, target);
    const { items, metadata } = list(this.#objects.store, selected, {
      limit: Number(limit),
      continue: query.get('continue') ?? '',
      resourceVersion: query.get('resourceVersion') ?? '',
      resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    });
    return representList(request, items, metadata, this.#objects.clock.now());
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
    const context = writeContext(request, 'CreateOptions');
    return representObject(
      request,
      201,
      this.#objects.create(resource, namespace, this.#decode(request), context),
      this.#objects.clock.now(),
    );
  }

  #patch(request: ResourceRequest, target: Target): Reply {
    const { info, headers, body, resource } = request;
    const type = mediaType(headers['content-type']);
    const context = writeContext(request, 'PatchOptions');
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
      return representObject(request, created ? 201 : 200, object, this.#objects.clock.now());
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
    return representObject(
      request,
      200,
      this.#objects.patch(target, kind, decodePatch(body, false), context),
      this.#objects.clock.now(),
    );
  }

  #delete(request: ResourceRequest, target: Target): Reply {
    const { resource, name } = target;
    if (resource.bucket === 'namespaces' && undeletableNamespaces.includes(name))
      throw forbidden(resource, name, 'this namespace may not be deleted');
    const { object, gone } = this.#objects.delete(target, deleteRequest(request));
    if (!gone || resource.behaviour.returnsDeleted)
      return representObject(request, 200, object, this.#objects.clock.now());
    const { uid } = object['metadata'];
    const details = { name, group: resource.group || undefined, kind: resource.plural, uid };
    return { code: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } };
  }

  #deleteCollection(request: ResourceRequest, target: Target): Reply {
    const options = deleteRequest(request);
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
    return representList(request, items, metadata, this.#objects.clock.now());
  }

  async #subresource(request: ResourceRequest, target: Target): Promise<Reply> {
    const { info, resource } = request;
    const { subresource } = target;
    const created = (body: Unstructured): Reply => ({ code: 201, body });
    if (subresource === 'scale') {
      const current = scaleOf(resource, this.#objects.get(target));
      if (info.verb === 'get') return { code: 200, body: current };
      const context = writeContext(request, info.verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
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
      return created(await requestToken(this.#objects, this.#issuer, target, this.#decode(request, 'TokenRequest')));
    if (subresource === 'binding') return created(bindPod(this.#objects, target, this.#decode(request, 'Binding')));
    if (subresource === 'eviction')
      return created(evictPod(this.#objects, target, writeContext(request, 'CreateOptions').dryRun));
    throw methodNotAllowed();
  }

  async #answerReview(request: ResourceRequest): Promise<Reply> {
    const { info, resource, user } = request;
    const body = this.#decode(request) as Unstructured;
    const context = { ...this.#review, user, namespace: info.resource.namespace };
    const status = await (reviews[resource.plural] as NonNullable<(typeof reviews)[string]>)(body, context);
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
}
