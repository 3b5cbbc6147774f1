import { expected } from '../../base/errors.ts';
import type { RequestSubject } from './status-error.ts';
import type { ObjectKey, ResourceType } from './types.ts';

/** Query parameters; undefined and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `/api/v1/namespaces/{ns}/{plural}` or `/apis/{group}/{version}/...`; all namespaces when `namespace` is absent. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope = type.namespaced && namespace ? `/namespaces/${segment('namespace', namespace)}` : '';
  return `${root}${scope}/${type.plural}`;
}

/**
 * The path of one object. Throws AZ_CONFIG_INVALID for a missing name or namespace, which would turn the request into
 * one about the whole collection.
 */
export function objectPath(type: ResourceType, key: ObjectKey, subresource?: string): string {
  const path = `${namespacePath(type, key.namespace)}/${segment('metadata.name', key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** The collection that an object of this namespace is created in. Throws AZ_CONFIG_INVALID without a namespace. */
export function namespacePath(type: ResourceType, namespace: string | undefined): string {
  if (type.namespaced && !namespace) {
    throw expected('metadata.namespace', `the namespace of a ${type.kind}`, namespace);
  }
  return collectionPath(type, namespace);
}

/** A path with its query; members without a value or with an empty one are left out. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

/** The subject of a request, for errors and metrics. */
export function subjectOf(
  verb: string,
  type: ResourceType,
  key: { readonly namespace?: string | undefined; readonly name?: string | undefined },
  subresource?: string,
): RequestSubject {
  const resource = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  const object = [type.namespaced ? key.namespace : undefined, key.name].filter(Boolean).join('/');
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...(object === '' ? {} : { object }),
  };
}

/** Names that would change the path are refused, as the API server itself does. */
function segment(what: string, value: string): string {
  if (!value || value === '.' || value === '..' || /[/%]/.test(value)) {
    throw expected(what, 'a name without / and %', value);
  }
  return encodeURIComponent(value);
}
