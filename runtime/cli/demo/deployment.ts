import { fileURLToPath } from 'node:url';
import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import type { HealthChange } from '../../../sandbox/azure/arm/compute/health-change.ts';
import { systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { conditionsOf } from '../../view/model/state.ts';
import { followDeployment } from '../../view/watch/follow.ts';
import { lineScreen } from '../../view/watch/screen.ts';
import { readManifests } from './apply.ts';
import type { HealthPart } from './health-part.ts';
import type { DemoWorld } from './world.ts';

const manifest = fileURLToPath(new URL('deployment.yaml', import.meta.url));
/** The version of the image that makes instances ill. */
const badImage = '2.0.0';
const POLL_MS = 200;
/** Far more than a roll-back takes: what hangs ends with its reason. */
const rollBackLimitMs = 300_000;

/**
 * Shows a template that goes into two locations, one after the other, as `azimuth watch` does. Then an image that makes
 * instances ill, which stops at one of them and is rolled back. Returns the number of resources.
 */
export async function showDeployment(world: DemoWorld, health: HealthPart): Promise<number> {
  const { progress, applier } = world;
  const [deployment] = await readManifests([manifest]);
  if (!deployment) throw new AzimuthError('AZ_CONFIG_INVALID', `${manifest} has no object`);
  const { template, locations } = deployment['spec'];
  const resources = template.manifests.length * locations.length;
  await progress.step('Deploy a template into two locations, one after the other', async (note) => {
    await applier.apply(deployment);
    const end = await follow(world, deployment);
    if (end !== 'Succeeded') throw new AzimuthError('AZ_OPERATION_FAILED', `${deployment.metadata.name} has failed`);
    note(`${resources} resources in ${locations.length} locations`);
  });
  await health.scene(() => showBadImage(world, deployment));
  return resources;
}

/**
 * Deploys an image that makes instances ill, and waits until the deployment has gone back to the former one. Returns the
 * number of batches of the way out and back.
 */
async function showBadImage(world: DemoWorld, deployment: KubeObject): Promise<number> {
  const { progress, applier, client, signal, azure } = world;
  const { spec } = deployment;
  const [first, second] = spec.locations.map(({ name }: { readonly name: string }) => name);
  const set = spec.template.manifests.find(({ kind }: KubeObject) => kind === 'VirtualMachineScaleSet');
  const type = await applier.typeOf(set);
  const read = (location: string) => client.get(type, { namespace: 'demo', name: `sites-${location}` });
  const upgraded = await progress.step('Deploy an image that makes instances ill', async (note) => {
    const change: HealthChange = { id: (await read(first))['status'].id, health: 'unhealthy', model: badImage };
    await adminRequest(azure, 'POST', '/instances', change);
    await applier.apply({ ...deployment, spec: { ...spec, parameters: { ...spec.parameters, image: badImage } } });
    const end = await follow(world, deployment);
    if (end !== 'Failed') throw new AzimuthError('AZ_OPERATION_FAILED', `Image ${badImage} went to all locations`);
    const { version } = (await read(second))['spec'].virtualMachineProfile.storageProfile.imageReference;
    note(`it stopped in ${first}, and ${second} keeps image ${version}`);
    return (await read(first))['status'].instances.upToDate;
  });
  await progress.step('Wait for its roll-back', async (note) => {
    const deployments = await applier.typeOf(deployment);
    const reasonOf = async () => {
      const found = conditionsOf(await client.get(deployments, deployment.metadata));
      return found.find(({ type: name }) => name === 'Ready')?.reason;
    };
    const deadline = performance.now() + rollBackLimitMs;
    while ((await reasonOf()) !== 'RolledBack') {
      signal.throwIfAborted();
      if (performance.now() > deadline)
        throw new AzimuthError('AZ_OPERATION_FAILED', `The roll-back has not ended: ${await reasonOf()}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const { spec: back, status } = await read(first);
    const { version } = back.virtualMachineProfile.storageProfile.imageReference;
    note(`image ${version} again, and ${status.instances.unhealthy} of ${status.instances.total} instances are ill`);
  });
  // A batch of such a small set is one instance.
  return 2 * upgraded;
}

/** Follows the present run of a deployment to its end, a line for each change. */
async function follow({ progress, client, signal }: DemoWorld, { metadata }: KubeObject) {
  const screen = lineScreen({
    write: (text) => {
      for (const line of text.trimEnd().split('\n')) progress.line(`    ${line}`);
    },
  });
  const end = await followDeployment({
    client,
    clock: systemClock,
    key: metadata,
    show: (view) => screen.show(view, Date.now()),
    onTrouble: (message) => progress.line(`    ${message}`),
    signal,
    everyMs: 100,
  });
  signal.throwIfAborted();
  return end;
}
