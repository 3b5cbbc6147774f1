import type { StructuralSchema } from '../schema/structural-schema.ts';

const outputTarget = (description: string) =>
  ({
    type: 'object',
    description,
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 253, pattern: '^([-a-z0-9.]|\\$\\{location\\})+$' },
    },
  }) as const satisfies StructuralSchema;

/** `spec.outputs` of a ComputeDeployment. */
export const outputsSchema = {
  type: 'object',
  description:
    'Where the outputs of an ARM template go when a run has succeeded. The names of outputs are the keys; arrays and ' +
    'objects are JSON. ${location} may stand in the names, and must with several locations.',
  minProperties: 1,
  properties: {
    configMap: outputTarget('A ConfigMap of this namespace, for outputs without a secret.'),
    secret: outputTarget('A Secret of this namespace, for secure outputs and those with a secret in their value.'),
  },
} as const satisfies StructuralSchema;
