import type { OpenApiSchema } from '../../../../sandbox/kube/model/types.ts';

/** An object that requires a spec with these properties. */
export const spec = (properties: Record<string, OpenApiSchema>, more: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'object',
  required: ['spec'],
  properties: { spec: { type: 'object', properties, ...more } },
});
