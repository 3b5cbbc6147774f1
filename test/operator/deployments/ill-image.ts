/** Images that make instances ill. Each scenario holds on an embedded and on a real API server. */
import { expect } from '@jest/globals';
import { condition, until } from '../support.ts';
import { deploymentType } from './deployment-world.ts';
import { deleteAll, fleet, imagesIn, places, type Sets, statesOf } from './fleet.ts';
import { type Place, setType } from './place.ts';

const [first, second] = places;
const both = [first, second] as const;
/** The version that makes instances ill. */
export const illVersion = '2.0.0';

/** A set of each mode, and instances that get a model in one batch: 20 % of a set, and one of a small one. */
const cases = {
  Manual: { sets: { mode: 'Manual', capacity: 2 }, batch: 1 },
  Rolling: { sets: { mode: 'Rolling', capacity: 10 }, batch: 2 },
} as const satisfies Record<Sets['mode'], { readonly sets: Sets; readonly batch: number }>;

/** ARM id of the scale set of a location. */
export function setId({ azure }: Place, deployment: string, location: string): string {
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/${deployment}-${location}`;
  return `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/web`;
}

/** From now on, instances of the first location are ill with the bad image. */
export function makeIll(place: Place, deployment: string): void {
  place.azure.setInstanceHealth({ id: setId(place, deployment, first), health: 'unhealthy', model: illVersion });
}

/** Instances of a set in Azure: those with its newest model, ill ones, and those that serve nobody at the moment. */
export async function instances(place: Place, deployment: string, location: string) {
  const path = `${setId(place, deployment, location)}/virtualMachines?$expand=instanceView`;
  const { body } = await place.portal.arm('GET', path, '2024-07-01');
  type Properties = {
    latestModelApplied: boolean;
    provisioningState: string;
    instanceView: { vmHealth?: { status: { code: string } } };
  };
  const all: readonly Properties[] = body.value.map(({ properties }: { properties: Properties }) => properties);
  const isIll = ({ instanceView }: Properties) => instanceView.vmHealth?.status.code === 'HealthState/unhealthy';
  return {
    latest: all.filter(({ latestModelApplied }) => latestModelApplied).length,
    ill: all.filter(isIll).length,
    outOfService: all.filter((each) => isIll(each) || each.provisioningState !== 'Succeeded').length,
  };
}

const writes = ({ azure }: Place, deployment: string, location: string) =>
  azure.journal
    .entries({ service: 'arm', effective: true, path: new RegExp(`resourceGroups/${deployment}-${location}`, 'i') })
    .filter(({ method }) => method !== 'GET').length;

/** A new image makes the instances of the first wave ill: it stops there, and the corrected image reaches every wave. */
export async function illImage(place: Place, mode: Sets['mode']): Promise<void> {
  const { sets, batch } = cases[mode];
  const name = `ill-${mode.toLowerCase()}`;
  const images = (image: string) => fleet({ [first]: image, [second]: image }, {}, sets);
  await place.deploy(name, images('1.0.0'));
  await place.run(name, 1, 'Succeeded');
  makeIll(place, name);
  const untouched = writes(place, name, second);
  await place.deploy(name, images(illVersion));
  const stopped = await place.ready(setType, `${name}-web-${first}`, 'RollStopped');
  expect(stopped['status'].instances).toMatchObject({ total: sets.capacity, upToDate: batch, unhealthy: batch });
  expect(statesOf(await place.run(name, 2, 'Failed'))).toEqual(['Failed', 'Stopped']);
  expect(await instances(place, name, first)).toMatchObject({ latest: batch, ill: batch });
  expect(await imagesIn(place, name, both)).toEqual([illVersion, '1.0.0']);
  expect(writes(place, name, second)).toBe(untouched);

  await place.deploy(name, images('2.1.0'));
  await place.run(name, 3, 'Succeeded');
  const healed = await place.ready(setType, `${name}-web-${first}`);
  expect(healed['status'].instances).toMatchObject({
    total: sets.capacity,
    upToDate: sets.capacity,
    unhealthy: 0,
  });
  expect(await imagesIn(place, name, both)).toEqual(['2.1.0', '2.1.0']);
  await deleteAll(place, name, both);
}

/** The same with the policy Rollback: the former image comes back, and that run ends when the instances are well. */
export async function illImageRolledBack(place: Place, mode: Sets['mode']): Promise<void> {
  const { sets, batch } = cases[mode];
  const name = `back-${mode.toLowerCase()}`;
  const images = (image: string) => fleet({ [first]: image, [second]: image }, { onFailure: 'Rollback' }, sets);
  await place.deploy(name, images('1.0.0'));
  await place.run(name, 1, 'Succeeded');
  makeIll(place, name);
  const untouched = writes(place, name, second);
  await place.deploy(name, images(illVersion));
  const seen = { ill: 0 };
  const rolledBack = await until('the former image is rolled back', async () => {
    const runs = await place.runs(name);
    const now = await instances(place, name, first);
    seen.ill = Math.max(seen.ill, now.ill);
    const back = runs[2]?.['status'];
    if (/^(Failed|Cancelled)$/.test(back?.state)) throw new Error(back.message);
    // Read before the instances were, so that these are at least as new.
    return back?.state === 'Succeeded' ? { back, now: await instances(place, name, first) } : undefined;
  });
  expect(rolledBack).toMatchObject({ back: { reason: 'Rollback' }, now: { latest: sets.capacity, ill: 0 } });
  expect(seen.ill).toBe(batch);
  expect(statesOf(await place.run(name, 2, 'Failed'))).toEqual(['Failed', 'Stopped']);
  await until('the condition says so', async () => {
    return condition(await place.tryGet(deploymentType, name))?.reason === 'RolledBack';
  });
  expect(await imagesIn(place, name, both)).toEqual(['1.0.0', '1.0.0']);
  expect(writes(place, name, second)).toBe(untouched);
  await deleteAll(place, name, both);
}
