/** A deployment of scale sets, as the scenarios have it. */
import { expect } from '@jest/globals';
import { types } from '../support.ts';
import { type Place, setType } from './place.ts';

const version = (type: { group: string; version: string }) => `${type.group}/${type.version}`;
const image = { publisher: 'Canonical', offer: 'ubuntu', sku: '22_04-lts' };
/** Without it Azure shows no health of the instances. */
const health = {
  name: 'health',
  publisher: 'Microsoft.ManagedServices',
  type: 'ApplicationHealthLinux',
  typeHandlerVersion: '1.0',
  autoUpgradeMinorVersion: true,
  settings: { protocol: 'tcp', port: 22 },
};

/** A ResourceGroup, a VirtualNetwork and a scale set for each location; the parameter `image` is the version of its image. */
const manifests = [
  {
    apiVersion: version(types.group),
    kind: 'ResourceGroup',
    metadata: { name: '${deployment}-${location}' },
    spec: { location: '${location}' },
  },
  {
    apiVersion: version(types.network),
    kind: 'VirtualNetwork',
    metadata: { name: '${deployment}-net-${location}' },
    spec: {
      location: '${location}',
      owner: { name: '${deployment}-${location}' },
      addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
    },
  },
  {
    apiVersion: version(setType),
    kind: 'VirtualMachineScaleSet',
    metadata: { name: '${deployment}-web-${location}' },
    spec: {
      azureName: 'web',
      location: '${location}',
      owner: { name: '${deployment}-${location}' },
      sku: { name: 'Standard_D2s_v3', capacity: '${capacity}' },
      orchestrationMode: 'Uniform',
      upgradePolicy: { mode: '${mode}' },
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: 'web', adminUsername: 'ops' },
        storageProfile: { imageReference: { ...image, version: '${image}' } },
        extensionProfile: { extensions: [health] },
      },
    },
  },
];

/** How many instances each scale set has, and who brings them to a new image. */
export interface Sets {
  readonly mode: 'Manual' | 'Rolling';
  readonly capacity: number;
}

/** A deployment of images by location, which are waves in this order. */
export function fleet(
  images: Readonly<Record<string, string>>,
  strategy: object = {},
  sets: Sets = { mode: 'Manual', capacity: 2 },
) {
  const names = Object.keys(images);
  return {
    parameters: { ...sets },
    locations: names.map((name) => ({ name, parameters: { image: images[name] } })),
    strategy: { waves: names.map((name) => [name]), ...strategy },
    template: { manifests },
  };
}

/** The states of a run's locations. */
export const statesOf = ({ status }: Awaited<ReturnType<Place['run']>>) =>
  status.locations.map(({ state }: { readonly state: string }) => state);

/** The images of the scale sets, as Azure has them. */
export async function imagesIn(place: Place, deployment: string, locations: readonly string[]): Promise<string[]> {
  const sets = await Promise.all(locations.map((location) => place.scaleSet(`${deployment}-${location}`, 'web')));
  return sets.map((set) => set.properties?.virtualMachineProfile.storageProfile.imageReference.version);
}

/** Deletes a deployment; neither the cluster nor Azure may have anything of it then. */
export async function deleteAll(place: Place, deployment: string, locations: readonly string[]): Promise<void> {
  await place.removeDeployment(deployment);
  for (const type of [types.group, types.network, setType])
    expect((await place.names(type)).filter((name) => name.startsWith(`${deployment}-`))).toEqual([]);
  for (const location of locations) expect(await place.inAzure(`${deployment}-${location}`)).toBeUndefined();
}

/** The locations of the scenarios. */
export const places = ['westeurope', 'northeurope', 'uksouth'] as const;
