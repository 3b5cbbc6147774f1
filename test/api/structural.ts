import type { StructuralSchema } from '../../runtime/api/schema/structural-schema.ts';

/** The API server's limits on the estimated cost of one CEL rule and of all rules of a schema. */
export const ruleCostLimit = 10_000_000;
export const schemaCostLimit = 100_000_000;

export interface Finding {
  readonly problems: string[];
  /** An upper bound of what the API server estimates for the rules, all together. */
  readonly cost: number;
}

const comparable = /^[\sA-Za-z_.0-9()!&|?:=<]+$/;

/**
 * What the API server would find wrong with a schema as it stands in a CRD: that it is not structural, or that its
 * rules are too dear. Each step of a rule costs at most 1, and reading a bounded text for a comparison a tenth of its
 * length; a rule counts as often as it may be applied, which the bounds of the collections above it limit.
 */
export function examine(schema: StructuralSchema, path = 'root', times = 1): Finding {
  const problems: string[] = [];
  let cost = 0;
  const fail = (what: string) => problems.push(`${path}: ${what}`);
  if (!schema.type && !schema['x-kubernetes-preserve-unknown-fields']) fail('has no type');
  if (schema.properties && schema.additionalProperties) fail('has properties and additionalProperties');
  if (schema.type === 'array' && !schema.items) fail('has no items');
  if (schema.properties && schema.type !== 'object') fail('has properties and is no object');
  for (const name of schema.required ?? []) {
    if (!schema.properties?.[name]) fail(`requires ${name}, which is no property`);
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if ((schema['x-kubernetes-list-type'] === 'map') !== keys.length > 0)
    fail('has list keys and is no map, or reversed');
  for (const key of keys) {
    if (!schema.items?.required?.includes(key)) fail(`has a list key ${key} that is not required`);
  }
  for (const { rule } of schema['x-kubernetes-validations'] ?? []) {
    if (!comparable.test(rule.replace(/'[A-Za-z]*'/g, '')))
      fail(`has a rule of a form whose cost is not known: ${rule}`);
    const steps = rule.split(/[^A-Za-z]+/).length;
    const texts = rule.split(/[!=]=/).length - 1;
    const ruleCost = (steps * 2 + texts * 0.1 * 4096) * times;
    if (!(ruleCost < ruleCostLimit)) fail(`has a rule that may cost ${ruleCost}`);
    cost += ruleCost;
  }
  const below = (child: StructuralSchema | undefined, name: string, factor = 1) => {
    if (!child) return;
    const found = examine(child, `${path}${name}`, times * factor);
    problems.push(...found.problems);
    cost += found.cost;
  };
  for (const [name, child] of Object.entries(schema.properties ?? {})) below(child, `.${name}`);
  below(schema.items, '[]', schema.maxItems ?? Number.POSITIVE_INFINITY);
  below(schema.additionalProperties, '{}', schema.maxProperties ?? Number.POSITIVE_INFINITY);
  return { problems, cost };
}
