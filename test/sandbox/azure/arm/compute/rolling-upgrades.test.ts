import { expect, test } from '@jest/globals';
import { azure, client, clock } from '../world.ts';
import { get, instances, scaleSet, setId, version, write } from './machines.ts';

const latest = `${setId()}/rollingUpgrades/latest`;
const rolling = (capacity: number, word: string, policy?: Record<string, unknown>) =>
  scaleSet(capacity, {
    mode: 'Rolling',
    osProfile: { customData: Buffer.from(word).toString('base64') },
    ...(policy ? { policy } : {}),
  });
const upgraded = async () => (await instances()).filter(([, has]) => has).length;
const status = async () => (await get(latest)).properties;

test('a roll goes batch by batch, and refuses every write of the set meanwhile', async () => {
  expect((await client.arm('GET', latest, version)).status).toBe(404);
  await write('PUT', setId(), rolling(10, 'a'));
  expect((await client.arm('GET', latest, version)).status).toBe(404);
  await write('PUT', setId(), rolling(10, 'b'));
  const counts: unknown[] = [];
  for (let batch = 0; batch < 3; batch += 1) {
    const { progress, runningStatus } = await status();
    counts.push([runningStatus.code, ...Object.values(progress)]);
    await clock.advance(1000);
  }
  expect(counts).toEqual([
    ['RollingForward', 0, 0, 2, 8],
    ['RollingForward', 2, 0, 2, 6],
    ['RollingForward', 4, 0, 2, 4],
  ]);
  const text =
    'Virtual Machine Scale Set updates are not allowed while there is a Rolling Upgrade in progress. Please cancel Rolling Upgrade operation to continue with updates.';
  const more = `${setId()}/extensions/more`;
  for (const [method, id, body] of [
    ['PATCH', setId(), {}],
    ['PUT', setId(), rolling(11, 'b')],
    ['POST', `${setId()}/manualupgrade`, { instanceIds: ['*'] }],
    ['PUT', more, { properties: { publisher: 'a', type: 'b' } }],
  ] as const) {
    const { status: code, body: answer } = await client.arm(method, id, version, body);
    expect([code, answer.error.code, answer.error.message]).toEqual([409, 'OperationNotAllowed', text]);
  }
  await clock.advance(2000);
  expect((await status()).runningStatus.code).toBe('Completed');
  expect(await upgraded()).toBe(10);
});

/** Instances of each batch: of 10, then of 5 with a pause of a minute. */
test.each([
  [10, { maxBatchInstancePercent: 50, maxUnhealthyInstancePercent: 50 }, [5, 10]],
  [5, {}, [1, 2, 3, 4, 5]],
  [3, { maxBatchInstancePercent: 5 }, [1, 2, 3]],
])('%i instances with %j are upgraded as %j', async (capacity, policy, expected) => {
  await write('PUT', setId(), rolling(capacity, 'a', policy));
  await write('PUT', setId(), rolling(capacity, 'b', policy));
  const counts: number[] = [];
  for (let batch = 0; batch < expected.length; batch += 1) {
    await clock.advance(1000);
    counts.push(await upgraded());
  }
  expect(counts).toEqual(expected);
});

test('the pause between batches is kept', async () => {
  const policy = { pauseTimeBetweenBatches: 'PT1M' };
  await write('PUT', setId(), rolling(2, 'a', policy));
  await write('PUT', setId(), rolling(2, 'b', policy));
  await clock.advance(60_000);
  expect(await upgraded()).toBe(1);
  await clock.advance(2000);
  expect(await upgraded()).toBe(2);
});

test('a cancelled roll ends with its batch, and an empty PATCH goes on', async () => {
  const cancel = `${setId()}/rollingUpgrades/cancel`;
  await write('PUT', setId(), rolling(10, 'a'));
  expect((await client.arm('POST', cancel, version)).status).toBe(409);
  azure.settings.rollingBatchMs = 3000;
  await write('PUT', setId(), rolling(10, 'b'));
  await write('POST', cancel);
  expect((await status()).runningStatus).toMatchObject({ code: 'RollingForward', lastAction: 'Cancel' });
  await clock.advance(2000);
  expect((await status()).runningStatus.code).toBe('Cancelled');
  expect(await upgraded()).toBe(2);
  await write('PATCH', setId(), {});
  expect((await status()).runningStatus).toMatchObject({ code: 'RollingForward', lastAction: 'Start' });
  await clock.advance(12_000);
  expect(await upgraded()).toBe(10);
});

test('too many ill instances stop a roll before its first batch, and equality goes on', async () => {
  await write('PUT', setId(), rolling(10, 'a'));
  for (const id of [0, 1]) azure.setInstanceHealth({ id: `${setId()}/virtualMachines/${id}`, health: 'unhealthy' });
  await write('PUT', setId(), rolling(10, 'b'));
  await clock.advance(1000);
  expect([await upgraded(), (await status()).runningStatus.code]).toEqual([1, 'Faulted']);
  expect((await status()).error.code).toBe('MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade');
  azure.setInstanceHealth({ id: `${setId()}/virtualMachines/5`, health: 'unhealthy' });
  await write('PATCH', setId(), {});
  expect((await status()).error).toMatchObject({
    code: 'MaxUnhealthyInstancePercentExceededBeforeRollingUpgrade',
    message: expect.stringContaining('30% of instances are in an unhealthy state, more than the threshold of 20%'),
    details: [0, 1, 5].map((id) => ({
      code: 'RollingUpgradeInstanceUnhealthyError',
      target: `web/virtualMachines/${id}`,
    })),
  });
});

test('a model that makes instances ill stops the roll after the batch that shows it', async () => {
  await write('PUT', setId(), rolling(10, 'a'));
  azure.setInstanceHealth({ id: setId(), health: 'unhealthy', when: 'afterUpgrade' });
  await write('PUT', setId(), rolling(10, 'b'));
  await clock.advance(1000);
  const { runningStatus, progress, error } = await status();
  expect([runningStatus.code, progress.failedInstanceCount]).toEqual(['Faulted', 2]);
  expect(error.code).toBe('MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade');
});

const policies: [string, object, number, string, string][] = [
  ['batch 4', { maxBatchInstancePercent: 4 }, 400, 'InvalidParameter', 'between 5 and 100'],
  ['unhealthy upgraded -1', { maxUnhealthyUpgradedInstancePercent: -1 }, 400, 'InvalidParameter', 'between 0 and 100'],
  ['pause 60s', { pauseTimeBetweenBatches: '60s' }, 400, 'InvalidParameter', 'pauseTimeBetweenBatches'],
  [
    'batch above unhealthy',
    { maxBatchInstancePercent: 100 },
    409,
    'OperationNotAllowed',
    "has value '100' and is greater than the property upgradePolicy.rollingUpgradePolicy.maxUnhealthyInstancePercent with value '20'",
  ],
];

test.each(policies)('%s is refused in each mode', async (_, policy, expected, code, text) => {
  for (const mode of ['Manual', 'Rolling']) {
    const body = scaleSet(1, { mode, policy: policy as Record<string, unknown> });
    const answer = await client.arm('PUT', setId(), version, body);
    expect([answer.status, answer.body.error.code]).toEqual([expected, code]);
    expect(answer.body.error.message).toContain(text);
  }
});

test('Rolling needs a health source', async () => {
  const body = scaleSet(1, { mode: 'Rolling' });
  body.properties.virtualMachineProfile.extensionProfile.extensions.length = 0;
  const { status: code, body: answer } = await client.arm('PUT', setId(), version, body);
  expect([code, answer.error.message]).toEqual([
    400,
    'Rolling Upgrade mode is not supported for this Virtual Machine Scale Set because a health probe or health extension was not provided.',
  ]);
});

test('with surge, new instances take the place of old ones, which stay where the new ones are ill', async () => {
  const policy = { maxSurge: true, maxUnhealthyUpgradedInstancePercent: 0 };
  await write('PUT', setId(), rolling(10, 'a', policy));
  await write('PUT', setId(), rolling(10, 'b', policy));
  const seen: number[][] = [];
  for (let batch = 0; batch < 5; batch += 1) {
    seen.push([(await instances()).length, await upgraded()]);
    await clock.advance(1000);
  }
  expect(seen.slice(0, 3)).toEqual([
    [12, 2],
    [12, 4],
    [12, 6],
  ]);
  expect([(await instances()).length, await upgraded()]).toEqual([10, 10]);

  azure.setInstanceHealth({ id: setId(), health: 'unhealthy', when: 'afterUpgrade' });
  await write('PUT', setId(), rolling(10, 'c', policy));
  await clock.advance(1000);
  expect((await status()).runningStatus.code).toBe('Faulted');
  expect((await instances()).filter(([, has]) => !has)).toHaveLength(10);
});

test('the health of an instance changes at its time', async () => {
  await write('PUT', setId(), rolling(2, 'a'));
  const id = `${setId()}/virtualMachines/0`;
  const health = async () => (await get(`${id}/instanceView`)).vmHealth.status.code;
  azure.setInstanceHealth({ id, health: 'unhealthy', afterMs: 5000 });
  await clock.advance(4999);
  expect(await health()).toBe('HealthState/healthy');
  await clock.advance(1);
  expect(await health()).toBe('HealthState/unhealthy');
});
