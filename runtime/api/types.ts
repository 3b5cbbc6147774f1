import type { TSchema } from 'typebox';

/** What a served kind is; every CRD, validator, client type and RBAC rule is derived from these. */
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
  readonly schema: TSchema;
  readonly printerColumns: readonly PrinterColumn[];
  readonly statusSubresource: boolean;
  /** Annotations on the CRD itself, such as api-approved.kubernetes.io. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Present for kinds that are Azure resources. */
  readonly arm?: ArmKind;
}

export interface ServedVersion {
  readonly name: string;
  readonly deprecated?: boolean;
}

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
  readonly azureName?: { readonly pattern?: string; readonly minLength?: number; readonly maxLength?: number };
  /** Members of the body outside `properties`. */
  readonly topLevel: readonly string[];
  readonly propertiesFlattened: boolean;
  /** The body has no `properties`. */
  readonly noProperties: boolean;
  readonly deletable: boolean;
  readonly fields: FieldTree;
  readonly secretSource: SecretSource | null;
  readonly operatorSpec: { readonly secrets: readonly string[]; readonly configMaps: readonly string[] };
  readonly softDelete?: unknown;
  readonly errorOverrides: readonly ErrorOverride[];
}

export interface ErrorOverride {
  readonly code: string;
  readonly class: 'retryable' | 'fatal';
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
  /** ARM path inside the parent when it is not the own name; '' = inlined into the parent. */
  readonly arm?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldTree>>;
  readonly items?: FieldTree;
  readonly values?: FieldTree;
  readonly whenAbsent?: 'null' | 'empty';
  readonly as?: 'identityMap';
  readonly oneOf?: boolean;
  readonly enum?: readonly string[];
  readonly [rule: string]: unknown;
}

export interface SecretSource {
  readonly action: { readonly method: string; readonly path: string; readonly apiVersion?: string } | null;
  readonly secrets: Readonly<Record<string, ValueSource>>;
  readonly configMaps?: Readonly<Record<string, ValueSource>>;
  readonly celNames: readonly string[];
}

/** Where an exported value comes from. */
export interface ValueSource {
  readonly from: 'action' | 'status' | 'resourceId' | string;
  readonly path?: string;
  readonly crPath?: string;
  readonly armPath?: string;
  readonly segment?: string;
  readonly [more: string]: unknown;
}
