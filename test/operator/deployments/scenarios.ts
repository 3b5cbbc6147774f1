/** Deployments of scale sets from beginning to end. Each scenario holds on an embedded and on a real API server. */
import { expect } from '@jest/globals';
import { Random } from '../../faults/random.ts';
import { condition, types, until } from '../support.ts';
import { deploymentType } from './deployment-world.ts';
import { deleteAll, fleet, imagesIn, places, statesOf } from './fleet.ts';
import { armVersion, type Place } from './place.ts';

const [first, second, third] = places;

const badVersion = '9.9.9';
/** The platform image that Azure does not have. */
const missingImage = `Canonical:ubuntu:22_04-lts:${badVersion}`;

/** What becomes of each location, and of the images, when the second wave has a bad image. */
const outcomes = {
  Stop: { states: ['Succeeded', 'Failed', 'Stopped'], images: ['2.0.0', '1.0.0', '1.0.0'], reason: 'RunFailed' },
  Continue: { states: ['Succeeded', 'Failed', 'Succeeded'], images: ['2.0.0', '1.0.0', '2.0.0'], reason: 'RunFailed' },
  Rollback: { states: ['Succeeded', 'Failed', 'Stopped'], images: ['1.0.0', '1.0.0', '1.0.0'], reason: 'RolledBack' },
} as const;

/** A goal with an image in the second of three waves that Azure does not have. */
export async function badImage(place: Place, onFailure: keyof typeof outcomes): Promise<void> {
  place.azure.settings.missingImages = [missingImage];
  const name = `bad-${onFailure.toLowerCase()}`;
  const wanted = outcomes[onFailure];
  await place.deploy(name, fleet({ [first]: '1.0.0', [second]: '1.0.0', [third]: '1.0.0' }, { onFailure }));
  await place.run(name, 1, 'Succeeded');
  expect(await imagesIn(place, name, places)).toEqual(['1.0.0', '1.0.0', '1.0.0']);

  await place.deploy(name, fleet({ [first]: '2.0.0', [second]: badVersion, [third]: '2.0.0' }, { onFailure }));
  const failed = await place.run(name, 2, 'Failed');
  expect(statesOf(failed)).toEqual(wanted.states);
  expect(failed['status'].message).toContain(`VirtualMachineScaleSet.compute.azure.com/${name}-web-${second}`);
  expect(JSON.stringify(failed['status'])).toContain(`The platform image '${missingImage}' is not available`);
  if (onFailure === 'Rollback')
    expect((await place.run(name, 3, 'Succeeded'))['status']).toMatchObject({ reason: 'Rollback' });
  await until(`the condition is ${wanted.reason}`, async () => {
    const found = condition(await place.tryGet(deploymentType, name));
    return found?.status === 'False' && found.reason === wanted.reason;
  });
  expect(await imagesIn(place, name, places)).toEqual(wanted.images);

  // A corrected goal takes over from each of them.
  await place.deploy(name, fleet({ [first]: '2.0.0', [second]: '2.0.0', [third]: '2.0.0' }, { onFailure }));
  await place.run(name, onFailure === 'Rollback' ? 4 : 3, 'Succeeded');
  expect(await imagesIn(place, name, places)).toEqual(['2.0.0', '2.0.0', '2.0.0']);
  await deleteAll(place, name, places);
}

/** A deployment that is suspended while its first wave is under way finishes that object and starts no other. */
export async function suspendAndResume(place: Place): Promise<void> {
  const goal = fleet({ [first]: '1.0.0', [second]: '1.0.0' });
  const path = '/providers/microsoft.network/locations/[^/]+/operations/';
  const answer = { status: 200, headers: { 'retry-after': '1' }, body: { status: 'InProgress' } };
  const unfinished = place.azure.faults.add({ method: 'GET', path, times: 0, ...answer });
  await place.deploy('hold', goal);
  const puts = () => place.azure.journal.entries({ service: 'arm', method: 'PUT', path: /resourceGroups\/hold-/i });
  await until('the network is under way', async () => puts().some(({ path }) => /virtualNetworks/i.test(path)));
  await place.deploy('hold', { ...goal, suspend: true });
  await until('the run waits for the network alone', async () => {
    return (await place.runs('hold'))[0]?.['status']?.message === 'is suspended: waits for what is under way';
  });
  expect(place.azure.faults.remove(unfinished)).toBe(true);
  const held = await place.run('hold', 1, 'Suspended');
  expect(statesOf(held)[1]).toBe('Pending');
  const network = `hold-net-${first}`;
  await until('the network is finished', async () => {
    return condition(await place.tryGet(types.network, network))?.status === 'True';
  });
  const sent = puts().length;
  await place.kill();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(puts()).toHaveLength(sent);
  expect(await place.tryGet(types.group, `hold-${second}`)).toBeUndefined();
  expect((await place.runs('hold')).map(({ status }) => status?.state)).toEqual(['Suspended']);
  await place.deploy('hold', { ...goal, suspend: false });
  await place.run('hold', 1, 'Succeeded');
  // Nothing was sent twice: a group, a network and a scale set in each location.
  expect(
    puts()
      .map(({ path }) => path.replace(/\?.*/, ''))
      .sort(),
  ).toHaveLength(6);
  await deleteAll(place, 'hold', [first, second]);
}

/** The operator is ended at random moments while goal after goal comes, and while the deployment is deleted. */
export async function killedAtRandom(place: Place, kills: number, seed: number): Promise<void> {
  const random = new Random(seed);
  const name = 'killed';
  const goals = ['1.0.0', '2.0.0', '3.0.0'];
  let left = kills;
  const killWhile = async (done: () => Promise<unknown>) => {
    let ended = false;
    const work = done().finally(() => {
      ended = true;
    });
    work.catch(() => undefined);
    const share = Math.ceil(kills / (goals.length + 1));
    for (let each = 0; each < share && left > 0 && !ended; each++) {
      await new Promise((resolve) => setTimeout(resolve, random.between(100, 1500)));
      if (ended) break;
      left--;
      await place.kill();
    }
    await work;
  };
  for (const [index, image] of goals.entries()) {
    await place.deploy(name, fleet({ [first]: image, [second]: image }, { onFailure: 'Stop' }));
    await killWhile(() => place.run(name, index + 1, 'Succeeded'));
    expect(await imagesIn(place, name, [first, second])).toEqual([image, image]);
  }
  const puts = place.azure.journal.entries({ service: 'arm', method: 'PUT', path: /resourceGroups\/killed-/i });
  const counts = new Map<string, number>();
  for (const { path } of puts) {
    const of = path
      .replace(/\?.*/, '')
      .replace(/^.*resourceGroups\//i, '')
      .toLowerCase();
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  // One PUT for each goal that changes a resource, whatever was killed.
  const expected = [first, second].flatMap((location) => [
    [`killed-${location}`, 1],
    [`killed-${location}/providers/microsoft.compute/virtualmachinescalesets/web`, goals.length],
    [`killed-${location}/providers/microsoft.network/virtualnetworks/killed-net-${location}`, 1],
  ]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(expected));
  expect(await place.runs(name)).toHaveLength(goals.length);
  await killWhile(() => deleteAll(place, name, [first, second]));
}

/** An ARM template whose copy loop makes `each` public addresses in each of ten locations. */
export async function manyResources(place: Place, each: number, limitMs = 1_000_000): Promise<Record<string, number>> {
  const locations = ['westeurope', 'northeurope', 'uksouth', 'ukwest', 'francecentral'].concat([
    'francesouth',
    'swedencentral',
    'norwayeast',
    'italynorth',
    'polandcentral',
  ]);
  const json = JSON.stringify({
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    resources: [
      {
        type: 'Microsoft.Network/publicIPAddresses',
        apiVersion: armVersion('network.azure.com', 'PublicIPAddress'),
        name: "[concat('ip', copyIndex())]",
        location: '[resourceGroup().location]',
        copy: { name: 'ips', count: each },
        sku: { name: 'Standard' },
        properties: { publicIPAllocationMethod: 'Static' },
      },
    ],
  });
  for (const location of locations) await place.apply(types.group, `many-${location}`, { spec: { location } });
  for (const location of locations) await place.ready(types.group, `many-${location}`);
  const started = performance.now();
  const parallelism = locations.length;
  await place.deploy('many', {
    locations: locations.map((name) => ({ name })),
    strategy: { parallelism },
    template: { arm: { json, owner: { name: 'many-${location}' } } },
  });
  // Its runs are half a megabyte, which the API server does not have to send again and again.
  const ended = async () => {
    const found = condition(await place.tryGet(deploymentType, 'many'));
    if (found?.severity === 'Error') throw new Error(found.message);
    return found?.status === 'True';
  };
  await until('all resources are there', ended, 900_000);
  const run = await place.run('many', 1, 'Succeeded');
  const ranMs = Math.round(performance.now() - started);
  expect(run['status'].locations.map(({ percent }: { readonly percent: number }) => percent)).toEqual(
    locations.map(() => 100),
  );
  const paths = place.azure.journal
    .entries({ service: 'arm', method: 'PUT', path: /publicIPAddresses\/ip\d+/i })
    .map(({ path }) => path.replace(/\?.*/, '').toLowerCase());
  const resources = each * locations.length;
  expect([paths.length, new Set(paths).size]).toEqual([resources, resources]);
  const largest = Math.max(
    ...(await Promise.all(
      [run.metadata.name, ...run['status'].locations.map(({ run: name }: { readonly run: string }) => name)].map(
        async (name) =>
          JSON.stringify(await place.tryGet({ ...deploymentType, kind: 'ComputeRun', plural: 'computeruns' }, name))
            .length,
      ),
    )),
  );
  // The API server takes 1.5 MB; etcd, which has JSON of custom resources, too.
  expect(largest).toBeLessThan(750_000);
  const deleted = performance.now();
  await place.removeDeployment('many', limitMs);
  const deletedMs = Math.round(performance.now() - deleted);
  for (const location of locations) expect(await place.inAzure(`many-${location}`)).toEqual([]);
  for (const location of locations) await place.remove(types.group, `many-${location}`);
  return { resources, ranMs, deletedMs, largestRunBytes: largest };
}
