/**
 * Answers of a Kubernetes API, believed only where they are what the request asked for. A proxy, an API server that
 * starts, or a cache on the way answers 200 with another document; taken for an empty list, it would look as if every
 * object were gone. Each function throws AZ_KUBE_ANSWER, which is retried; messages have no content of the answer.
 */
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { type RequestSubject, subjectText } from './status-error.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from './types.ts';

/** A list as the API server sends it. */
export interface ListDocument<T extends KubeObject> {
  readonly items: T[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** What a request asks for. */
export interface Expected {
  readonly subject: RequestSubject;
  readonly type: ResourceType;
  /** Of one object; undefined where the server chooses it. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Whether the server may send metadata alone. */
  readonly metadataOnly?: boolean | undefined;
}

/** The list of this type: its kind, a resourceVersion, and items that are objects of the type. */
export function expectList<T extends KubeObject>(expected: Expected, answer: unknown): ListDocument<T> {
  const { type, metadataOnly } = expected;
  const list = isObject(answer) ? answer : {};
  const { kind, metadata } = list;
  const what = `a ${type.kind}List`;
  const partial = metadataOnly && kind === 'PartialObjectMetadataList' && list['apiVersion'] === 'meta.k8s.io/v1';
  // API servers write the metadata of no object as null (seen with 1.20).
  const items = partial && list['items'] === null ? [] : list['items'];
  if (!Array.isArray(items))
    throw unexpected(expected, `${what} with items`, `${kindOf(answer)} without a list of items`);
  // A definition may give its list another name; the items of custom resources have their kind.
  const named = kind === `${type.kind}List` || (items.length > 0 && items.every((item) => item?.kind === type.kind));
  if (!partial && (!named || list['apiVersion'] !== apiVersionOf(type))) {
    throw unexpected(expected, what, kindOf(answer));
  }
  const { resourceVersion, continue: more } = isObject(metadata) ? metadata : {};
  if (typeof resourceVersion !== 'string' || resourceVersion === '') {
    throw unexpected(expected, `${what} with a resourceVersion`, 'one without');
  }
  for (const item of items) expectItem(expected, item);
  return { items: items as T[], resourceVersion, continue: typeof more === 'string' && more !== '' ? more : undefined };
}

/** The object of this type, name and namespace. */
export function expectObject<T extends KubeObject>(expected: Expected, answer: unknown): T {
  const { type, name, namespace } = expected;
  if (!isObject(answer) || answer['kind'] !== type.kind || answer['apiVersion'] !== apiVersionOf(type)) {
    throw unexpected(expected, `a ${type.kind} of ${apiVersionOf(type)}`, kindOf(answer));
  }
  const { metadata } = answer;
  const members = isObject(metadata) ? metadata : {};
  if (name !== undefined && members['name'] !== name) {
    throw unexpected(expected, `the object ${name}`, `one with the name ${quoted(members['name'])}`);
  }
  if (name !== undefined && namespace !== undefined && namespace !== '' && type.namespaced) {
    if (members['namespace'] !== namespace) {
      throw unexpected(expected, `an object of ${namespace}`, `one of the namespace ${quoted(members['namespace'])}`);
    }
  }
  return answer as T;
}

/** The answer to a DELETE: the object, or a Status of a success. */
export function expectDeleted({ subject, type }: Expected, answer: unknown): void {
  const { kind, status } = isObject(answer) ? answer : {};
  if (kind === type.kind || (kind === 'Status' && status === 'Success')) return;
  throw unexpected({ subject }, `a ${type.kind} or a Status of a success`, kindOf(answer));
}

/** The answer to a POST of a subresource: a document of the kind that was sent, such as TokenRequest, or a Status of a success. */
export function expectSubresource<R>(subject: RequestSubject, sent: object, answer: unknown): R {
  const { kind: sentKind } = sent as { readonly kind?: unknown };
  const { kind, status } = isObject(answer) ? answer : {};
  const isSuccess = kind === 'Status' && status === 'Success';
  if (sentKind === undefined ? typeof kind === 'string' : kind === sentKind || isSuccess) return answer as R;
  throw unexpected(
    { subject },
    typeof sentKind === 'string' ? `a ${sentKind}` : 'a document with a kind',
    kindOf(answer),
  );
}

/** The object of a watch event. A bookmark has a resourceVersion alone. */
export function expectEventObject(expected: Expected, object: KubeObject, isBookmark: boolean): void {
  const { type, metadataOnly } = expected;
  const { kind, metadata } = object;
  const partial = metadataOnly && kind === 'PartialObjectMetadata';
  if (!partial && kind !== type.kind) throw unexpected(expected, `events of ${type.kind}`, kindOf(object));
  if (!isObject(metadata)) throw unexpected(expected, 'an object with metadata', 'an event without');
  if (!isBookmark) expectItem(expected, object);
}

/**
 * The groups of an APIGroupList, or the resources of the APIResourceList of the version in `path`, such as
 * `/apis/azimuth.dev/v1`. Another document says nothing about types.
 */
export function expectDiscovery(
  path: string,
  kind: 'APIGroupList' | 'APIResourceList',
  answer: unknown,
): readonly JsonObject[] {
  const document = isObject(answer) ? answer : {};
  const list = document['kind'] === kind ? document[kind === 'APIGroupList' ? 'groups' : 'resources'] : undefined;
  if (!Array.isArray(list))
    throw new AzimuthError('AZ_KUBE_ANSWER', `get ${path}: expected an ${kind}, got ${kindOf(answer)}`);
  const version = path.split('/').slice(2).join('/');
  if (kind === 'APIResourceList' && document['groupVersion'] !== version) {
    const got = quoted(document['groupVersion']);
    throw new AzimuthError('AZ_KUBE_ANSWER', `get ${path}: expected the types of ${version}, got those of ${got}`);
  }
  return list.filter(isObject);
}

/** The status of a TokenReview or of a review of access. A review that comes back as it was sent decides nothing. */
export function expectReview({ kind, status }: KubeObject): JsonObject {
  const isDecided = isObject(status) && (kind === 'TokenReview' || typeof status['allowed'] === 'boolean');
  if (isDecided) return status;
  throw new AzimuthError('AZ_KUBE_ANSWER', `create ${kind}: expected a decision in its status, got none`);
}

function expectItem(expected: Expected, item: unknown): void {
  const { type, namespace, metadataOnly } = expected;
  const { kind, apiVersion, metadata } = isObject(item) ? item : {};
  const { name, namespace: objectNamespace } = isObject(metadata) ? metadata : {};
  if (typeof name !== 'string' || name === '') throw unexpected(expected, 'objects with a name', 'one without');
  const partial = metadataOnly && kind === 'PartialObjectMetadata';
  // Several groups have a kind of one name, such as Namespace. Lists leave both out of their items.
  const isOther = (value: unknown, own: string) => value !== undefined && value !== own && !partial;
  if (isOther(kind, type.kind) || isOther(apiVersion, apiVersionOf(type))) {
    throw unexpected(expected, `objects of ${type.kind} of ${apiVersionOf(type)}`, kindOf(item));
  }
  if (!type.namespaced) return;
  if (typeof objectNamespace !== 'string' || objectNamespace === '')
    throw unexpected(expected, 'objects with a namespace', 'one without');
  if (namespace !== undefined && namespace !== '' && objectNamespace !== namespace) {
    throw unexpected(expected, `objects of the namespace ${namespace}`, `one of ${quoted(objectNamespace)}`);
  }
}

function unexpected({ subject }: Pick<Expected, 'subject'>, expected: string, got: string): AzimuthError {
  return new AzimuthError('AZ_KUBE_ANSWER', `${subjectText(subject)}: expected ${expected}, got ${got}`);
}

/** The kind of a document, which is no secret. */
function kindOf(answer: unknown): string {
  if (Array.isArray(answer)) return 'a JSON array';
  const { kind, apiVersion } = isObject(answer) ? answer : {};
  return typeof kind === 'string'
    ? `a document of the kind ${quoted(kind)} (${quoted(apiVersion)})`
    : 'a document without a kind';
}

const quoted = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value);

/** `metadataOnly` as HTTP knows it: `Accept` of a LIST or WATCH; a server without the form sends whole objects. */
export function partialMetadataAccept(form: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
  return `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`;
}

/** The metadata of an object in either form, under the name of its own type. */
export function partialMetadata(type: ResourceType, { metadata }: KubeObject): KubeObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
}
