/** Schemas with rules in CEL, and the causes of a refusal. */

import type { OpenApiSchema, Unstructured } from '../../../../../sandbox/kube/model/types.ts';
import { CelRules } from '../../../../../sandbox/kube/schema/cel/cel-rules.ts';
import { compileSchema } from '../../../../../sandbox/kube/schema/index.ts';

export const text: OpenApiSchema = { type: 'string' };
export const rules = (...list: (string | OpenApiSchema)[]): OpenApiSchema => ({
  'x-kubernetes-validations': list.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
export const spec = (properties: Record<string, OpenApiSchema>, more: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
export const causes = (schema: OpenApiSchema, value: unknown, old?: unknown) =>
  compileSchema(schema)
    .validate(
      { metadata: { name: 'n' }, spec: value } as Unstructured,
      old === undefined ? undefined : ({ metadata: { name: 'n' }, spec: old } as Unstructured),
    )
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
export const problems = (schema: OpenApiSchema) => new CelRules(schema).problems;
