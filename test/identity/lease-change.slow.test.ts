/** A replica that takes the lease while its caches lack the last changes of the former holder's term. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { LateWatch } from '../fakes/late-watch.ts';
import type { RunningController } from './in-process-controller.ts';
import { bindingsType, identitiesType, World, type WorldControllerOptions } from './support.ts';

const lease = {
  namespace: 'azimuth-system',
  name: 'azimuth-identity',
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 100,
};
let world: World;
let late: LateWatch;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  late = new LateWatch();
  await world.reset();
});
afterEach(() => late.close());
afterAll(() => world.close());

/** Starts a replica and waits until it has logged the text. */
async function replica(text: string, options: WorldControllerOptions = {}): Promise<RunningController> {
  const lines: string[] = [];
  const log = createLogger('identity', { destination: { write: (line: string) => lines.push(line) } });
  const controller = world.controller({ lease, log, ...options });
  await world.until(async () => ({ ok: lines.some((line) => line.includes(text)), seen: lines.slice(-3) }), text);
  return controller;
}

interface Handover {
  /** Hands the lease to the standby; resolves when that one has worked for a while. */
  takeOver(): Promise<void>;
}

/** A leader, and a standby that gets no news of the kind from now on. */
async function replicas(kind: string): Promise<Handover> {
  const other = await world.vmNode('probe');
  await world.azureIdentity('probe');
  await world.identity('probe');
  // The last object of the probe is of a kind whose news arrive.
  const bind = () => world.binding('probe', 'probe');
  const start = () => world.pod('probe', 'probe', 'probe');
  await (kind === 'Pod' ? start() : bind());
  const leader = await replica('lease acquired');
  await replica('standing by', { client: late.wrap(world.newClient()) });
  late.hold(kind);
  return {
    takeOver: async () => {
      await leader.stop();
      await (kind === 'Pod' ? bind() : start());
      await world.untilAttached(other, ['probe']);
      await world.until(async () => {
        const seen = await world.states();
        return { ok: seen.includes(probeAssigned), seen };
      }, probeAssigned);
    },
  };
}

const probeAssigned = 'default/probe-app-probe Assigned';

test.each(['Pod', 'AzureIdentityBinding', 'AzureIdentity', 'Node'])(
  'a replica that takes the lease before it sees a new %s takes no identity from a pod',
  async (kind) => {
    const { takeOver } = await replicas(kind);
    const machine = await world.vmNode('node-1');
    await world.bound('used');
    await world.pod('web', 'used', 'node-1');
    await world.untilStates(['default/web-app-used Assigned']);
    const uid = (await world.assigned())[0]?.metadata.uid;
    await takeOver();
    late.close();
    expect(world.patches(machine)).toHaveLength(1);
    expect((await world.attached(machine)).names).toEqual(['used']);
    expect((await world.assigned()).map(({ metadata }) => metadata.uid)).toContain(uid);
  },
);

test('a new leader that saw no change of the pods of one identity keeps it on their machine', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('shared');
  const clientID = await world.azureIdentity('shared');
  await world.identity('second', { resourceID: world.identityId('shared'), clientID });
  await world.binding('second', 'second');
  await world.pod('first', 'shared', 'node-1');
  const { takeOver } = await replicas('Pod');
  await world.untilStates(['default/first-app-shared Assigned']);
  await world.pod('second', 'second', 'node-1');
  await world.untilStates(['default/first-app-shared Assigned', 'default/second-app-second Assigned']);
  await world.deletePod('first');
  await world.untilStates(['default/second-app-second Assigned']);
  await takeOver();
  expect(await world.states()).toEqual([probeAssigned, 'default/second-app-second Assigned']);
  expect(world.patches(machine)).toHaveLength(1);
  expect(await world.recorded(machine)).toEqual(['shared']);
});

test.each([
  ['changed', 'new'],
  ['removed', undefined],
])('a new leader attaches no identity of an AzureIdentity that was %s before its term', async (_, next) => {
  const machine = await world.vmNode('node-1');
  await world.bound('old');
  const clientID = await world.azureIdentity('new');
  await world.pod('web', 'old', 'node-1');
  const { takeOver } = await replicas('AzureIdentity');
  await world.untilStates(['default/web-app-old Assigned']);
  const key = { namespace: 'default', name: 'old' };
  const body = { spec: { resourceID: world.identityId('new'), clientID } };
  if (next) await world.client.patch(identitiesType, key, { type: 'merge', body });
  else await world.client.delete(identitiesType, key);
  const left = next ? [next] : [];
  await world.untilAttached(machine, left);
  const before = world.patches(machine).length;
  await takeOver();
  expect(world.patches(machine)).toHaveLength(before);
  expect((await world.attached(machine)).names).toEqual(left);
});

test('while some pods are not computed yet, others get their identities, and nothing is taken from any', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('one');
  await world.pod('web', 'one', 'node-1');
  const former = world.controller();
  await world.untilStates(['default/web-app-one Assigned']);
  await former.stop();
  await world.deletePod('web');
  await world.bound('two');
  await world.pod('next', 'two', 'node-1');
  const { desired } = world.controller().program;
  const computed = Promise.withResolvers<void>();
  desired.whenComputed = () => computed.promise;
  await world.untilStates(['default/next-app-two Assigned', 'default/web-app-one Assigned']);
  expect((await world.attached(machine)).names).toEqual(['one', 'two']);
  computed.resolve();
  await world.untilStates(['default/next-app-two Assigned']);
  await world.untilAttached(machine, ['two']);
});

test('a new leader gives a pod nothing of a binding that was removed before its term', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('one');
  await world.pod('web', 'one', 'node-1');
  const { takeOver } = await replicas('AzureIdentityBinding');
  await world.untilStates(['default/web-app-one Assigned']);
  await world.client.delete(bindingsType, { namespace: 'default', name: 'one' });
  await world.untilStates([]);
  await world.untilAttached(machine, []);
  const before = world.patches(machine).length;
  await takeOver();
  expect(await world.states()).toEqual([probeAssigned]);
  expect(world.patches(machine)).toHaveLength(before);
});
