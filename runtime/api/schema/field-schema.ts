import {
  configMapKeySchema,
  referenceExclusion,
  referenceSchema,
  secretKeySchema,
  secretMapSchema,
  wellKnownReferenceExclusion,
  wellKnownReferenceSchema,
} from '../common-schemas.ts';
import { atMostOne, type Exclusion, withExclusions } from '../exclusion.ts';
import type { FieldTree } from '../types.ts';
import type { StructuralSchema, ValueRules } from './structural-schema.ts';

/**
 * Bound of a collection whose items carry CEL rules, so that the API server's cost estimate stays small; far above
 * the limits of Azure. Rules below two collections would still be too dear: those are structural.
 */
export const boundOfRuledCollections = 4096;

const rulesOf = (field: FieldTree): ValueRules => ({
  ...(field.enum && { enum: field.enum }),
  ...(field.pattern !== undefined && { pattern: field.pattern }),
  ...(field.minLength !== undefined && { minLength: field.minLength }),
  ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
  ...(field.minimum !== undefined && { minimum: field.minimum }),
  ...(field.maximum !== undefined && { maximum: field.maximum }),
  ...(field.minItems !== undefined && { minItems: field.minItems }),
  ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
});

/** At most one of these members may be set: a field and its ConfigMap variant, or the members of a oneOf object. */
export function exclusiveMembers(field: FieldTree): string[][] {
  const properties = field.properties ?? {};
  const alternatives = Object.keys(properties).flatMap((name) => {
    const plain = name.replace(/FromConfig$/, '');
    return properties[name]?.type === 'configMap' && plain in properties && plain !== name ? [[plain, name]] : [];
  });
  const oneOf = field.oneOf && Object.keys(properties).length > 1;
  return oneOf ? [...alternatives, Object.keys(properties)] : alternatives;
}

/** Whether the field or anything below it carries a rule across members. */
function isRuled(field: FieldTree | undefined): boolean {
  if (!field) return false;
  if (field.type === 'reference' || field.type === 'wellKnownReference') return true;
  if (field.type === 'object' && exclusiveMembers(field).length > 0) return true;
  return isRuled(field.items) || isRuled(field.values) || Object.values(field.properties ?? {}).some(isRuled);
}

/** The schema of a field and all below it. `collections` counts the arrays and maps above. */
export function fieldSchema(field: FieldTree, collections = 0): StructuralSchema {
  const form: keyof Exclusion = collections < 2 ? 'cel' : 'structural';
  switch (field.type) {
    case 'object': {
      const properties = Object.entries(field.properties ?? {});
      const schema: StructuralSchema = {
        type: 'object',
        ...(field.required && field.required.length > 0 && { required: field.required }),
        properties: Object.fromEntries(properties.map(([name, child]) => [name, fieldSchema(child, collections)])),
      };
      return withExclusions(schema, exclusiveMembers(field).map(atMostOne), form);
    }
    case 'array':
      return {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        ...(collections === 0 && isRuled(field.items) && { maxItems: boundOfRuledCollections }),
        ...rulesOf(field),
        items: fieldSchema(field.items ?? { type: 'any' }, collections + 1),
      };
    case 'map':
      return {
        type: 'object',
        ...(collections === 0 && isRuled(field.values) && { maxProperties: boundOfRuledCollections }),
        additionalProperties: fieldSchema(field.values ?? { type: 'any' }, collections + 1),
      };
    case 'any':
      return { 'x-kubernetes-preserve-unknown-fields': true };
    case 'reference':
      return withExclusions(referenceSchema, [referenceExclusion], form);
    case 'wellKnownReference':
      return withExclusions(wellKnownReferenceSchema, [wellKnownReferenceExclusion], form);
    case 'secret':
      return secretKeySchema;
    case 'secretMap':
      return secretMapSchema;
    case 'configMap':
      return configMapKeySchema;
    default:
      return { type: field.type, ...rulesOf(field) };
  }
}
