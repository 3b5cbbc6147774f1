import { type Problem, problem } from './problem.ts';
import { celProblems } from './schema/cel-rules.ts';
import { metadataSchema, structuralProblems } from './schema/structural-rules.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';
import type { KindDefinition } from './types.ts';

/** Options of the validation of an object by its kind's schema. */
export interface ValidateOptions {
  /** The object as it was: transition rules count too. */
  readonly old?: object;
  /**
   * Whether members that the schema does not know are problems. The API server drops them in silence, unless a client
   * asks for strict field validation.
   * @default false
   */
  readonly strict?: boolean;
}

const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function typeMetaProblems(kind: KindDefinition, object: Record<string, unknown>): Problem[] {
  const { apiVersion, kind: name, metadata } = object;
  const problems: Problem[] = [];
  const versions = kind.versions.map((version) => `${kind.group}/${version.name}`);
  if (!versions.includes(String(apiVersion))) problems.push(problem('apiVersion', versions.join(' or '), apiVersion));
  if (name !== kind.kind) problems.push(problem('kind', kind.kind, name));
  problems.push(...structuralProblems(metadataSchema, metadata ?? {}, { strict: false, path: 'metadata' }));
  if (problems.some(({ path }) => path.startsWith('metadata'))) return problems;
  const meta = (metadata ?? {}) as Record<string, unknown>;
  if (meta['name'] === undefined && meta['generateName'] !== undefined) return problems;
  const given = meta['name'];
  if (typeof given !== 'string' || given.length > 253 || !dnsSubdomain.test(given)) {
    problems.push(problem('metadata.name', 'a lower-case RFC 1123 name of at most 253 characters', given));
  }
  return problems;
}

/**
 * Validates an object as the API server does when it is created, or with `old` updated: type, name, schema, and, when
 * these are right, the CEL rules. Does not check the format of labels and namespace.
 *
 * @returns every problem, empty when the API server would take the object
 */
export function validate(kind: KindDefinition, object: unknown, options: ValidateOptions = {}): Problem[] {
  if (object === null || typeof object !== 'object' || Array.isArray(object)) return [problem('', 'an object', object)];
  const problems = typeMetaProblems(kind, object as Record<string, unknown>);
  const { apiVersion: _, kind: __, metadata: ___, ...content } = object as Record<string, unknown>;
  problems.push(...structuralProblems(kind.schema, content, { strict: options.strict ?? false }));
  return problems.length > 0 ? problems : celProblems(kind.schema, object, options.old);
}

/** The same for a value below an object, such as a spec. Without transition rules. */
export function validateValue(schema: StructuralSchema, value: unknown, path = ''): Problem[] {
  const problems = structuralProblems(schema, value, { strict: false, path });
  return problems.length > 0 ? problems : celProblems(schema, value, undefined, path);
}
