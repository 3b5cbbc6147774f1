import type { NameRule } from './names.ts';
import type { BuiltinType, Cause, CompiledSchema, Subresource, Unstructured } from './types.ts';

/** A column of `kubectl get`, as a CRD declares it or a built-in kind has it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 = always shown, above = with `-o wide`. */
  readonly priority?: number;
  readonly value: (object: Unstructured) => unknown;
}

/** The differences of a kind from the generic handling. Everything is optional; objects are changed in place. */
export interface Behaviour {
  readonly nameRule?: NameRule;
  /** PUT without metadata.resourceVersion is a conflict. @default true */
  readonly unconditionalUpdate?: boolean;
  /** PUT of a missing object creates it. @default false */
  readonly createOnUpdate?: boolean;
  /** Carries `metadata.generation`, raised with every change outside metadata and status. @default false */
  readonly generation?: boolean;
  /** DELETE answers with the object instead of a Status. @default false */
  readonly returnsDeleted?: boolean;
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: readonly string[];
  readonly columns?: readonly Column[];
  /** Fields the server sets. Runs after defaulting, before validation. `old` is undefined for a create. */
  readonly prepare?: (object: Unstructured, old: Unstructured | undefined) => void;
  readonly validate?: (object: Unstructured, old: Unstructured | undefined) => Cause[];
  /** To and from the stored form, for a kind that is served in two representations. */
  readonly toStorage?: (object: Unstructured) => Unstructured;
  readonly fromStorage?: (object: Unstructured) => Unstructured;
}

/** One served resource in one version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly schema: CompiledSchema;
  /** For built-in kinds, whose unknown members are kept: finds them, to warn. */
  readonly strictSchema?: CompiledSchema | undefined;
  /** From a CRD: strict about apiVersion and kind, no strategic merge patch. */
  readonly custom: boolean;
  /** The store's bucket: the same for all versions of a resource. */
  readonly bucket: string;
  readonly behaviour: Behaviour;
  /** Paths of the replica counts for the `scale` subresource of a CRD. */
  readonly scale?: {
    readonly specReplicasPath: string;
    readonly statusReplicasPath: string;
    readonly labelSelectorPath?: string;
  };
}

/** `apps/v1`; `v1` for the core group. */
export const groupVersion = (resource: { group: string; version: string }) =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** Whether the resource has a status subresource. */
export const hasStatus = (resource: Resource) => resource.subresources.some(({ name }) => name === 'status');

/** The key in the resource's bucket: `namespace/name`, or `name` for cluster-scoped resources. */
export const keyFor = (resource: Resource, namespace: string, name: string) =>
  resource.namespaced ? `${namespace}/${name}` : name;

/** The key of an object, as `keyFor` makes it. */
export const objectKey = (object: Unstructured): string =>
  object['metadata'].namespace ? `${object['metadata'].namespace}/${object['metadata'].name}` : object['metadata'].name;

/** The resource of a built-in type. */
export function builtinResource(
  type: BuiltinType,
  schema: CompiledSchema,
  strictSchema: CompiledSchema | undefined,
  bucket: string,
  behaviour: Behaviour,
): Resource {
  return {
    group: type.group,
    version: type.version,
    plural: type.plural,
    singular: type.singular,
    kind: type.kind,
    listKind: `${type.kind}List`,
    shortNames: type.shortNames,
    categories: type.categories ?? [],
    namespaced: type.namespaced,
    verbs: type.verbs,
    subresources: type.subresources,
    schema,
    strictSchema,
    custom: false,
    bucket,
    behaviour,
  };
}

const stages = ['alpha', 'beta', ''];

/** Orders versions as Kubernetes prefers them: v2, v1, v1beta1, v1alpha1, then others by name. */
export function compareVersions(a: string, b: string): number {
  const parse = (version: string) => /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const rank = (match: RegExpExecArray) => stages.indexOf(match[2] ?? '');
  return rank(right) - rank(left) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

/** The resources that are served now. Custom ones come and go with their CRDs. */
export class Registry {
  readonly #resources = new Map<string, Resource>();
  /** Raised with every change, so that documents derived from it can be kept. */
  generation = 0;

  set(resource: Resource): void {
    this.#resources.set(`${groupVersion(resource)}/${resource.plural}`, resource);
    this.generation += 1;
  }

  /** Removes all versions of the resource kept in `bucket`. */
  removeBucket(bucket: string): void {
    for (const [key, resource] of this.#resources) if (resource.bucket === bucket) this.#resources.delete(key);
    this.generation += 1;
  }

  get(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(`${groupVersion({ group, version })}/${plural}`);
  }

  /** The resource of a kind that a reference names by `apiVersion` and `kind`. */
  byKind(apiVersion: string, kind: string): Resource | undefined {
    return this.all().find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
  }

  /** Any served version of the objects in `bucket`. */
  byBucket(bucket: string): Resource | undefined {
    return this.all().find((resource) => resource.bucket === bucket);
  }

  all(): Resource[] {
    return [...this.#resources.values()];
  }

  /** Groups but the core one, in the order of first registration, versions in order of preference. */
  groups(): { readonly name: string; readonly versions: readonly string[] }[] {
    const groups = new Map<string, Set<string>>();
    for (const { group, version } of this.all()) {
      if (group === '') continue;
      groups.set(group, (groups.get(group) ?? new Set()).add(version));
    }
    return [...groups].map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }));
  }

  inVersion(group: string, version: string): Resource[] {
    return this.all().filter((resource) => resource.group === group && resource.version === version);
  }
}

/** The object as this resource's version shows it. */
export function present(resource: Resource, stored: Unstructured): Unstructured {
  if (resource.behaviour.fromStorage) return resource.behaviour.fromStorage(stored);
  const apiVersion = groupVersion(resource);
  return stored['apiVersion'] === apiVersion ? stored : { ...stored, apiVersion };
}
