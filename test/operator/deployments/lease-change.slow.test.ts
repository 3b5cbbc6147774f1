/** A replica that takes the lease while its caches lack the last writes of the former holder. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LateWatch } from '../../fakes/late-watch.ts';
import { startWorld, types, until, type World } from '../support.ts';
import { deploymentType, networkManifests, networkSpec, runIn, runsOf } from './deployment-world.ts';

let world: World;
/** The watches of the second replica. */
let late: LateWatch;
beforeAll(async () => {
  world = await startWorld({ deployments: true });
});
beforeEach(() => {
  late = new LateWatch();
});
afterEach(() => late.close());
afterAll(() => world.close());

const [, manifest] = networkManifests;
const spec = (location: string) => networkSpec([location], { template: { manifests: [manifest] } });

/** The first replica, which leads, and a second one that gets no news of the kind from now on. */
async function replicas(kind: string) {
  const lines = world.log.length;
  const logged = (text: string) => async () => world.log.slice(lines).some((line) => line.includes(text));
  const first = await world.startOperator({}, { lease: true });
  await until('the first replica leads', logged('lease acquired'));
  const second = await world.startOperator({}, { lease: true, wrap: late.wrap });
  await until('the second replica stands by', logged('standing by'));
  late.hold(kind);
  return { first, second };
}

test.each([
  ['ComputeRun', 'japaneast'],
  ['ResourceGroup', 'japanwest'],
])('a new leader that has not seen the last %s keeps a deployment until its objects are gone', async (kind, place) => {
  const { first, second } = await replicas(kind);
  await world.apply(deploymentType, place, spec(place));
  await runIn(world, place, 'Succeeded');
  // Nobody has seen the deletion when the second one takes the lease.
  const stopped = first.stop();
  await world.client.delete(deploymentType, { namespace: 'default', name: place });
  await stopped;
  const isGone = async () => !(await world.client.tryGet(deploymentType, { namespace: 'default', name: place }));
  const group = { namespace: 'default', name: `rg-${place}` };
  await until('somebody deletes the object, or nobody will', async () => {
    const object = await world.client.tryGet(types.group, group);
    return object?.metadata.deletionTimestamp !== undefined || (await isGone());
  });
  // Held by its finalizer, the deployment decides on the order.
  expect(await isGone()).toBe(false);
  late.close();
  await until('the deployment is gone', isGone);
  expect(await world.client.tryGet(types.group, group)).toBeUndefined();
  expect(world.azure.journal.entries({ method: 'DELETE', path: group.name })).toHaveLength(1);
  await second.stop();
});

test('a new leader makes no second run of a goal whose run it has not seen', async () => {
  const { first, second } = await replicas('ComputeRun');
  await world.apply(deploymentType, 'once', spec('koreasouth'));
  await runIn(world, 'once', 'Succeeded');
  await first.stop();
  await world.apply(deploymentType, 'next', spec('koreacentral'));
  await runIn(world, 'next', 'Succeeded');
  expect(await runsOf(world, 'once')).toHaveLength(1);
  await second.stop();
});
