import { adminRequest } from '../../../../sandbox/azure/admin/admin-client.ts';
import type { Health, HealthChange } from '../../../../sandbox/azure/arm/compute/health-change.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import type { KubeObject, ResourceType } from '../../../kube/client/types.ts';
import { stateOf } from '../../../view/model/state.ts';
import type { DemoWorld } from '../world.ts';
import { newAuthority } from './authority.ts';

const POLL_MS = 200;
/** Far more than a stop or a return takes: what hangs ends with its reason. */
const limitMs = 300_000;
/** Regions in the order in which a version goes out. */
const [first, second] = ['northeurope', 'westeurope'] as const;
/** Bakes for longer than the demonstration takes: only an ill instance ends the wait. */
const rollout = { regions: [first, second], bakeFor: '10m' };

/**
 * Shows a version of a ManagedSecret that makes instances ill. It stops at one instance of the first region, and a pin
 * of the former version heals that one. Returns the number of batches of the way out and back.
 *
 * @param secret As it was applied last; each instance has its current version.
 */
export async function showBadVersion(world: DemoWorld, secret: KubeObject): Promise<number> {
  const { progress, applier, client } = world;
  const [secretType, setType] = await Promise.all([applier.typeOf(secret), applier.typeOf(scaleSet)]);
  const readSecret = () => read(world, secretType, secret.metadata.name);
  const readSet = (location: string) => read(world, setType, `shop-${location}`);
  const { version: good } = (await readSecret())['status'];
  const { id } = (await readSet(first))['status'];
  const spec = { ...secret['spec'], rollout };
  const upgraded = await progress.step('Issue the certificate from an untrusted authority', async (note) => {
    await applier.apply({ ...secret, spec });
    await until(world, readSecret, ({ status }) => status.rollout !== undefined);
    await setHealth(world, id, 'unhealthy');
    const { metadata, stringData } = await newAuthority('unknown CA');
    await client.patch(secretsType, metadata, { type: 'merge', body: { stringData } });
    const stopped = await until(world, readSecret, (object) => stateOf(object).reason === 'RolloutStopped');
    progress.line(`    ${`ManagedSecret ${secret.metadata.name}`.padEnd(52)} ${stateOf(stopped).message}`);
    note(`it stopped in ${first}, and ${second} keeps version ${versionOf(await readSet(second))}`);
    return (await readSet(first))['status'].instances.upToDate;
  });
  await progress.step(`Pin version ${good}`, async (note) => {
    await setHealth(world, id, 'healthy');
    await applier.apply({ ...secret, spec: { ...spec, pinnedVersion: good } });
    const healed = await until(
      world,
      () => readSet(first),
      (set) => versionOf(set) === good && isWell(set),
    );
    const { total, unhealthy } = healed['status'].instances;
    note(`${first} has version ${good} again, and ${unhealthy} of ${total} instances are ill`);
  });
  // A batch of such a small set is one instance.
  return 2 * upgraded;
}

const scaleSet = { apiVersion: 'compute.azure.com/v20220301', kind: 'VirtualMachineScaleSet', metadata: { name: '' } };

/** The version that a set is to have. */
const versionOf = ({ status }: KubeObject): number => status.managedSecrets.wanted[0].version;

function isWell(set: KubeObject): boolean {
  const { upToDate, total, unhealthy } = set['status'].instances;
  return stateOf(set).state === 'Ready' && upToDate === total && unhealthy === 0;
}

/** The health of the instances of a set from their next model on. */
async function setHealth({ azure }: DemoWorld, id: string, health: Health): Promise<void> {
  const change: HealthChange = { id, health, when: 'afterUpgrade' };
  await adminRequest(azure, 'POST', '/instances', change);
}

function read({ client }: DemoWorld, type: ResourceType, name: string): Promise<KubeObject> {
  return client.get(type, { namespace: 'demo', name });
}

/** The object once it is as expected. */
async function until(
  { signal }: DemoWorld,
  get: () => Promise<KubeObject>,
  isExpected: (object: KubeObject) => boolean,
): Promise<KubeObject> {
  for (const deadline = performance.now() + limitMs; ; ) {
    signal.throwIfAborted();
    const object = await get();
    if (isExpected(object)) return object;
    const { reason, message } = stateOf(object);
    if (performance.now() > deadline)
      throw new AzimuthError('AZ_OPERATION_FAILED', `${object.kind} ${object.metadata.name} is ${reason}: ${message}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
