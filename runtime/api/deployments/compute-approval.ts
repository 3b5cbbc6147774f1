import type { XStatic } from 'typebox/schema';
import { objectNameSchema } from '../machines/common.ts';
import { machineKind } from '../machines/machine-kind.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

const approvalSpec = {
  type: 'object',
  description: 'Which wave of which run is approved, and by whom. Nothing can change.',
  required: ['approvedBy', 'run', 'wave'],
  properties: {
    approvedBy: {
      type: 'string',
      description: 'User name of whoever creates the object; an admission policy of Azimuth refuses every other name.',
      minLength: 1,
      maxLength: 253,
    },
    note: { type: 'string', description: 'For people: why.', maxLength: 1024 },
    run: { ...objectNameSchema, description: 'Name of the ComputeRun.' },
    wave: { type: 'integer', format: 'int32', description: 'Number of the wave, from 1 on.', minimum: 1, maximum: 50 },
  },
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'an approval cannot change: make another object' }],
} as const satisfies StructuralSchema;
/** The spec of a ComputeApproval. */
export type ComputeApprovalSpec = XStatic<typeof approvalSpec>;

/** A person's consent to go on after a wave; RBAC decides who may create it. */
export const computeApproval = machineKind({
  kind: 'ComputeApproval',
  shortName: 'cappr',
  namespaced: true,
  description: "A person's consent to go on with a ComputeRun after a wave.",
  spec: approvalSpec,
  printerColumns: [
    { name: 'Run', type: 'string', jsonPath: '.spec.run' },
    { name: 'Wave', type: 'integer', jsonPath: '.spec.wave' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
