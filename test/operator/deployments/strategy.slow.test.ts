import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { types, until, type World } from '../support.ts';
import {
  deploymentType,
  networkSpec,
  readyOf,
  runIn,
  runsOf,
  runType,
  startDeploymentWorld,
} from './deployment-world.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

/** Azure refuses the network of this location for good, so many times. */
function refuse(location: string, times = 0): void {
  const error = { code: 'InvalidParameter', message: 'the image is bad' };
  const path = `virtualNetworks/net-${location}\\?`;
  world.azure.faults.add({ service: 'arm', method: 'PUT', path, times, status: 400, body: { error } });
}

const stateIn = (run: KubeObject, location: string): string =>
  run['status'].locations.find((each: { location: string }) => each.location === location)?.state;

test('waves: the second one starts when the first has succeeded and the pause is over', async () => {
  const strategy = { waves: [['westus'], ['eastus']], pauseBetween: '2s' };
  await world.apply(deploymentType, 'waves', networkSpec(['eastus', 'westus'], { strategy }));
  const run = await runIn(world, 'waves', 'Succeeded');
  const [first, second] = run['status'].locations;
  expect([first.location, second.location]).toEqual(['westus', 'eastus']);
  const pause = Date.parse(second.startedAt) - Date.parse(first.endedAt);
  expect(pause).toBeGreaterThanOrEqual(2000);
});

test('parallelism: no more locations than that are under way', async () => {
  const locations = ['uksouth', 'ukwest', 'francecentral', 'francesouth'];
  await world.apply(deploymentType, 'narrow', networkSpec(locations, { strategy: { parallelism: 1 } }));
  const run = await runIn(world, 'narrow', 'Succeeded');
  const times = run['status'].locations.map(({ startedAt, endedAt }: Record<string, string>) => [startedAt, endedAt]);
  expect(times).toHaveLength(4);
  for (const [index, [startedAt]] of times.entries())
    if (index > 0) expect(startedAt >= times[index - 1][1]).toBe(true);
});

test('onFailure Stop: nothing further starts, and the run and the condition name the cause', async () => {
  refuse('norwayeast');
  const strategy = { waves: [['swedencentral'], ['norwayeast'], ['italynorth']] };
  await world.apply(deploymentType, 'stop', networkSpec(['swedencentral', 'norwayeast', 'italynorth'], { strategy }));
  const run = await runIn(world, 'stop', 'Failed');
  expect(['swedencentral', 'norwayeast', 'italynorth'].map((each) => stateIn(run, each))).toEqual([
    'Succeeded',
    'Failed',
    'Stopped',
  ]);
  expect(run['status'].message).toContain('VirtualNetwork.network.azure.com/net-norwayeast');
  const ready = await until('the condition', async () => {
    const found = await readyOf(world, 'stop');
    return found?.reason === 'RunFailed' ? found : undefined;
  });
  expect(ready).toMatchObject({ status: 'False', severity: 'Error' });
  expect(await world.client.tryGet(types.group, { namespace: 'default', name: 'rg-italynorth' })).toBeUndefined();
});

test('a refusal with a code that no table has fails the run with the text of Azure, and ends the runs of its locations', async () => {
  const error = { code: 'TheSubscriptionLacksTheRegion', message: 'the region is not enabled for the subscription' };
  const path = 'virtualNetworks/net-newzealandnorth\\?';
  world.azure.faults.add({ service: 'arm', method: 'PUT', path, times: 0, status: 400, body: { error } });
  const strategy = { waves: [['uaecentral', 'newzealandnorth']] };
  await world.apply(deploymentType, 'region', networkSpec(['uaecentral', 'newzealandnorth'], { strategy }));
  const run = await runIn(world, 'region', 'Failed');
  expect(run['status'].message).toContain('the region is not enabled for the subscription');
  const { items } = await world.client.list(runType, { namespace: 'default' });
  const ofLocations = items.filter(({ spec }) => spec.deployment === 'region' && spec.location !== undefined);
  expect(ofLocations).toHaveLength(2);
  for (const { status } of ofLocations) expect(['Succeeded', 'Failed', 'Cancelled']).toContain(status.state);
});

test('an operation that fails fails the run with the code and the text of Azure, although the operator tries again', async () => {
  // Azure answers its poll with 200, and no table has the code.
  const operation = { state: 'failed', code: 'ProvisioningTimedOut', message: 'it did not finish in time' } as const;
  world.azure.faults.add({ service: 'arm', method: 'PUT', path: 'net-israelcentral\\?', times: 0, operation });
  const strategy = { waves: [['israelcentral'], ['mexicocentral']] };
  await world.apply(deploymentType, 'late', networkSpec(['israelcentral', 'mexicocentral'], { strategy }));
  const run = await runIn(world, 'late', 'Failed');
  expect(run['status'].message).toContain('it did not finish in time');
  expect(JSON.stringify(run['status'])).toContain('ProvisioningTimedOut');
  expect(stateIn(run, 'mexicocentral')).toBe('Stopped');
});

test('the runs of locations end when a newer run takes over from theirs', async () => {
  const strategy = { waves: [['northcentralus'], ['southcentralus']], pauseBetween: '1h' };
  await world.apply(deploymentType, 'over', networkSpec(['northcentralus', 'southcentralus'], { strategy }));
  await runIn(world, 'over', 'Paused');
  const parameters = { team: 'next' };
  await world.apply(
    deploymentType,
    'over',
    networkSpec(['northcentralus', 'southcentralus'], { strategy, parameters }),
  );
  await runIn(world, 'over', 'Paused', 2);
  const states = await until('the runs of the first one are over', async () => {
    const { items } = await world.client.list(runType, { namespace: 'default' });
    const former = items.filter(({ metadata }) => metadata.name.startsWith('over-1'));
    return former.every(({ status }) => status?.state !== 'Running') && former.map(({ status }) => status?.state);
  });
  expect(states).toContain('Superseded');
});

test('onFailure Continue: other locations and waves go on', async () => {
  refuse('polandcentral');
  const strategy = { waves: [['polandcentral'], ['spaincentral']], onFailure: 'Continue' };
  await world.apply(deploymentType, 'goon', networkSpec(['polandcentral', 'spaincentral'], { strategy }));
  const run = await runIn(world, 'goon', 'Failed');
  expect(['polandcentral', 'spaincentral'].map((each) => stateIn(run, each))).toEqual(['Failed', 'Succeeded']);
});

test('onFailure Rollback: the last goal that succeeded is run again, and says so', async () => {
  const strategy = { waves: [['japaneast'], ['japanwest']], onFailure: 'Rollback' };
  await world.apply(deploymentType, 'back', networkSpec(['japaneast', 'japanwest'], { strategy }));
  await runIn(world, 'back', 'Succeeded');
  refuse('japanwest', 1);
  const spec = networkSpec(['japaneast', 'japanwest'], { strategy, parameters: { team: 'new' } });
  const [east, west] = spec.locations;
  const changed = { ...spec, locations: [east, { ...west, parameters: { prefix: '10.9.0.0/16' } }] };
  await world.apply(deploymentType, 'back', changed);
  const run = await runIn(world, 'back', 'Succeeded', 3);
  expect(run['status'].reason).toBe('Rollback');
  const [, failed] = await runsOf(world, 'back');
  expect(failed?.['status'].state).toBe('Failed');
  const ready = await until('the condition', async () => {
    const found = await readyOf(world, 'back');
    return found?.reason === 'RolledBack' ? found : undefined;
  });
  expect(ready).toMatchObject({ status: 'False', severity: 'Error' });
  expect((await world.get(types.group, 'rg-japaneast'))['spec'].tags).toEqual({ team: 'shop' });
  expect((await world.get(types.network, 'net-japanwest'))['spec'].addressSpace.addressPrefixes).toEqual([
    '10.1.0.0/16',
  ]);
  // A correction makes a run of its own.
  await world.apply(
    deploymentType,
    'back',
    networkSpec(['japaneast', 'japanwest'], { strategy, parameters: { team: 'new' } }),
  );
  await runIn(world, 'back', 'Succeeded', 4);
  expect((await world.get(types.group, 'rg-japaneast'))['spec'].tags).toEqual({ team: 'new' });
});

test('suspend keeps further locations from starting, and a run goes on after it', async () => {
  await world.apply(deploymentType, 'hold', networkSpec(['brazilsouth'], { suspend: true }));
  const held = await runIn(world, 'hold', 'Suspended');
  expect(stateIn(held, 'brazilsouth')).toBe('Pending');
  await world.apply(deploymentType, 'hold', networkSpec(['brazilsouth'], { suspend: false }));
  await runIn(world, 'hold', 'Succeeded');
});

test('a run that is cancelled ends, and spec.retry starts another one', async () => {
  const strategy = { waves: [['southindia'], ['westindia']], pauseBetween: '1h' };
  await world.apply(deploymentType, 'cancel', networkSpec(['southindia', 'westindia'], { strategy }));
  await runIn(world, 'cancel', 'Paused');
  const body = { spec: { cancel: true } };
  await world.client.patch(runType, { namespace: 'default', name: 'cancel-1' }, { type: 'merge', body });
  const run = await runIn(world, 'cancel', 'Cancelled');
  expect(['southindia', 'westindia'].map((each) => stateIn(run, each))).toEqual(['Succeeded', 'Stopped']);
  await world.apply(deploymentType, 'cancel', networkSpec(['southindia', 'westindia'], { retry: 'again' }));
  const again = await runIn(world, 'cancel', 'Succeeded', 2);
  expect(again['status'].reason).toBe('Retry');
});

test('a ComputeRun with goalOf brings back an earlier goal; one that names no run is refused', async () => {
  await world.apply(deploymentType, 'ask', networkSpec(['qatarcentral']));
  await runIn(world, 'ask', 'Succeeded');
  await world.apply(deploymentType, 'ask', networkSpec(['qatarcentral'], { parameters: { team: 'second' } }));
  await runIn(world, 'ask', 'Succeeded', 2);
  await world.apply(runType, 'please', { deployment: 'ask', goalOf: 'ask-1' });
  const run = await runIn(world, 'ask', 'Succeeded', 3);
  expect(run.metadata.name).toBe('please');
  expect(run['status']).toMatchObject({ number: 3, reason: 'Requested' });
  expect((await world.get(types.group, 'rg-qatarcentral'))['spec'].tags).toEqual({ team: 'shop' });
  await world.apply(runType, 'wrong', { deployment: 'ask', goalOf: 'two-1' });
  await until('the refusal', async () => (await world.get(runType, 'wrong'))['status']?.state === 'Refused');
});

test('a ComputeRun that the operator has not made has no effect, whatever it says of itself', async () => {
  await world.apply(deploymentType, 'forged', networkSpec(['uaenorth']));
  const first = await runIn(world, 'forged', 'Succeeded');
  const goal = first['spec'].goal.replaceAll('shop', 'thief');
  const annotations = first.metadata.annotations;
  await world.apply(runType, 'forged-2', { deployment: 'forged', goal }, { annotations });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await world.get(types.group, 'rg-uaenorth'))['spec'].tags).toEqual({ team: 'shop' });
  await world.apply(deploymentType, 'forged', networkSpec(['uaenorth'], { parameters: { team: 'later' } }));
  await until('the next goal', async () => (await world.get(types.group, 'rg-uaenorth'))['spec'].tags.team === 'later');
  await until('its run', async () => (await world.get(runType, 'forged-3'))['status']?.number === 3);
});
