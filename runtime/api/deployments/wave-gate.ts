import type { XStatic } from 'typebox/schema';
import { durationSchema } from '../machines/common.ts';
import type { CelRule, StructuralSchema, ValueRules } from '../schema/structural-schema.ts';

/** Most checks of a gate. */
export const maxChecks = 10;

const name = (description: string, maxLength: number) =>
  ({ type: 'string', description, minLength: 1, maxLength }) as const satisfies StructuralSchema;
const bounds = {
  above: { type: 'number', description: 'The value must be greater.' },
  below: { type: 'number', description: 'The value must be less.' },
} as const satisfies Record<string, StructuralSchema>;
const hasBound: CelRule = { rule: 'has(self.above) || has(self.below)', message: 'above or below is needed' };
const hasBoundWithoutCel: readonly ValueRules[] = [
  {
    oneOf: [
      { required: ['above', 'below'] },
      { required: ['above'], not: { required: ['below'] } },
      { required: ['below'], not: { required: ['above'] } },
    ],
  },
];
const url = (description: string) =>
  ({
    type: 'string',
    description: `${description} The operator's --gate-targets must allow its origin.`,
    pattern: '^https?://[^\\s@]+$',
    maxLength: 1024,
  }) as const satisfies StructuralSchema;

const check = {
  type: 'object',
  description: 'One check: a name and one of the others. ${location} in a text stands for each location of the wave.',
  required: ['name'],
  minProperties: 2,
  maxProperties: 2,
  properties: {
    name: { ...name('Name of the check.', 40), pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
    azureMonitor: {
      type: 'object',
      description: 'A metric in Azure of a resource of the deployment.',
      required: ['metric', 'resource'],
      'x-kubernetes-validations': [hasBound],
      withoutCel: hasBoundWithoutCel,
      properties: {
        ...bounds,
        aggregation: {
          type: 'string',
          description: 'How values are put together. Average when absent.',
          enum: ['Average', 'Count', 'Maximum', 'Minimum', 'Total'],
        },
        metric: name('Name of the metric, such as Percentage CPU.', 128),
        resource: {
          type: 'object',
          description: 'An object of the deployment.',
          required: ['kind', 'name'],
          properties: {
            kind: name('Kind and group, such as VirtualMachineScaleSet.compute.azure.com.', 128),
            name: name('Name of the object.', 253),
          },
        },
        window: { ...durationSchema, description: 'The time before now that counts. 5m when absent.' },
      },
    },
    http: {
      type: 'object',
      description: 'A GET that is answered with this status.',
      required: ['url'],
      properties: {
        status: {
          type: 'integer',
          format: 'int32',
          description: 'Any from 200 to 299 when absent.',
          minimum: 100,
          maximum: 599,
        },
        url: url('Address.'),
      },
    },
    job: {
      type: 'object',
      description: 'A Job that succeeds. It is made with the rights of the service account of the deployment.',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          description: 'The spec of a Job of batch/v1.',
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    prometheus: {
      type: 'object',
      description: 'A query whose result, one number, keeps the bounds.',
      required: ['query', 'url'],
      'x-kubernetes-validations': [hasBound],
      withoutCel: hasBoundWithoutCel,
      properties: { ...bounds, query: name('In PromQL.', 2048), url: url('Address of the Prometheus server.') },
    },
  },
} as const satisfies StructuralSchema;

/** What must hold after each wave. */
export const gateSchema = {
  type: 'object',
  description: 'What must hold after each wave before the next one starts, and before the run has succeeded.',
  properties: {
    approval: {
      type: 'boolean',
      description: 'Whether somebody has to create a ComputeApproval for the wave. A rollback waits for none.',
    },
    bakeFor: { ...durationSchema, description: 'How long all resources of the wave are Ready. No time when absent.' },
    checkDeadline: {
      ...durationSchema,
      description: 'Checks start after bakeFor, and are tried until they pass, for so long. 10m when absent.',
    },
    checks: {
      type: 'array',
      description: 'All have to pass once.',
      maxItems: maxChecks,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: check,
    },
  },
} as const satisfies StructuralSchema;
/** The gate of a strategy. */
export type GateSpec = XStatic<typeof gateSchema>;
/** A check of a gate, as the spec has it. */
export type GateCheckSpec = XStatic<typeof check>;

/** The gate of one wave in the status of a run. */
export const gateStatusSchema = {
  type: 'object',
  description: 'The gate after a wave.',
  required: ['state', 'wave'],
  properties: {
    approvedBy: { type: 'string', description: 'Who approved it.' },
    message: { type: 'string', description: 'What it waits for, or why it failed.' },
    state: { type: 'string', enum: ['Waiting', 'Passed', 'Failed'], description: 'State of the gate.' },
    wave: { type: 'integer', format: 'int32', description: 'Number of the wave, from 1 on.' },
  },
} as const satisfies StructuralSchema;
/** Status of the gate of one wave. */
export type GateStatus = XStatic<typeof gateStatusSchema>;
