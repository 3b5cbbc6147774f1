import type { XStatic } from 'typebox/schema';
import { readyColumns } from '../arm-kind.ts';
import { conditionMembers } from '../common-schemas.ts';
import { durationSchema, locationSchema, objectNameSchema } from '../machines/common.ts';
import { machineKind } from '../machines/machine-kind.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { outputsSchema } from './outputs.ts';
import { denySchema, unmanageSchema } from './stack-settings.ts';
import { gateSchema } from './wave-gate.ts';

/** Most locations of a deployment. */
export const maxLocations = 50;
/** Most manifests of a template; each location gets all of them. */
export const maxManifests = 200;
/** Most dependencies between the resources of one location: an object with the progress of the location names all. */
export const maxDependencies = 10_000;
/**
 * Most characters of an ARM template in an object. Azure takes 4 MB. etcd takes 1.5 MB for a whole object, and the goal of a
 * run, which has the text as JSON, 1,000,000 characters.
 */
export const maxTemplateLength = 850_000;
/** Ways that work for a template that is too long for an object or for a goal. */
export const shorterTemplate =
  'minify its JSON, as jq -c does, split it into several deployments, or apply the objects that azimuth convert makes of it';
/** Longer texts are refused without a reason. */
const mostCharacters = 1_400_000;

const parametersSchema = (description: string) =>
  ({
    type: 'object',
    description,
    maxProperties: 256,
    'x-kubernetes-preserve-unknown-fields': true,
  }) as const satisfies StructuralSchema;

const locations = {
  type: 'array',
  description: 'Where the template is deployed, with the parameters of each location.',
  minItems: 1,
  maxItems: maxLocations,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: locationSchema,
      parameters: parametersSchema('Parameters of this location; they replace those of the deployment.'),
    },
  },
} as const satisfies StructuralSchema;

const armTemplate = {
  type: 'object',
  description: 'An ARM template, and the resource group that it is deployed into.',
  required: ['json', 'owner'],
  properties: {
    json: {
      type: 'string',
      description: 'The text of the template.',
      minLength: 2,
      maxLength: mostCharacters,
      'x-kubernetes-validations': [
        {
          rule: `size(self) <= ${maxTemplateLength}`,
          message: `an object takes ${maxTemplateLength} characters of a template: ${shorterTemplate}`,
        },
      ],
    },
    linkedTemplates: {
      type: 'object',
      description:
        'Texts of the templates that templateLink names, by path relative to the template, by URI without its query, or ' +
        'by the id of a template spec.',
      maxProperties: 100,
      additionalProperties: { type: 'string', minLength: 2, maxLength: maxTemplateLength },
    },
    linkedTemplatesFrom: {
      type: 'array',
      description:
        'Where further texts are read, when the deployment changes or a ConfigMap does. linkedTemplates go before them.',
      maxItems: 20,
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        properties: {
          configMap: {
            type: 'object',
            description: 'A ConfigMap of this namespace; its keys are the paths.',
            required: ['name'],
            properties: { name: objectNameSchema },
          },
          oci: {
            type: 'string',
            description:
              "An OCI artefact by digest, registry/repository@sha256:…; the titles of its layers are the paths. The operator's " +
              '--template-registries must name the registry.',
            maxLength: 512,
            pattern: '^[a-z0-9.-]+(:[0-9]{1,5})?(/[a-z0-9][a-z0-9._-]*)+@sha256:[0-9a-f]{64}$',
          },
        },
      },
    },
    managementGroup: {
      type: 'string',
      description: 'Name of the management group of a template for one; a rule for scopes must allow it.',
      pattern: '^[-A-Za-z0-9_.()]{1,90}$',
    },
    owner: {
      type: 'object',
      description: 'The ResourceGroup: an object of this namespace by name, or armId. ${location} may stand in both.',
      minProperties: 1,
      maxProperties: 1,
      properties: {
        armId: { type: 'string', minLength: 1, maxLength: 512 },
        name: { type: 'string', minLength: 1, maxLength: 253 },
      },
    },
  },
} as const satisfies StructuralSchema;

const template = {
  type: 'object',
  description: 'What each location gets: manifests, or an ARM template.',
  minProperties: 1,
  maxProperties: 1,
  properties: {
    arm: armTemplate,
    manifests: {
      type: 'array',
      description: "Manifests of the operator's kinds. ${name} stands for a parameter, ${location} for the location.",
      minItems: 1,
      maxItems: maxManifests,
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
} as const satisfies StructuralSchema;

const strategy = {
  type: 'object',
  description: 'In which order locations are deployed, and what happens after a failure.',
  properties: {
    gate: gateSchema,
    maxUnavailable: {
      type: 'integer',
      format: 'int32',
      description: 'Resources that may be changed, or have failed at it, at once. No limit when absent.',
      minimum: 1,
      maximum: 1000,
    },
    onFailure: {
      type: 'string',
      description:
        'After a failure: Stop (nothing further starts), Continue (only what depends on it is left out), Rollback (the ' +
        'last goal that succeeded is run again). Stop when absent.',
      enum: ['Stop', 'Continue', 'Rollback'],
    },
    parallelism: {
      type: 'integer',
      format: 'int32',
      description: 'Locations that are deployed at the same time. 4 when absent.',
      minimum: 1,
      maximum: maxLocations,
    },
    pauseBetween: { ...durationSchema, description: 'Pause after each wave.' },
    progressDeadline: {
      ...durationSchema,
      description: 'A resource that is not Ready after this time counts as failed. 1h when absent.',
    },
    waves: {
      type: 'array',
      description: 'Locations in waves: a wave starts when the one before has succeeded. Others come in a last wave.',
      maxItems: maxLocations,
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        minItems: 1,
        maxItems: maxLocations,
        items: locationSchema,
      },
    },
  },
} as const satisfies StructuralSchema;
/** The strategy of a ComputeDeployment. */
export type DeploymentStrategy = XStatic<typeof strategy>;

const deploymentSpec = {
  type: 'object',
  description: 'A template, its locations, and how it is rolled out.',
  required: ['locations', 'template'],
  properties: {
    actionOnUnmanage: unmanageSchema,
    denySettings: denySchema,
    historyLimit: {
      type: 'integer',
      format: 'int32',
      description: 'Runs that are kept beside the present one and the last one that succeeded. 5 when absent.',
      minimum: 0,
      maximum: 20,
    },
    locations,
    outputs: outputsSchema,
    parameters: parametersSchema('Parameters of all locations.'),
    retry: {
      type: 'string',
      description: 'Any word; a new one starts a run of the same goal again.',
      maxLength: 64,
    },
    serviceAccountName: {
      ...objectNameSchema,
      description:
        'ServiceAccount of this namespace whose rights decide which objects the operator makes, changes and deletes. When ' +
        "absent, the operator's own rights decide; under the multi-tenant profile those of the account default.",
    },
    strategy,
    suspend: { type: 'boolean', description: 'Nothing further is started while true. What is under way goes on.' },
    template,
  },
} as const satisfies StructuralSchema;
/** The spec of a ComputeDeployment. */
export type ComputeDeploymentSpec = XStatic<typeof deploymentSpec>;

const deploymentStatus = {
  type: 'object',
  description: 'The present run in short; its ComputeRun has the rest.',
  properties: {
    ...conditionMembers,
    goalHash: { type: 'string', description: 'Hash of the goal of the present run.' },
    locations: { type: 'string', description: 'Locations that have succeeded, such as 2/3.' },
    percent: { type: 'integer', format: 'int32', description: 'Blocks of the present run that have succeeded.' },
    run: { type: 'string', description: 'Name of the present ComputeRun.' },
    state: { type: 'string', description: 'State of the present run.' },
    succeededRun: { type: 'string', description: 'Name of the last ComputeRun that succeeded.' },
  },
} as const satisfies StructuralSchema;
/** The status of a ComputeDeployment. */
export type ComputeDeploymentStatus = XStatic<typeof deploymentStatus>;

/** A template that the operator deploys into several locations. */
export const computeDeployment = machineKind({
  kind: 'ComputeDeployment',
  shortName: 'cdep',
  namespaced: true,
  description: 'Deploys a template of resources into several locations, in waves.',
  spec: deploymentSpec,
  status: deploymentStatus,
  printerColumns: [
    { name: 'Run', type: 'string', jsonPath: '.status.run' },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Locations', type: 'string', jsonPath: '.status.locations' },
    { name: 'Percent', type: 'integer', jsonPath: '.status.percent' },
    ...readyColumns,
  ],
});
