import type { BodyLimits } from '../../base/http/body.ts';
import type { KubeConnection } from '../config/connection.ts';
import { readAnswer } from './answer.ts';
import {
  type Expected,
  expectDeleted,
  expectList,
  expectObject,
  expectSubresource,
  partialMetadata,
  partialMetadataAccept,
} from './expected.ts';
import { collectionPath, namespacePath, objectPath, subjectOf, withQuery } from './paths.ts';
import { isNotFound, type RequestSubject } from './status-error.ts';
import { Transport, type TransportOptions, type TransportRequest } from './transport.ts';
import {
  type ApplyOptions,
  apiVersionOf,
  type DeleteOptions,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ListPage,
  type ObjectKey,
  type Patch,
  type ResourceType,
  type WatchOptions,
  type WriteOptions,
} from './types.ts';
import { watchStream } from './watch.ts';

/** Opens a client on a connection; nothing is sent before the first request. The caller closes it. */
export function createKubeClient(connection: KubeConnection, options: TransportOptions = {}): KubeClient {
  return new HttpKubeClient(new Transport(connection, options));
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML.
  apply: 'application/apply-patch+yaml',
} as const;

type Subresource = { readonly subresource?: string };
type ClientRequest = Omit<TransportRequest, 'subject'> & Pick<BodyLimits, 'maxBytes'>;

class HttpKubeClient implements KubeClient {
  readonly #transport: Transport;
  readonly #listLimits: Pick<BodyLimits, 'maxBytes'>;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#listLimits = transport.answers ? { maxBytes: transport.answers.listBytes } : {};
  }

  async get<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T> {
    return this.#object<T>(
      { subject: subjectOf('get', type, key), type, ...key },
      { method: 'GET', path: objectPath(type, key), ...opt(signal) },
    );
  }

  async tryGet<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await this.get<T>(type, key, signal);
    } catch (error) {
      // A 404 of something in between must not pass for the absence of the object.
      if (isNotFound(error) && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ListPage<T>> {
    const { namespace, labelSelector, fieldSelector, limit = 500, resourceVersion, signal } = options;
    const path = withQuery(collectionPath(type, namespace), {
      labelSelector,
      fieldSelector,
      limit,
      continue: options.continue,
      // A continue token fixes the version; the server refuses both together.
      resourceVersion: options.continue ? undefined : resourceVersion,
    });
    const subject = subjectOf('list', type, { namespace });
    const answer = await this.#send(subject, {
      method: 'GET',
      path,
      ...(options.metadataOnly && { accept: partialMetadataAccept('PartialObjectMetadataList') }),
      ...opt(signal),
      // A single object is read whatever its length, or it would keep the others of its list from being read.
      ...(limit !== 1 && this.#listLimits),
    });
    const { metadataOnly } = options;
    const { items, ...page } = expectList<T>({ subject, type, namespace, metadataOnly }, answer);
    const apiVersion = apiVersionOf(type);
    for (const item of items) {
      // Lists of built-in types leave these two out of their items.
      item.apiVersion ??= apiVersion;
      item.kind ??= type.kind;
    }
    return { ...page, items: metadataOnly ? items.map((item) => partialMetadata(type, item) as T) : items };
  }

  async create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name, generateName } = object.metadata;
    const subject = subjectOf('create', type, { namespace, name: name || generateName });
    return this.#object<T>(
      { subject, type, namespace, name: name || undefined },
      {
        method: 'POST',
        path: withQuery(namespacePath(type, namespace), writeQuery(options)),
        ...json(object),
        ...opt(options.signal),
      },
    );
  }

  async replace<T extends KubeObject>(
    type: ResourceType,
    object: T,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    const { subresource } = options;
    const { name, namespace } = object.metadata;
    const subject = subjectOf('replace', type, object.metadata, subresource);
    return this.#object<T>(
      { subject, type, name, namespace },
      {
        method: 'PUT',
        path: withQuery(objectPath(type, object.metadata, subresource), writeQuery(options)),
        ...json(object),
        ...opt(options.signal),
      },
    );
  }

  async patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    const { subresource } = options;
    const subject = subjectOf('patch', type, key, subresource);
    return this.#object<T>(
      { subject, type, ...key },
      {
        method: 'PATCH',
        path: withQuery(objectPath(type, key, subresource), writeQuery(options)),
        ...json(patch.type === 'json' ? patch.operations : patch.body, patchTypes[patch.type]),
        ...opt(options.signal),
      },
    );
  }

  async apply<T extends KubeObject>(type: ResourceType, object: T, options: ApplyOptions & Subresource): Promise<T> {
    const { subresource, force } = options;
    // The server refuses an applied object that claims to know its field managers.
    const { managedFields: _, ...metadata } = object.metadata;
    const { name, namespace } = metadata;
    const subject = subjectOf('apply', type, metadata, subresource);
    return this.#object<T>(
      { subject, type, name, namespace },
      {
        method: 'PATCH',
        path: withQuery(objectPath(type, metadata, subresource), { ...writeQuery(options), force: force ?? false }),
        ...json({ ...object, metadata }, patchTypes.apply),
        ...opt(options.signal),
      },
    );
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { signal, ...body } = options;
    const subject = subjectOf('delete', type, key);
    const answer = await this.#send(subject, {
      method: 'DELETE',
      path: objectPath(type, key),
      ...json({ apiVersion: 'v1', kind: 'DeleteOptions', ...body }),
      ...opt(signal),
    });
    expectDeleted({ subject, type }, answer);
  }

  async createSubresource<R = unknown>(
    type: ResourceType,
    key: ObjectKey,
    subresource: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<R> {
    const subject = subjectOf('create', type, key, subresource);
    const answer = await this.#send(subject, {
      method: 'POST',
      path: objectPath(type, key, subresource),
      ...json(body),
      ...opt(signal),
    });
    return expectSubresource<R>(subject, body, answer);
  }

  watch<T extends KubeObject>(type: ResourceType, options: WatchOptions) {
    const { namespace, labelSelector, fieldSelector, resourceVersion, timeoutSeconds, idleTimeoutMs, signal } = options;
    return watchStream<T>(this.#transport, {
      subject: subjectOf('watch', type, { namespace }),
      type,
      namespace,
      path: withQuery(collectionPath(type, namespace), {
        watch: true,
        allowWatchBookmarks: true,
        labelSelector,
        fieldSelector,
        resourceVersion,
        timeoutSeconds,
      }),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      ...(options.onOpen && { onOpen: options.onOpen }),
      ...(options.metadataOnly && {
        metadataOnly: true,
        accept: partialMetadataAccept('PartialObjectMetadata'),
        convert: (object: KubeObject) => partialMetadata(type, object),
      }),
      ...opt(signal),
    });
  }

  async raw<R = unknown>(path: string, signal?: AbortSignal): Promise<R> {
    return this.#send<R>({ verb: 'get', resource: path }, { method: 'GET', path, ...opt(signal) });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Sends a request for one object, and returns the object that it asked for. */
  async #object<T extends KubeObject>(expected: Expected, request: ClientRequest): Promise<T> {
    return expectObject<T>(expected, await this.#send(expected.subject, request));
  }

  async #send<R = unknown>(subject: RequestSubject, { maxBytes, ...request }: ClientRequest): Promise<R> {
    const response = await this.#transport.send({ subject, ...request });
    const { answers } = this.#transport;
    const read = Promise.withResolvers<void>();
    const enter = async () => void read.promise.then(await answers?.enter(request.signal));
    try {
      const large = answers && { bytes: answers.largeBytes, enter };
      return (await readAnswer(subject, response, { ...(maxBytes && { maxBytes }), ...(large && { large }) })) as R;
    } catch (error) {
      throw this.#transport.unreachable(subject, error, request.signal);
    } finally {
      read.resolve();
    }
  }
}

function writeQuery({ dryRun, fieldManager }: WriteOptions) {
  return { dryRun: dryRun ? 'All' : undefined, fieldManager };
}

function json(body: unknown, contentType = 'application/json') {
  return { body: JSON.stringify(body), contentType };
}

function opt(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal };
}
