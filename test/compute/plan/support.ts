import type { Plan, PlannedChange } from '../../../runtime/compute/plan/change.ts';
import { offline, type PlanObservation } from '../../../runtime/compute/plan/observation.ts';
import { planChanges } from '../../../runtime/compute/plan/plan-changes.ts';
import { planUnits } from '../../../runtime/compute/plan/plan-units.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
export const uid = 'deployment-uid';

export const group = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name, ...metadata },
  spec: { location: 'westeurope', ...spec },
});
export const network = (name: string, owner: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'network.azure.com/v1api20201101',
  kind: 'VirtualNetwork',
  metadata: { name, ...metadata },
  spec: {
    location: 'westeurope',
    owner: { name: owner },
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    ...spec,
  },
});
export const deployment = (spec: object = {}) => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata: { name: 'shop' },
  spec: {
    locations: [{ name: 'westeurope' }, { name: 'northeurope' }],
    template: {
      manifests: [
        network('net-${location}', 'rg-${location}', { location: '${location}' }),
        group('rg-${location}', { location: '${location}' }),
      ],
    },
    ...spec,
  },
});

/** An object as a cluster has it: with a field manager of all its spec. */
export function stored(manifest: object, metadata: object = {}, manager = 'kubectl'): KubeObject {
  const object = structuredClone(manifest) as KubeObject;
  const fieldsV1 = { 'f:spec': fieldsOf(object['spec']) };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      namespace: 'team',
      generation: 1,
      managedFields: [{ manager, operation: 'Apply', fieldsV1 }],
      ...metadata,
    },
  };
}

function fieldsOf(value: unknown): object {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [`f:${name}`, fieldsOf(member)]));
}

export const owned = (manifest: object, location: string, metadata: object = {}) =>
  stored(
    manifest,
    {
      labels: { 'azimuth.dev/location': location },
      ownerReferences: [{ apiVersion: '', kind: 'ComputeDeployment', name: 'shop', uid, controller: true }],
      ...metadata,
    },
    'azimuth-deployments',
  );
export const storedDeployment = (spec: object = {}) => stored(deployment(spec), { uid });

/** A cluster with these objects in the namespace team, and nothing else. */
export function cluster(...objects: readonly KubeObject[]): PlanObservation {
  const keyOf = ({ apiVersion, kind, metadata }: KubeObject) => {
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    return `${kind}.${group}/${metadata.name}`;
  };
  const byKey = new Map(objects.map((each) => [keyOf(each), each]));
  return {
    object: (namespace, key) => (namespace === 'team' ? byKey.get(key) : undefined),
    ownedBy: (wanted) =>
      objects.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === wanted)),
    managers: new Set(['kubectl', 'kubectl-client-side-apply']),
  };
}

export const plan = (documents: readonly unknown[], observation: PlanObservation = offline): Plan =>
  planChanges(planUnits(documents, { namespace: 'team', now }), observation);
export const actions = ({ changes }: Plan) => changes.map(({ action, key }) => `${action} ${key.split('/')[1]}`);
export const changeOf = ({ changes }: Plan, name: string): PlannedChange => {
  const found = changes.find(({ key }) => key.endsWith(`/${name}`));
  if (!found) throw new Error(`the plan has no ${name}, only ${changes.map(({ key }) => key).join(', ')}`);
  return found;
};
/** Manifests as the documents of one file. */
export const placed = (documents: readonly unknown[]) =>
  documents.map((manifest, index) => ({ manifest, place: `documents[${index}]` }));
