import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { type Lease, type LeaseSpec, leasesType } from '../../../runtime/kube/leader-election/lease-record.ts';
import { followOperatorLease } from '../../../runtime/view/watch/operator-lease.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const namespace = 'azimuth-system';
const name = 'azimuth-operator';

function follow(client: LocalKube) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const messages: string[] = [];
  const report = (message: string) => void messages.push(message);
  const done = followOperatorLease({ client, clock, namespace, report, signal: stop.signal });
  const end = () => {
    stop.abort();
    return done;
  };
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 2) {
      await clock.advance(2000);
      await waitForRequests();
    }
  };
  return { messages, done, end, pass };
}

/** Requests to a LocalKube are over after a few turns of the event loop. */
async function waitForRequests() {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function renew(client: LocalKube, spec: LeaseSpec) {
  const stored = await client.tryGet<Lease>(leasesType, { namespace, name });
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name }, ...stored, spec };
  await (stored ? client.replace(leasesType, lease) : client.create(leasesType, lease));
}

test('it names the replica that renews the Lease, its successor, and the end of renewals', async () => {
  const client = new LocalKube();
  const lease = follow(client);
  await lease.pass(2);
  expect(lease.messages).toEqual([
    expect.stringMatching(/^No operator renews the Lease azimuth-system\/azimuth-operator/),
  ]);
  for (const holderIdentity of ['operator-a', 'operator-b\u001b[2J']) {
    await renew(client, { holderIdentity, renewTime: `2026-01-01T00:00:00.000000Z ${holderIdentity}` });
    await lease.pass(2);
  }
  await lease.pass(20);
  expect(lease.messages.slice(1)).toEqual([
    'The replica operator-a of the operator holds the Lease azimuth-system/azimuth-operator',
    'The replica operator-b\\u001b[2J of the operator holds the Lease azimuth-system/azimuth-operator',
    expect.stringMatching(/^No operator renews the Lease .* start it, or name its namespace with --operator-namespace/),
  ]);
  await lease.end();
});

test('a Lease of a dead operator names nobody until it is renewed', async () => {
  const client = new LocalKube();
  await renew(client, { holderIdentity: 'dead', renewTime: '2026-01-01T00:00:00.000000Z' });
  const lease = follow(client);
  await lease.pass(20);
  expect(lease.messages.filter((message) => message.includes('dead'))).toEqual([]);
  expect(lease.messages.at(-1)).toMatch(/^No operator renews/);
  await lease.end();
});

test('an account without the right to get the Lease gets one message, and the reads end', async () => {
  const client = new LocalKube();
  const subject = { verb: 'get', resource: 'leases.coordination.k8s.io', object: `${namespace}/${name}` };
  client.failNext('get', () => new KubeStatusError(subject, 403, { reason: 'Forbidden' }));
  const lease = follow(client);
  await lease.pass(2);
  await lease.done;
  expect(lease.messages).toEqual([
    'This account may not get the Lease azimuth-system/azimuth-operator, which says whether an operator runs',
  ]);
});
