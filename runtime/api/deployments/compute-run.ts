import type { XStatic } from 'typebox/schema';
import { conditionMembers } from '../common-schemas.ts';
import { locationSchema, objectNameSchema } from '../machines/common.ts';
import { machineKind } from '../machines/machine-kind.ts';
import type { CelRule, StructuralSchema } from '../schema/structural-schema.ts';
import { maxDependencies, maxLocations } from './compute-deployment.ts';
import { gateStatusSchema } from './wave-gate.ts';

/** Most characters of a persisted goal. */
export const maxGoalLength = 1_000_000;

/** Most characters of a message and of a reason in a block: a location has up to a thousand of them. */
export const maxBlockText = 240;
/** Most characters of the key of an object: `VirtualMachine.compute.azure.com/web`. */
export const maxKeyLength = 512;
/** Most characters of the hash of a manifest. */
export const maxHashLength = 64;
/** Most characters of the name of a run. */
export const maxRunName = 253;
/** Most dependencies in the blocks of a location: those of its goal, and of the goal before. */
export const maxBlockDependencies = 2 * maxDependencies;

/** States of a run. The last five are final. */
export const runStates = [
  'Pending',
  'Running',
  'Paused',
  'Suspended',
  'Succeeded',
  'Failed',
  'Cancelled',
  'Superseded',
  'Refused',
] as const;
/** State of a run. */
export type RunState = (typeof runStates)[number];

/** Severity of the Ready condition of a run in each state; undefined where Ready is True, as nobody has to act. */
export const runSeverity: Readonly<Record<RunState, 'Info' | 'Warning' | 'Error' | undefined>> = {
  Pending: 'Info',
  Running: 'Info',
  Paused: 'Warning',
  Suspended: 'Warning',
  Succeeded: undefined,
  Superseded: undefined,
  Failed: 'Error',
  Cancelled: 'Error',
  Refused: 'Error',
};

/** States of a location of a run. Stopped: the run ended before all of its blocks had started. */
export const locationStates = ['Pending', 'Running', 'Succeeded', 'Failed', 'Stopped'] as const;
/** State of a location of a run. */
export type LocationState = (typeof locationStates)[number];

/** States of a block: the work for one resource. */
export const blockStates = ['Waiting', 'Ready', 'Running', 'Succeeded', 'Failed', 'Skipped'] as const;
/** State of a block. */
export type BlockState = (typeof blockStates)[number];

/** Pipelines, in the order in which a location is shown. */
export const pipelines = ['network', 'secrets', 'vm', 'scaleSet', 'other'] as const;
/** Pipeline of a block. */
export type PipelineName = (typeof pipelines)[number];

const moment = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const satisfies StructuralSchema;
const text = (description: string) => ({ type: 'string', description }) as const satisfies StructuralSchema;
const shortText = (description: string, maxLength: number) =>
  ({ type: 'string', description, maxLength }) as const satisfies StructuralSchema;
const percent = {
  type: 'integer',
  format: 'int32',
  description: 'Blocks that have succeeded, of all.',
} as const satisfies StructuralSchema;

const runSpec = {
  type: 'object',
  description: 'What is run. All but cancel is fixed.',
  required: ['deployment'],
  properties: {
    cancel: { type: 'boolean', description: 'Ends the run: nothing further is started. What is under way goes on.' },
    deployment: { ...objectNameSchema, description: 'Name of the ComputeDeployment, in the same namespace.' },
    goal: {
      type: 'string',
      description: 'JSON of the goal: template, locations, parameters. The operator writes it.',
      maxLength: maxGoalLength,
    },
    goalOf: {
      ...objectNameSchema,
      description: 'Name of an earlier ComputeRun of the deployment whose goal is run again.',
    },
    location: { ...locationSchema, description: 'Only in the runs of single locations, which the operator makes.' },
  },
} as const satisfies StructuralSchema;
/** The spec of a ComputeRun. */
export type ComputeRunSpec = XStatic<typeof runSpec>;

const location = {
  type: 'object',
  description: 'What happened in a location.',
  required: ['location', 'state'],
  properties: {
    endedAt: moment('When its last block ended.'),
    location: text('The location.'),
    message: text('Why it failed.'),
    percent,
    reason: text('Reason of the first block that failed.'),
    run: text('Name of the ComputeRun with the blocks of this location.'),
    startedAt: moment('When its first block started.'),
    state: { type: 'string', enum: locationStates, description: 'State of the location.' },
    wave: { type: 'integer', format: 'int32', description: 'Number of its wave, from 1 on.' },
  },
} as const satisfies StructuralSchema;
/** Status of a location. */
export type LocationStatus = XStatic<typeof location>;

const block = {
  type: 'object',
  description: 'What is done for one resource.',
  required: ['pipeline', 'resource', 'state'],
  properties: {
    action: { type: 'string', enum: ['Create', 'Modify', 'Delete'], description: 'What was done last.' },
    after: {
      type: 'array',
      description: 'Resources that it depends on.',
      'x-kubernetes-list-type': 'atomic',
      maxItems: maxBlockDependencies,
      items: { type: 'string', maxLength: maxKeyLength },
    },
    generation: {
      type: 'integer',
      format: 'int64',
      description: 'Generation of the object as it was applied. An object of another one is applied again.',
    },
    hash: shortText('Hash of the manifest that was applied last.', maxHashLength),
    // One character more, for the sign that the text is cut.
    message: shortText('Why it failed, or what it waits for.', maxBlockText + 1),
    outcome: {
      type: 'string',
      enum: ['Pending', 'Running', 'Succeeded', 'Failed'],
      description: 'How the last action ended.',
    },
    pipeline: { type: 'string', enum: pipelines, description: 'Pipeline of the block.' },
    reason: shortText("Reason of the object's Ready condition.", maxBlockText),
    resource: shortText('Kind, group and name: VirtualMachine.compute.azure.com/web.', maxKeyLength),
    run: shortText('Name of the run that started the last action.', maxRunName),
    since: moment('When the last action started or ended.'),
    state: { type: 'string', enum: blockStates, description: 'State of the block.' },
  },
} as const satisfies StructuralSchema;
/** Status of a block: the work for one resource. */
export type BlockStatus = XStatic<typeof block>;

const runStatus = {
  type: 'object',
  description: 'The progress of the run.',
  properties: {
    blocks: {
      type: 'array',
      description: 'Blocks of a run of one location.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['resource'],
      items: block,
    },
    ...conditionMembers,
    endedAt: moment('When it came to its final state.'),
    gates: {
      type: 'array',
      description: 'The gates that the run has come to.',
      maxItems: maxLocations,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['wave'],
      items: gateStatusSchema,
    },
    goalHash: text('Hash of the goal.'),
    locations: {
      type: 'array',
      description: 'Each location.',
      maxItems: maxLocations,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['location'],
      items: location,
    },
    message: text('What the run waits for, or why it ended.'),
    number: { type: 'integer', format: 'int64', description: 'Number of the run, from 1 on.' },
    operationId: text('Id of the operation, for clients that poll it.'),
    percent,
    reason: text('Why the run was made: GoalChanged, Retry, Rollback, Requested.'),
    startedAt: moment('When it started.'),
    state: { type: 'string', enum: runStates, description: 'State of the run.' },
    templateHash: text(
      'SHA-256 of the text of template.arm.json, as sha256sum prints it for the file, or of template.manifests as JSON.',
    ),
  },
} as const satisfies StructuralSchema;
/** The status of a ComputeRun. */
export type ComputeRunStatus = XStatic<typeof runStatus>;

const stays = (member: string): CelRule => ({
  rule: `has(self.${member}) ? has(oldSelf.${member}) && self.${member} == oldSelf.${member} : !has(oldSelf.${member})`,
  message: `${member} cannot change: make another ComputeRun`,
});

/** One run of a ComputeDeployment: its goal and its progress. */
export const computeRun = machineKind({
  kind: 'ComputeRun',
  shortName: 'crun',
  categories: ['azimuth'],
  namespaced: true,
  description: 'A run of a ComputeDeployment: the persisted goal, and how far it has come.',
  spec: {
    ...runSpec,
    'x-kubernetes-validations': [
      {
        rule: 'self.deployment == oldSelf.deployment',
        message: 'deployment cannot change: make another ComputeRun',
      },
      stays('goal'),
      stays('goalOf'),
      stays('location'),
      {
        rule: '!has(oldSelf.cancel) || !oldSelf.cancel || (has(self.cancel) && self.cancel)',
        message: 'a cancelled run stays cancelled: make another ComputeRun with goalOf',
      },
    ],
  } as StructuralSchema,
  status: runStatus,
  printerColumns: [
    { name: 'Deployment', type: 'string', jsonPath: '.spec.deployment' },
    { name: 'Location', type: 'string', jsonPath: '.spec.location' },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Percent', type: 'integer', jsonPath: '.status.percent' },
    { name: 'Reason', type: 'string', jsonPath: '.status.reason' },
    { name: 'Message', type: 'string', jsonPath: '.status.message' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});
