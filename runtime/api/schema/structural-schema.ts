/**
 * A structural OpenAPI v3 schema: the subset of JSON Schema that a CustomResourceDefinition may carry.
 * @link https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export interface StructuralSchema extends ValueRules {
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-embedded-resource'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
  /** Rules in place of the CEL rules: the `allOf` of a CRD for API servers that have no CEL. */
  readonly withoutCel?: readonly ValueRules[];
}

/** The part of a schema that may stand inside `not` and `oneOf` too: it validates a value and gives it no structure. */
export interface ValueRules {
  readonly format?: 'date-time' | 'int32' | 'int64';
  readonly enum?: readonly (string | number)[];
  /** RE2, unanchored. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueRules>>;
  readonly not?: ValueRules;
  readonly oneOf?: readonly ValueRules[];
  readonly allOf?: readonly ValueRules[];
}

/** One entry of x-kubernetes-validations. A rule that mentions `oldSelf` is evaluated on updates only. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A property's name as CEL rules spell it: keywords and characters outside identifiers are escaped. */
export function celName(property: string): string {
  if (reserved.has(property)) return `__${property}__`;
  return property
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

/** The schema of a member that stands in `properties`: a name such as constructor is none of JavaScript's own. */
export function propertyOf({ properties }: StructuralSchema, name: string): StructuralSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
