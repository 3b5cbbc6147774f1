import type { StatusMembers } from './schema/status-schema.ts';
import type { CelRule, StructuralSchema } from './schema/structural-schema.ts';

/** The definition of a served kind; every CRD, validator, client type and RBAC rule is derived from these. */
export interface KindDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Served version names, the first is the stored one; all share one schema (conversion strategy None). */
  readonly versions: readonly ServedVersion[];
  /** One or two sentences in our own words. */
  readonly description: string;
  /** Schema of the whole object without apiVersion, kind, metadata: members `spec`, `status`. */
  readonly schema: StructuralSchema;
  /** Schema of `status` in the versions that do not declare its fields. @default as in `schema` */
  readonly statusOutline?: StructuralSchema;
  readonly printerColumns: readonly PrinterColumn[];
  readonly statusSubresource: boolean;
  /** Annotations on the CRD itself, such as api-approved.kubernetes.io. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Microsoft.Storage/storageAccounts; present for kinds of the catalogue, and known without reading `arm`. */
  readonly armType?: string;
  /** Present for kinds of the catalogue. Their data are read from a file when somebody first asks. */
  readonly arm?: ArmKind;
}

/** A kind under one of its versions, as discovery names it. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A version that a CRD serves. */
export interface ServedVersion {
  readonly name: string;
  readonly deprecated?: boolean;
}

/** A column of `kubectl get` (additionalPrinterColumns). */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean';
  readonly jsonPath: string;
  readonly priority?: number;
  readonly description?: string;
}

/** How an object of a kind becomes an ARM resource. Source: ../shared/cases/operator-catalogue.json and its legend. */
export interface ArmKind {
  /** Microsoft.Storage/storageAccounts */
  readonly armType: string;
  /** api-version sent for objects applied under each served version name. */
  readonly apiVersions: Readonly<Record<string, string>>;
  /** Path template with {placeholders}; the last one is the Azure name. */
  readonly armPath: string;
  readonly scope: 'Location' | 'ResourceGroup' | 'Extension' | 'Tenant';
  readonly owner: { readonly extension: boolean; readonly kinds: readonly string[]; readonly group: string } | null;
  /** Fixed name of a singleton such as `default`. */
  readonly azureNameFixed?: string;
  readonly azureName?: {
    readonly pattern?: string;
    readonly minLength?: number;
    readonly maxLength?: number;
    /** The spec may take the name from a ConfigMap, by `azureNameFromConfig`. */
    readonly fromConfig?: boolean;
  };
  /** Members of the body outside `properties`. */
  readonly topLevel: readonly string[];
  readonly propertiesFlattened: boolean;
  /** The body has no `properties`. */
  readonly noProperties: boolean;
  readonly deletable: boolean;
  /** The type has no GET: a HEAD says whether the resource exists. */
  readonly presence?: 'HEAD';
  /** A request that is sent before the DELETE. */
  readonly beforeDelete?: DeletionStep;
  /** Present where another service than ARM has it: the type and the path are the operator's own names for it. */
  readonly dataPlane?: DataPlane;
  /**
   * The ARM id below which children lie, where it is not that of the resource: a path with the resource's own members
   * in braces, such as `/subscriptions/{properties.subscriptionId}`.
   */
  readonly childScope?: string;
  /** Rules in CEL over the whole object, besides those that follow from the other members. */
  readonly rules?: readonly CelRule[];
  readonly fields: FieldTree;
  /** The declared fields of the status, beside `conditions`. A status may have more. @default only `id` */
  readonly status?: StatusMembers;
  readonly secretSource: SecretSource | null;
  readonly operatorSpec: {
    readonly secrets: readonly string[];
    readonly configMaps: readonly string[];
    /** Further members that only this kind has, such as namingConvention. */
    readonly other?: Readonly<Record<string, FieldTree>>;
  };
  /** Present where the operator can make up an administrator's credentials. */
  readonly generatedCredentials?: GeneratedCredentials;
  /** Present where Azure holds a pair of keys that can be renewed one by one. */
  readonly keyRotation?: KeyRotation;
  readonly softDelete?: SoftDelete;
  readonly errorOverrides: readonly ErrorOverride[];
}

/** The service that has the objects of a kind which is no ARM resource. */
export interface DataPlane {
  readonly service: 'postgresql' | 'mysql' | 'sql' | 'graph';
  /** The object in the words of the service: `A role of PostgreSQL`. */
  readonly summary: string;
  /** The service names its objects: the spec has no `azureName`. @default false */
  readonly namesItself?: boolean;
}

/** How a server takes its administrator. Further content of the Secret is in key-vault-outputs.ts. */
export interface GeneratedCredentials {
  /** Field of the spec with the name to log in with; Azure never changes it. */
  readonly login: string;
  /** Field of the spec that names a Secret with the password. */
  readonly password: string;
  /** Values of `createMode` under which a server has the administrator of another one. */
  readonly notFor: readonly string[];
}

/** A pair of keys that give the same access: each can be renewed while the other is in use. */
export interface KeyRotation {
  /** Renews one key. Path as in ResourceAction. */
  readonly action: ResourceAction;
  readonly primary: readonly KeyRenewal[];
  readonly secondary: readonly KeyRenewal[];
  /** Names of `secretSource.secrets` that are of the primary keys, with the same of the secondary ones. */
  readonly counterparts: Readonly<Record<string, string>>;
}

/** One key to renew: the request's body, and the name of the secret by which one sees that it is new. */
export interface KeyRenewal {
  readonly secret: string;
  readonly body: Readonly<Record<string, string>>;
}

/** Where Azure keeps a deleted resource of the kind. Paths may name {sub}, {name} and {spec.<field>}. */
export interface SoftDelete {
  readonly lookup: {
    readonly method: string;
    readonly path: string;
    readonly apiVersion: string;
    readonly notFound: number;
  };
  readonly purge: {
    readonly method: string;
    readonly path: string;
    readonly apiVersion: string;
    readonly lro: boolean;
  };
  /** Member of the look-up's answer that holds the ARM id the resource had. */
  readonly originalId: string;
}

/**
 * A request that is sent before a DELETE. The path continues the ARM id, or is a whole path with members of the
 * resource in braces; the request is left out while the resource lacks one of them. A 404 counts as done.
 */
export interface DeletionStep extends ResourceAction {
  readonly method: 'POST' | 'DELETE';
  readonly ifMatch?: string;
}

/** How the operator treats one error code of a kind, where that differs from the general table. */
export interface ErrorOverride {
  /** `*` is any code. */
  readonly code: string;
  /** `unchanged` keeps the class of the code and changes only how soon the operator retries. */
  readonly class: 'retryable' | 'fatal' | 'unchanged';
  readonly message?: string;
  readonly match?: 'contains';
  readonly retry?: string;
}

/** One node of a spec's field tree: the type and how it maps to ARM. See the legend of operator-catalogue.json. */
export interface FieldTree {
  readonly type:
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'object'
    | 'array'
    | 'map'
    | 'any'
    | 'reference'
    | 'wellKnownReference'
    | 'secret'
    | 'secretMap'
    | 'configMap';
  /** ARM path inside the parent when it is not the own name; '' = inlined into the parent. `\\.` is a dot of a name. */
  readonly arm?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldTree>>;
  readonly items?: FieldTree;
  readonly values?: FieldTree;
  readonly whenAbsent?: 'null' | 'empty';
  /** A list of {reference} that ARM has as a map from ARM id to {}. */
  readonly as?: 'identityMap';
  /** At most one of the properties may be set. */
  readonly oneOf?: boolean;
  /** The name of this member of a one-of in the status, where ASO v2 has another one than in the spec. */
  readonly inStatus?: string;
  /** The served versions that know this field; all of them when absent. */
  readonly onlyIn?: readonly string[];
  /** Served versions under which an absent collection is not sent, in spite of `whenAbsent`. */
  readonly whenAbsentNotIn?: readonly string[];
  readonly enum?: readonly (string | number)[];
  /** A plain field for the same ARM member, over which this reference has precedence. */
  readonly alternativeTo?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A request that fetches values; `path` is relative to the resource id unless it starts with / or {. */
export interface ResourceAction {
  readonly method: string;
  readonly path: string;
  readonly apiVersion: string;
  /** Azure answers with 202, and the values are the result of an operation. @default false */
  readonly lro?: boolean;
}

/** Where the values of a kind's `operatorSpec.secrets` and `configMaps` come from. */
export interface SecretSource {
  readonly action: ResourceAction | null;
  /** For kinds with one action for each secret, by the secret's name; `action` is null then. */
  readonly actions?: Readonly<Record<string, ResourceAction>>;
  readonly secrets: Readonly<Record<string, ValueSource>>;
  readonly configMaps?: Readonly<Record<string, ValueSource>>;
  /** Names an expression can use as secret.<name>. */
  readonly celNames: readonly string[];
}

/** Where an exported value comes from. */
export interface ValueSource {
  readonly from: 'action' | 'status' | 'resourceId';
  readonly path?: string;
  readonly crPath?: string;
  readonly armPath?: string;
  readonly segment?: string;
  /** How a value that is no string becomes one. */
  readonly as?: string;
  readonly decode?: 'base64';
}
