import { at, type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { groupIdOf } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import type { Health } from './health-change.ts';
import { instanceType, machineType } from './profile.ts';
import { instancesOf, isFlexible, type Model, modelOf, secretsOf } from './scale-set-model.ts';

/** Whether the machine runs, costs, and keeps its host. */
export type Power = 'running' | 'stopped' | 'deallocated';

/** The power state of an instance or virtual machine. */
export const powerOf = ({ system }: StoredResource): Power => (system['power'] as Power | undefined) ?? 'running';
/** The health that an instance reports. */
export const healthOf = ({ system }: StoredResource): Health => (system['health'] as Health | undefined) ?? 'healthy';

/** The id that calls on the set use: a number, or the name of a virtual machine. */
export const instanceIdOf = ({ name, system }: StoredResource): string => stringOf(system['instanceId']) || name;

/** Whether the instance has the set's model. */
export const hasModel = ({ system }: StoredResource, { hash }: Model): boolean =>
  objectOf(system['model'])['hash'] === hash;

/** What a new instance needs. */
type InstanceContext = Pick<BehaviourContext, 'ids' | 'now' | 'state'>;

/** Gives the instance the set's model. Health changes only where a test said that the model makes it ill. */
export function applyModel(instance: StoredResource, set: StoredResource, model: Model): void {
  const wasIll = makesIll(set, instance.system['model']);
  Object.assign(instance.system, { model, formerModel: instance.system['model'] });
  const byModel = makesIll(set, model) ? 'unhealthy' : wasIll ? 'healthy' : undefined;
  const then = instance.system['healthAfterUpgrade'] ?? set.system['healthAfterUpgrade'] ?? byModel;
  if (then !== undefined) instance.system['health'] = then;
  setInstanceState(instance, 'Succeeded');
  if (instance.type === machineType) {
    const properties = objectOf(instance.body['properties']);
    instance.body = { ...instance.body, properties: { ...properties, osProfile: model.osProfile } };
  }
}

/** Gives an instance the model back that it had before the last one. */
export function restoreModel(instance: StoredResource, set: StoredResource): void {
  const { formerModel } = instance.system;
  if (formerModel !== undefined) applyModel(instance, set, formerModel as Model);
}

/** Whether instances with this model are ill, because its text has one that a test named. */
function makesIll(set: StoredResource, model: unknown): boolean {
  const texts = (set.system['illModels'] ?? []) as readonly string[];
  return texts.length > 0 && model !== undefined && texts.some((text) => JSON.stringify(model).includes(text));
}

/** Whether the protection policy of an instance keeps models of its set from it. */
export const isProtected = ({ body }: StoredResource): boolean =>
  at(body, 'properties.protectionPolicy.protectFromScaleSetActions') === true;

/** The provisioningState of an instance. */
export function setInstanceState(instance: StoredResource, provisioningState: string): void {
  instance.body = merge(instance.body, { properties: { provisioningState } });
}

/** Makes and removes instances until the set has its capacity. The highest ids go first; no id comes twice. */
export function resize(set: StoredResource, context: BehaviourContext): void {
  const wanted = Number(at(set.body, 'sku.capacity') ?? 0);
  const present = instancesOf(set, context.state);
  for (const instance of present.slice(wanted).reverse()) dropInstance(instance, context.state);
  const model = modelOf(set, context.state);
  for (let count = present.length; count < wanted; count += 1) addInstance(set, model, context);
}

/** Removes an instance, and the resources below it. */
export function dropInstance(instance: StoredResource, state: SandboxState): void {
  for (const { id } of [instance, ...state.resources.below(instance.id)]) state.resources.delete(id);
}

/** The capacity that a set shows after one of its instances was deleted. */
export function countInstances(set: StoredResource, state: SandboxState): void {
  const capacity = instancesOf(set, state).length;
  const request = objectOf(set.system['request']);
  set.body = merge(set.body, { sku: { capacity } });
  set.system = { ...set.system, request: merge(request, { sku: { capacity } }) };
}

/** Adds an instance with the model to a set. */
export function addInstance(set: StoredResource, model: Model, context: InstanceContext): StoredResource {
  const { ids, now, state } = context;
  const number = Number(set.system['nextInstance'] ?? 0);
  set.system['nextInstance'] = number + 1;
  const flexible = isFlexible(set);
  const { subscriptionId, resourceGroup } = set;
  const name = flexible ? `${set.name}_${ids.hex(8)}` : `${set.name}_${number}`;
  const id = flexible
    ? `${groupIdOf({ subscriptionId, ...(resourceGroup ? { resourceGroup } : {}) })}/providers/${machineType}/${name}`
    : `${set.id}/virtualMachines/${number}`;
  const vmId = ids.uuid();
  const instance: StoredResource = {
    id,
    name,
    type: flexible ? machineType : instanceType,
    subscriptionId,
    ...(resourceGroup ? { resourceGroup } : {}),
    body: flexible ? machineBody(set, model, vmId, name) : { properties: { vmId } },
    system: { vmId, ...(flexible ? {} : { instanceId: String(number) }) },
    createdAt: now,
    changedAt: now,
  };
  if (flexible) instance.system['request'] = instance.body;
  applyModel(instance, set, model);
  state.resources.set(instance);
  return instance;
}

function machineBody(set: StoredResource, { osProfile, storageProfile }: Model, vmId: string, name: string): Json {
  const { computerNamePrefix: _, ...login } = osProfile;
  return {
    location: set.body['location'],
    tags: set.body['tags'] ?? {},
    properties: {
      vmId,
      hardwareProfile: { vmSize: stringOf(at(set.body, 'sku.name')) },
      osProfile: { computerName: name.replaceAll('_', ''), ...login },
      storageProfile,
      virtualMachineScaleSet: { id: set.id },
    },
  };
}

/** Whether any instance of the set runs: the copies of secrets that Compute keeps last as long. */
export const isRunning = (set: StoredResource, state: SandboxState): boolean =>
  instancesOf(set, state).some((instance) => powerOf(instance) === 'running');

/** The secrets of a set's model that have to be read from a vault for a new instance; the others are cached. */
export function uncachedSecrets(set: StoredResource, secrets: ReturnType<typeof secretsOf>, state: SandboxState) {
  const cached = isRunning(set, state) ? ((set.system['cachedSecrets'] ?? []) as string[]) : [];
  return secrets.filter(({ url }) => !cached.includes(url.toLowerCase()));
}

/** Records that Compute has copies of the secrets of the set's model. */
export function cacheSecrets(set: StoredResource, state: SandboxState): void {
  set.system['cachedSecrets'] = secretsOf(set, state).map(({ url }) => url.toLowerCase());
}
