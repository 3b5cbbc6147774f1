import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import type { WatchedCache } from '../../runtime/kube/cache/types.ts';
import { CallerLimits } from '../../runtime/secrets/http/caller-limits.ts';
import { HeldSecrets } from '../../runtime/secrets/secrets/held-secrets.ts';
import type { EndpointSecret } from '../../runtime/secrets/secrets/managed-secrets.ts';

const reason = (work: () => unknown) => {
  try {
    work();
    return 'admitted';
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
};

test('a caller and a namespace have a burst of ten seconds and then their rate, and others have theirs', async () => {
  const clock = new ManualClock();
  const limits = new CallerLimits({ clock, callerPerSecond: 1, namespacePerSecond: 2 });
  for (let i = 0; i < 10; i++) expect(reason(() => limits.caller('a'))).toBe('admitted');
  expect(reason(() => limits.caller('a'))).toBe('caller_limit');
  expect(reason(() => limits.caller('b'))).toBe('admitted');
  await clock.advance(1000);
  expect(reason(() => limits.caller('a'))).toBe('admitted');
  expect(reason(() => limits.caller('a'))).toBe('caller_limit');

  for (let i = 0; i < 20; i++) expect(reason(() => limits.namespace('noisy'))).toBe('admitted');
  expect(reason(() => limits.namespace('noisy'))).toBe('namespace_limit');
  expect(reason(() => limits.namespace('quiet'))).toBe('admitted');
});

test('an address whose tokens are refused again and again is refused unread, for a while', async () => {
  const clock = new ManualClock();
  const limits = new CallerLimits({ clock, callerPerSecond: 1, namespacePerSecond: 1 });
  for (let i = 0; i < 200; i++) limits.refusedToken('192.0.2.1');
  expect(reason(() => limits.address('192.0.2.1'))).toBe('caller_limit');
  expect(reason(() => limits.address('192.0.2.2'))).toBe('admitted');
  await clock.advance(1000);
  expect(reason(() => limits.address('192.0.2.1'))).toBe('admitted');
});

test('a namespace for which documents are refused again and again has the next ones refused unread', async () => {
  const clock = new ManualClock();
  const limits = new CallerLimits({ clock, callerPerSecond: 1, namespacePerSecond: 1 });
  for (let i = 0; i < 50; i++) {
    expect(reason(() => limits.documents('noisy'))).toBe('admitted');
    limits.refusedDocument('noisy');
  }
  expect(reason(() => limits.documents('noisy'))).toBe('namespace_limit');
  expect(reason(() => limits.documents('quiet'))).toBe('admitted');
  await clock.advance(1000);
  expect(reason(() => limits.documents('noisy'))).toBe('admitted');
});

test('where long polls are full, the namespace with the most loses its oldest to one with fewer', () => {
  const waits = { total: 4, perNamespace: 4, perAddress: 3 };
  const limits = new CallerLimits({ clock: new ManualClock(), callerPerSecond: 1, namespacePerSecond: 1, waits });
  const evicted: string[] = [];
  const wait = (namespace: string, caller: string) =>
    reason(() => limits.wait(namespace, caller, () => evicted.push(`${namespace}/${caller}`)));
  expect([wait('noisy', 'a'), wait('noisy', 'a'), wait('noisy', 'a')]).toEqual(Array(3).fill('admitted'));
  expect(wait('noisy', 'a')).toBe('wait_limit');
  expect(wait('noisy', 'b')).toBe('admitted');
  expect(wait('noisy', 'c')).toBe('wait_limit');
  expect(wait('quiet', 'd')).toBe('admitted');
  expect(evicted).toEqual(['noisy/a']);
});

const consumer = '33333333-3333-3333-3333-333333333333';

function secret(namespace: string, name: string): EndpointSecret {
  const armId = '/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv1';
  return {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ManagedSecret',
    metadata: { namespace, name, uid: `${namespace}-${name}`, resourceVersion: '1' },
    spec: { kind: 'SymmetricKey', home: { vault: { armId } }, consumers: [{ objectId: consumer }] },
  };
}

const version = (value: string) => ({
  number: 1,
  hash: '0',
  version: 'v',
  value,
  contentType: '',
  created: 0,
  expires: undefined,
});

const cacheOf = (all: readonly EndpointSecret[]) =>
  ({
    synced: true,
    list: () => all,
    get: ({ namespace, name }: { namespace?: string | undefined; name: string }) =>
      all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    onChange: () => () => undefined,
  }) as unknown as WatchedCache<EndpointSecret>;

test('a namespace with very many values keeps the memory within its bound, and evicts none of another', async () => {
  const all = [secret('good', 's'), ...Array.from({ length: 50 }, (_, i) => secret('hostile', `s${i}`))];
  const held = new HeldSecrets({
    objects: cacheOf(all),
    clock: new ManualClock(),
    log: silentLogger,
    mostBytes: 10 * 52_000,
    reader: {
      read: async ({ metadata: { uid = '' } }) => ({
        uid,
        current: version('v'.repeat(25_000)),
        previous: undefined,
        syncedAt: 0,
        subscriptions: [],
      }),
    },
  });
  for (const { metadata } of all)
    await held.reconcile({ ...metadata, key: metadata.uid ?? '' }, new AbortController().signal);
  expect(held.ages()).toHaveLength(10);
  expect(held.get(all[0] as EndpointSecret).reading?.current.number).toBe(1);
  expect(held.get(all[1] as EndpointSecret).problem).toContain('its namespace has too many values');
});

test('a namespace whose vaults do not exist keeps no replica from service', async () => {
  const all = [...Array.from({ length: 50 }, (_, i) => secret('hostile', `s${i}`)), secret('good', 's')];
  const objects = cacheOf(all);
  const current = version('x');
  const held = new HeldSecrets({
    objects,
    clock: new ManualClock(),
    log: silentLogger,
    reader: {
      read: async ({ metadata: { namespace, uid = '' } }) => {
        if (namespace === 'hostile') throw new Error('getaddrinfo ENOTFOUND');
        return { uid, current, previous: undefined, syncedAt: 0, subscriptions: [] };
      },
    },
  });
  expect(held.notReady()).toBe('51 managed secrets were not read yet');
  for (const { metadata } of all)
    await held.reconcile({ ...metadata, key: metadata.uid ?? '' }, new AbortController().signal);
  expect(held.notReady()).toBeUndefined();
});
