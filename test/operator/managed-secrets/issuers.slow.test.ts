import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestVault } from '../export/test-vault.ts';
import { condition, until } from '../support.ts';
import { managedSecrets, numbered, SecretWorld, vaultRef } from './secret-world.ts';

const minute = 60_000;
const hour = 60 * minute;

let azm: SecretWorld;
let west: TestVault;
beforeAll(async () => {
  azm = await SecretWorld.start();
  west = await azm.vault('azmissuer', 'westeurope');
  await west.send('PUT', '/certificates/issuers/corporate', { provider: 'DigiCert' });
});
afterAll(() => azm?.close());
beforeEach(() => {
  azm.world.azure.faults.clear();
  azm.world.azure.journal.clear();
});

const spec = (name: string, dnsName = 'web.example.com') => ({
  kind: 'Certificate',
  home: { vault: vaultRef('azmissuer') },
  vaultSecretName: name,
  certificate: { subject: 'CN=web', dnsNames: [dnsName], issuer: { keyVault: 'corporate' } },
});

const orders = (name: string): number =>
  azm.world.azure.journal.entries({ method: 'POST', path: new RegExp(`/certificates/${name}/create$`) }).length;

function refuse(name: string, state: 'failed' | 'canceled' = 'failed'): void {
  const operation = { state, code: 'IssuerError', message: 'the account has no funds' };
  azm.world.azure.faults.add({ method: 'POST', path: `/certificates/${name}/create`, times: 0, operation });
}

/** The object after a run of the operator, whose timers do not see that the clock moved. */
async function nextRun(name: string) {
  await azm.poke(name);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return azm.world.client.get(managedSecrets, { namespace: 'default', name });
}

/** The text of the condition once it names this time of the next order, in milliseconds from now. */
async function refused(name: string, waitMs: number): Promise<string> {
  return until(`the next order of ${name} follows after ${waitMs / hour} h`, async () => {
    const { reason, message = '' } = condition(await nextRun(name)) ?? {};
    const next = Date.parse(/ at (\S+)$/.exec(message)?.[1] ?? '');
    return reason === 'IssuerRefused' && Math.abs(next - azm.clock.now() - waitMs) < minute && message;
  });
}

async function issued(name: string): Promise<void> {
  await until(`${name} is issued`, async () => (await nextRun(name))['status']?.version === 1);
}

/** Lets the operator read the vault, and so gives it the time for an order that must not be placed. */
async function quiet(name: string, reason = 'IssuerRefused'): Promise<void> {
  const lists = () => azm.world.azure.journal.entries({ method: 'GET', path: new RegExp(`/${name}/versions`) }).length;
  const before = lists();
  await until('the vault is read', async () => {
    const found = await nextRun(name);
    return lists() > before && condition(found)?.reason === reason;
  });
}

test('an issuer that refuses is asked again after 1, 2 and 4 hours, also by another process', async () => {
  refuse('web');
  await azm.secret('web', spec('web'));
  expect(await refused('web', hour)).toContain('the account has no funds');
  expect(orders('web')).toBe(1);
  azm.clock.advance(hour - minute);
  await quiet('web');
  expect(orders('web')).toBe(1);
  azm.clock.advance(minute);
  await refused('web', 2 * hour);
  azm.clock.advance(2 * hour);
  await refused('web', 4 * hour);
  expect(orders('web')).toBe(3);

  await azm.restart();
  await refused('web', 4 * hour);
  azm.clock.advance(4 * hour - minute);
  await quiet('web');
  expect(orders('web')).toBe(3);
  azm.clock.advance(minute);
  await refused('web', 8 * hour);
  expect(orders('web')).toBe(4);

  azm.world.azure.faults.clear();
  azm.clock.advance(8 * hour);
  await issued('web');
  expect(await numbered(west, 'web')).toEqual([['1', true]]);
  expect(orders('web')).toBe(5);
}, 60_000);

test('a changed spec is ordered at once, and its failures count from zero', async () => {
  refuse('other');
  await azm.secret('other', spec('other'));
  await refused('other', hour);
  azm.clock.advance(hour);
  await refused('other', 2 * hour);
  await azm.secret('other', spec('other', 'new.example.com'));
  await refused('other', hour);
  expect(orders('other')).toBe(3);
});

test('an order that somebody canceled waits as a refused one', async () => {
  refuse('gone', 'canceled');
  await azm.secret('gone', spec('gone'));
  expect(await refused('gone', hour)).toContain('Somebody canceled');
  expect(orders('gone')).toBe(1);
});

test('a certificate that the issuer takes its time for is read less and less often, and ordered once', async () => {
  const reads = () => azm.world.azure.journal.entries({ method: 'GET', path: /slow\/pending$/ }).length;
  azm.world.azure.settings.operationMs = 40 * minute;
  try {
    await azm.secret('slow', spec('slow'));
    await azm.reason('slow', 'Reconciling');
    await until('the order is placed', async () => orders('slow') === 1);
    azm.clock.advance(20 * minute);
    await azm.poke('slow');
    await until('the order is read', async () => reads() > 1);
    const before = reads();
    for (let poke = 0; poke < 3; poke++) await azm.poke('slow');
    azm.clock.advance(4 * minute);
    await azm.poke('slow');
    await azm.reason('slow', 'Reconciling');
    expect(reads()).toBe(before);
  } finally {
    azm.world.azure.settings.operationMs = 50;
  }
  azm.clock.advance(20 * minute);
  await issued('slow');
  expect(orders('slow')).toBe(1);
});

test('an order from before a pin is followed, so that its version does not stay the newest one of the vault', async () => {
  const { settings } = azm.world.azure;
  await azm.secret('late', spec('late'));
  await issued('late');
  const before = settings.operationMs;
  settings.operationMs = 5000;
  azm.clock.advance(1500 * hour);
  // Timers that were set before do not see that the clock moved.
  await azm.restart();
  await until('the renewal is ordered', () => orders('late') === 2);
  await azm.secret('late', { ...spec('late'), pinnedVersion: 1 });
  await azm.reason('late', 'RenewalPaused');
  const newest = async () => (await west.send('GET', '/certificates/late')).body.tags['azimuth-version'];
  await until('the first version is the newest one again', async () => {
    return (await numbered(west, 'late')).length === 3 && (await newest()) === '1';
  });
  settings.operationMs = before;
});

test('the operator stops reading an order that was refused while a version is pinned', async () => {
  const { settings, journal, faults } = azm.world.azure;
  await azm.secret('pinned', spec('pinned'));
  await issued('pinned');
  const before = settings.operationMs;
  settings.operationMs = 5000;
  refuse('pinned');
  azm.clock.advance(1500 * hour);
  await azm.restart();
  await until('the renewal is ordered', () => orders('pinned') === 2);
  await azm.secret('pinned', { ...spec('pinned'), pinnedVersion: 1 });
  await azm.reason('pinned', 'RenewalPaused');
  const reads = () => journal.entries({ method: 'GET', path: /\/certificates\/pinned\/pending/ }).length;
  const beforePin = reads();
  await until('the operator reads the order under the pin', () => reads() > beforePin);
  await until('it reads it no more', async () => {
    const last = reads();
    for (let run = 0; run < 3; run++) await quiet('pinned', 'RenewalPaused');
    return reads() === last;
  });
  expect(orders('pinned')).toBe(2);
  settings.operationMs = before;
  await azm.secret('pinned', spec('pinned'));
  await azm.reason('pinned', 'IssuerRefused');
  faults.clear();
  azm.clock.advance(33 * hour);
  await azm.restart();
  await until('the renewal is issued', async () => (await nextRun('pinned'))['status']?.version === 2);
});

test('a pinned version stays in order while the order from before the pin cannot be read', async () => {
  const { settings, faults } = azm.world.azure;
  await azm.secret('unread', spec('unread'));
  await issued('unread');
  const before = settings.operationMs;
  settings.operationMs = 40 * minute;
  azm.clock.advance(1500 * hour);
  await azm.restart();
  await until('the renewal is ordered', () => orders('unread') === 2);
  await azm.secret('unread', { ...spec('unread'), pinnedVersion: 1 });
  await azm.reason('unread', 'RenewalPaused');
  faults.add({ method: 'GET', path: '/certificates/unread/pending', times: 0, status: 403 });
  // The second read is of a later run: the first one has written its status.
  await until('the order is read twice', () => (faults.list()[0]?.hits ?? 0) > 1);
  const found = await azm.world.client.get(managedSecrets, { namespace: 'default', name: 'unread' });
  expect(condition(found)?.reason).toBe('RenewalPaused');
  faults.clear();
  azm.clock.advance(40 * minute);
  await until('the first version is the newest one again', async () => {
    await azm.poke('unread');
    const { body } = await west.send('GET', '/certificates/unread');
    return (await numbered(west, 'unread')).length === 3 && body.tags['azimuth-version'] === '1';
  });
  settings.operationMs = before;
});
