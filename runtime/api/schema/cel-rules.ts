import { Environment } from '@marcbachmann/cel-js';
import { isObject } from '../../base/json.ts';
import { type Problem, ruleProblem } from '../problem.ts';
import { presentMembers } from './structural-rules.ts';
import { type CelRule, celName, propertyOf, type StructuralSchema } from './structural-schema.ts';

type Program = ReturnType<Environment['parse']>;

const environment = new Environment({ homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn');
const programs = new Map<string, Program>();

/** Rules are parsed when first evaluated, so that importing the kinds costs nothing. */
function programOf(rule: string): Program {
  let program = programs.get(rule);
  if (!program) {
    program = environment.parse(rule);
    programs.set(rule, program);
  }
  return program;
}

/** A JSON value as rules see it: integers and timestamps by the schema's word, members under their CEL names. */
function celValue(schema: StructuralSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => celValue(schema?.items, item));
  if (isObject(value)) {
    return Object.fromEntries(
      presentMembers(schema ?? {}, value).map(([name, member]) => {
        const property = propertyOf(schema ?? {}, name);
        return [property ? celName(name) : name, celValue(property ?? schema?.additionalProperties, member)];
      }),
    );
  }
  if (typeof value === 'string' && schema?.format === 'date-time') return new Date(value);
  if (typeof value === 'number' && (schema?.type === 'integer' || (!schema?.type && Number.isInteger(value)))) {
    return BigInt(value);
  }
  return value;
}

function evaluate({ rule, message }: CelRule, self: unknown, oldSelf: unknown): string | undefined {
  try {
    return programOf(rule)({ self, oldSelf }) === true ? undefined : message;
  } catch (error) {
    return `the rule ${rule} to be applicable: ${error instanceof Error ? error.message : error}`;
  }
}

function* rules(schema: StructuralSchema, value: unknown, old: unknown, path: string): Generator<Problem> {
  if (value === null || value === undefined) return;
  const own = schema['x-kubernetes-validations'] ?? [];
  if (own.length > 0) {
    const self = celValue(schema, value);
    const oldSelf = old === undefined ? undefined : celValue(schema, old);
    for (const rule of own) {
      const onChange = /\boldSelf\b/.test(rule.rule);
      const wrong = onChange && oldSelf === undefined ? undefined : evaluate(rule, self, oldSelf);
      if (wrong !== undefined) yield ruleProblem(path, wrong, value);
    }
  }
  if (Array.isArray(value) && schema.items) {
    // Items of lists without keys have no counterpart in the old object, as for the API server.
    for (const [index, item] of value.entries()) yield* rules(schema.items, item, undefined, `${path}[${index}]`);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const property = propertyOf(schema, name);
      const before = isObject(old) ? old[name] : undefined;
      if (property) yield* rules(property, member, before, path ? `${path}.${name}` : name);
      else if (schema.additionalProperties) {
        yield* rules(schema.additionalProperties, member, before, `${path}[${name}]`);
      }
    }
  }
}

/** Every CEL rule that a structurally valid value breaks; transition rules count when `old` is given. */
export function celProblems(schema: StructuralSchema, value: unknown, old?: unknown, path = ''): Problem[] {
  return [...rules(schema, value, old, path)];
}
