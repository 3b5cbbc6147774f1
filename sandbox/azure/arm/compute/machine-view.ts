import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { hasModel, healthOf, instanceIdOf, powerOf } from './instances.ts';
import { hasHealthSource } from './policy-checks.ts';
import { instanceType, objectsIn } from './profile.ts';
import { instancesOf, isFlexible, type Model, modelOf, setOf } from './scale-set-model.ts';

const instanceTypeName = instanceType.toLowerCase();
const powerTexts = { running: 'VM running', stopped: 'VM stopped', deallocated: 'VM deallocated' } as const;

/** A status of an instance view. */
function status(code: string, displayStatus: string, changedAt: number): Json {
  return { code, level: 'Info', displayStatus, time: new Date(changedAt).toISOString() };
}

function provisioning({ body, changedAt }: StoredResource): Json {
  const word = stringOf(at(body, 'properties.provisioningState')) || 'Succeeded';
  const failed = word === 'Failed' ? { level: 'Error' } : {};
  return {
    ...status(`ProvisioningState/${word.toLowerCase()}`, `Provisioning ${word.toLowerCase()}`, changedAt),
    ...failed,
  };
}

function extensionViews(instance: StoredResource, state: SandboxState): Json[] {
  const children = state.resources
    .below(`${instance.id}/extensions`)
    .map(({ name, body }): Json => ({ name, ...body }));
  return [...objectsIn(objectOf(instance.system['model'])['extensions']), ...children].map((extension) => ({
    name: extension['name'],
    type: [at(extension, 'properties.publisher'), at(extension, 'properties.type')].join('.'),
    typeHandlerVersion: at(extension, 'properties.typeHandlerVersion'),
    statuses: [provisioning({ ...instance, body: { properties: {} } })],
  }));
}

/** The instance view of an instance or virtual machine. */
export function instanceView(instance: StoredResource, state: SandboxState): Json {
  const set = setOf(instance, state);
  const children = set ? objectsIn(objectOf(instance.system['model'])['extensions']) : [];
  const health = healthOf(instance);
  const watched = set !== undefined && hasHealthSource(set.body, children);
  const extensions = extensionViews(instance, state);
  const power = powerOf(instance);
  return {
    vmAgent: {
      vmAgentVersion: '2.9.1.1',
      statuses: [status('ProvisioningState/succeeded', 'Ready', instance.changedAt)],
    },
    ...(watched && {
      vmHealth: {
        status: status(`HealthState/${health}`, `The VM is reporting itself as ${health}`, instance.changedAt),
      },
    }),
    ...(extensions.length > 0 && { extensions }),
    statuses: [provisioning(instance), status(`PowerState/${power}`, powerTexts[power], instance.changedAt)],
  };
}

/** An instance of a Uniform set as its provider shows it. */
export function uniformView(instance: StoredResource, set: StoredResource, model: Model): Json {
  const { osProfile, storageProfile, extensions } = objectOf(instance.system['model']);
  const { computerNamePrefix, ...login } = objectOf(osProfile);
  const number = Number(instanceIdOf(instance));
  const suffix = number.toString(36).toUpperCase().padStart(6, '0');
  const { sku, location, tags = {} } = set.body;
  const properties = objectOf(instance.body['properties']);
  return {
    instanceId: instanceIdOf(instance),
    location,
    tags,
    sku: { name: objectOf(sku)['name'], tier: objectOf(sku)['tier'] ?? 'Standard' },
    properties: {
      modelDefinitionApplied: 'VirtualMachineScaleSet',
      hardwareProfile: {},
      osProfile: { ...login, computerName: `${stringOf(computerNamePrefix)}${suffix}` },
      storageProfile: objectOf(storageProfile),
      timeCreated: new Date(instance.createdAt).toISOString(),
      ...properties,
      // A PUT of the instance has Azure's usual answer in its place.
      latestModelApplied: hasModel(instance, model),
    },
    ...(objectsIn(extensions).length > 0 && { resources: extensionResources(instance, objectsIn(extensions)) }),
  };
}

function extensionResources(instance: StoredResource, extensions: readonly Json[]): Json[] {
  return extensions.map(({ name, properties }) => {
    const { protectedSettings: _, ...shown } = objectOf(properties);
    const id = `${instance.id}/extensions/${stringOf(name)}`;
    return { id, name, type: `${instanceType}/extensions`, properties: { ...shown, provisioningState: 'Succeeded' } };
  });
}

/** The instances of a set as its list shows them. With `expand`, each has its instance view. */
export function listInstances(set: StoredResource, state: SandboxState, expand: boolean): Json[] {
  const model = modelOf(set, state);
  return instancesOf(set, state).map((instance) => {
    const uniform = instance.type.toLowerCase() === instanceTypeName;
    const shown = uniform ? uniformView(instance, set, model) : flexibleView(instance, model);
    const properties = objectOf(shown['properties']);
    return {
      id: instance.id,
      name: instance.name,
      type: instance.type,
      ...shown,
      properties: { ...properties, ...(expand && { instanceView: instanceView(instance, state) }) },
    };
  });
}

/** A Flexible set lists its virtual machines with their names as instance ids. */
function flexibleView(instance: StoredResource, model: Model): Json {
  const properties = objectOf(instance.body['properties']);
  const latestModelApplied = hasModel(instance, model);
  return { ...instance.body, instanceId: instance.name, properties: { ...properties, latestModelApplied } };
}

/** The instance view of a set: how many instances are in each state. A Flexible set has none. */
export function setInstanceView(set: StoredResource, state: SandboxState): Json {
  const instances = isFlexible(set) ? [] : instancesOf(set, state);
  const count = (codes: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
    return [...counts].map(([code, number]) => ({ code, count: number }));
  };
  const codesOf = (view: Json) => objectsIn(view['statuses']).map(({ code }) => stringOf(code));
  const views = instances.map((instance) => instanceView(instance, state));
  const extensions = views.flatMap((view) => objectsIn(view['extensions']));
  const names = [...new Set(extensions.map(({ name }) => stringOf(name)))];
  return {
    virtualMachine: { statusesSummary: count(views.flatMap(codesOf)) },
    extensions: names.map((name) => ({
      name,
      statusesSummary: count(extensions.filter((each) => each['name'] === name).flatMap(codesOf)),
    })),
    statuses: [provisioning(set)],
    orchestrationServices: [],
  };
}
