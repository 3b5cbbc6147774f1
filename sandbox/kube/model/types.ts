/**
 * The types of the embedded Kubernetes API, shared by its server (this folder) and the pure functions over objects and
 * schemas (`schema/`). The functions in `schema/` do no I/O and keep no reference to their arguments; functions that
 * return an object return a new one unless their docstring names an exception.
 */

import type { Json, JsonObject } from '../../json.ts';

export type { Json, JsonObject };

/** Any object as the API transfers it. */
export type Unstructured = {
  // biome-ignore lint/suspicious/noExplicitAny: objects of kinds that are unknown at compile time
  [member: string]: any;
};

/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  /** RFC 3339 with whole seconds. */
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: JsonObject;
  /** '' or absent for the main resource. */
  subresource?: string;
}

/** One entry of `status.details.causes`. `field` is a path such as `spec.containers[0].name`. */
export interface Cause {
  /**
   * `FieldValueInvalid`, `FieldValueRequired`, `FieldValueNotSupported`, `FieldValueDuplicate`,
   * `FieldValueTypeInvalid`, ...
   */
  reason: string;
  /** The API server's message without the field (`Invalid value: "x": must be ...`). */
  message: string;
  field: string;
}

/** An OpenAPI v3 structural schema as it appears in a CRD, with the `x-kubernetes-*` extensions. */
export type OpenApiSchema = JsonObject;

/** A schema, ready for pruning, defaulting and validation. */
export interface CompiledSchema {
  /** The source schema. */
  readonly source: OpenApiSchema;
  /**
   * Removes unknown members from `object` IN PLACE and returns their paths (`spec.foo`, `spec.items[0].bar`), for
   * field validation. `apiVersion`, `kind` and `metadata` of the root (and of embedded resources) always stay.
   */
  prune(object: Unstructured): string[];
  /** Sets defaults IN PLACE (a null where the schema has a default and is not nullable counts as absent). */
  applyDefaults(object: Unstructured): void;
  /** Structural and CEL rules. With `old`, transition rules (`oldSelf`) too. Empty = valid. */
  validate(object: Unstructured, old?: Unstructured): Cause[];
}

/** How a schema is compiled. */
export interface CompileOptions {
  /** The CRD's `preserveUnknownFields`, or a built-in kind that keeps unknown fields. @default false */
  readonly preserveUnknown?: boolean | undefined;
}

/** Compiles a structural schema. Leaves out CEL rules that do not compile. */
export type CompileSchema = (schema: OpenApiSchema, options?: CompileOptions) => CompiledSchema;

/** JSON Patch, JSON merge patch or strategic merge patch. */
export type PatchKind = 'json' | 'merge' | 'strategic';

/**
 * Thrown by `applyPatch` and `serverSideApply` for an invalid patch. The server turns it into a Status: `malformed`
 * 400 BadRequest, `unprocessable` 422 Invalid (a JSON patch whose `test` fails or whose path is missing),
 * `unsupported` 415 UnsupportedMediaType (a strategic merge patch without a schema that has merge keys).
 */
export class PatchError extends Error {
  readonly problem: 'malformed' | 'unprocessable' | 'unsupported';

  constructor(problem: 'malformed' | 'unprocessable' | 'unsupported', message: string) {
    super(message);
    this.name = 'PatchError';
    this.problem = problem;
  }
}

/**
 * Returns the patched copy of `live`. `patch` is an array for 'json'. `schema` has `x-kubernetes-patch-*` for
 * 'strategic'.
 */
export type ApplyPatch = (kind: PatchKind, live: Unstructured, patch: unknown, schema?: OpenApiSchema) => Unstructured;

/** A server-side apply. */
export interface ApplyRequest {
  /** The stored object; undefined when the apply creates it. */
  readonly live: Unstructured | undefined;
  readonly applied: Unstructured;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  /** '' for the main resource. */
  readonly subresource: string;
  readonly schema: OpenApiSchema | undefined;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /**
   * Top-level members that this endpoint ignores: `['status']` for the main resource of a kind with a status
   * subresource.
   */
  readonly ignored?: readonly string[];
}

/** A field that another manager owns with another value. */
export interface ApplyConflict {
  /** The manager that owns the field, as the API server prints it: `"kubectl" using v1`. */
  readonly manager: string;
  /** `.spec.replicas`. */
  readonly field: string;
}

/** The merged object with its `metadata.managedFields`, or the fields that other managers own with other values. */
export type ApplyOutcome = { readonly object: Unstructured } | { readonly conflicts: readonly ApplyConflict[] };

/** Applies a configuration; see apply/server-side-apply.ts. */
export type ServerSideApply = (request: ApplyRequest) => ApplyOutcome;

/** An update or patch after which fields get an owner. */
export interface TrackRequest {
  /** The stored object, undefined for a create. */
  readonly before: Unstructured | undefined;
  readonly after: Unstructured;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly operation: 'Update';
  readonly schema: OpenApiSchema | undefined;
  readonly now: string;
}

/** The managed fields of `after`, given those of `before` and the changes of the request. */
export type TrackUpdate = (request: TrackRequest) => ManagedFieldsEntry[];

/** A subresource in discovery. */
export interface Subresource {
  /** `status`, `scale`, `token`, `binding`, `log`, `eviction`, `finalize`. */
  readonly name: string;
  /** Kind in discovery; the parent's kind when absent. */
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A kind that is built into the API server. One entry per served version. */
export interface BuiltinType {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly schema: OpenApiSchema;
  /** Keeps unknown fields where the schema is not complete. @default false */
  readonly preserveUnknown?: boolean;
}

/** One served kind, built in or from a CRD, as the OpenAPI documents need it. */
export interface OpenApiDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schema: OpenApiSchema;
  readonly subresources: readonly Subresource[];
}

/** Builds the OpenAPI v2 document of the kinds. */
export type OpenApiV2 = (definitions: readonly OpenApiDefinition[]) => JsonObject;
/** The same document as `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`. */
export type OpenApiV2Protobuf = (definitions: readonly OpenApiDefinition[]) => Uint8Array;
/** The document of one group version, served at `/openapi/v3/api/v1` or `/openapi/v3/apis/<group>/<version>`. */
export type OpenApiV3 = (
  groupVersion: { readonly group: string; readonly version: string },
  definitions: readonly OpenApiDefinition[],
) => JsonObject;

/** The exports of `schema/index.ts`, each under its own name. */
export interface SchemaFunctions {
  readonly compileSchema: CompileSchema;
  readonly applyPatch: ApplyPatch;
  readonly serverSideApply: ServerSideApply;
  readonly trackUpdate: TrackUpdate;
  readonly builtinTypes: readonly BuiltinType[];
  readonly openApiV2: OpenApiV2;
  readonly openApiV2Protobuf: OpenApiV2Protobuf;
  readonly openApiV3: OpenApiV3;
}
