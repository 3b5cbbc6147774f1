import { expect, test } from '@jest/globals';
import { FeatureGates } from '../../../runtime/operator/features/feature-gates.ts';
import {
  type KnownCopy,
  type KnownSecret,
  ManagedSecrets,
} from '../../../runtime/operator/managed-secrets/resolver.ts';

const subscription = '11111111-1111-1111-1111-111111111111';
const feature = 'azimuth.dev/ManagedSecrets';
const machine = { location: 'West Europe', subscription, delivery: 'OsProfile' } as const;
const versionAt = (name: string) => ({
  vaultId: '/v',
  vaultLocation: 'westeurope',
  enabledForDeployment: true,
  secretUrl: `https://v.vault.azure.net/secrets/${name}/1`,
});
const copy = (more: Partial<KnownCopy> = {}): KnownCopy => ({
  state: 'Current',
  number: 1,
  version: versionAt('s'),
  vmAccess: undefined,
  ...more,
});
const secret = (copies: Record<string, KnownCopy>, more: Partial<KnownSecret> = {}): KnownSecret => ({
  uid: 'u',
  kind: 'Certificate',
  number: 1,
  copies: new Map(Object.entries(copies)),
  ...more,
});

function world() {
  const gates = new FeatureGates(feature, () => undefined);
  const secrets = new ManagedSecrets(gates, (_, name) => name === 'web');
  return { gates, secrets, open: () => gates.set({ subscription, feature }, { open: true }) };
}

test('a machine waits for the gate of its subscription, then for the object, then for its first version', () => {
  const { secrets, open } = world();
  const reason = (name: string) => {
    const found = secrets.resolve('a', name, machine);
    return found.ok ? 'ok' : found.reason;
  };
  secrets.set('a', 'web', secret({ westeurope: copy() }));
  expect(reason('web')).toBe('WaitingForFeature');
  open();
  expect(reason('web')).toBe('ok');
  expect(reason('other')).toBe('ReferenceNotFound');
  secrets.set('a', 'web', undefined);
  expect(reason('web')).toBe('SecretNotReady');
  secrets.set('a', 'web', secret({}, { number: undefined, message: 'the vault is away' }));
  expect(secrets.resolve('a', 'web', machine)).toMatchObject({ message: expect.stringContaining('the vault is away') });
});

test('a machine gets the version of its own region, and that of the protected settings for VMAccess', () => {
  const { secrets, open } = world();
  open();
  const stale = copy({ number: 1, state: 'Stale', vmAccess: versionAt('s-vmaccess') });
  secrets.set('a', 'web', secret({ westeurope: stale, northeurope: copy({ number: 2 }) }, { number: 2 }));
  const found = secrets.resolve('a', 'web', machine);
  expect(found).toMatchObject({ ok: true, secret: { number: 1, state: 'Stale', version: versionAt('s') } });
  const access = secrets.resolve('a', 'web', { ...machine, delivery: 'VMAccess' });
  expect(access).toMatchObject({ ok: true, secret: { version: versionAt('s-vmaccess') } });
  const elsewhere = secrets.resolve('a', 'web', { ...machine, location: 'eastus' });
  expect(elsewhere).toMatchObject({ ok: false, reason: 'RegionMissing', message: expect.stringContaining('eastus') });
  expect(secrets.resolve('b', 'web', machine)).toMatchObject({ ok: false });
});

test('a machine gets the version of its region before the rollout, and early ones get the next', () => {
  const { secrets, open } = world();
  open();
  const early = { location: 'westeurope', machines: ['canary'], copy: copy({ number: 2, version: versionAt('next') }) };
  const rollout = { home: 'westeurope', regions: { westeurope: 1, northeurope: 1 }, early };
  secrets.set('a', 'web', secret({ westeurope: copy({ number: 1 }) }, { number: 2, rollout }));
  const resolved = (name: string, more: object = {}) =>
    secrets.resolve('a', 'web', { ...machine, machine: name, ...more });
  expect(resolved('web')).toMatchObject({ secret: { number: 1, version: versionAt('s') } });
  expect(resolved('canary')).toMatchObject({ secret: { number: 2, version: versionAt('next') } });
  expect(resolved('canary', { delivery: 'Endpoint' })).toMatchObject({ secret: { number: 1 } });
  secrets.set('a', 'web', secret({}, { number: 2, held: { reason: 'SecretNotReady', message: 'not read yet' } }));
  expect(resolved('canary')).toMatchObject({ ok: false, reason: 'SecretNotReady' });
});

test('an expired copy is not served, and the reason says why it is old', () => {
  const { secrets, open } = world();
  open();
  secrets.set('a', 'web', secret({ westeurope: copy({ state: 'Expired', message: 'no answer since Monday' }) }));
  const found = secrets.resolve('a', 'web', machine);
  expect(found).toMatchObject({ ok: false, reason: 'SecretExpired', message: expect.stringMatching(/since Monday$/) });
});

test('listeners hear of changes only, and without a source the users are not known', () => {
  const { secrets } = world();
  const heard: string[] = [];
  const remove = secrets.onChange((namespace, name) => void heard.push(`${namespace}/${name}`));
  secrets.set('a', 'web', secret({ westeurope: copy() }));
  secrets.set('a', 'web', secret({ westeurope: copy() }));
  secrets.set('a', 'web', secret({ westeurope: copy({ number: 2 }) }));
  remove();
  secrets.set('a', 'web', undefined);
  expect(heard).toEqual(['a/web', 'a/web']);
  expect(secrets.usersOf('a', 'web')).toBeUndefined();
  secrets.setUsers(() => () => new Set([1]));
  expect(secrets.usersOf('a', 'web')).toEqual(new Set([1]));
});

test('a release is heard once for what was seen before, and never while the users are not known', () => {
  const { secrets } = world();
  const heard: string[] = [];
  secrets.onRelease((namespace, name) => void heard.push(`${namespace}/${name}`));
  const users = new Map<string, ReadonlySet<number> | undefined>([['web', new Set([1, 2])]]);
  secrets.setUsers((namespace) => (namespace === 'a' ? (name) => users.get(name) : undefined));
  const after = (name: string, numbers: ReadonlySet<number> | undefined, names?: string[]) => {
    users.set(name, numbers);
    secrets.recheckUsers('a', names);
    return heard.splice(0);
  };
  // Nobody has asked yet.
  expect(after('web', new Set([2]))).toEqual([]);
  secrets.usersOf('a', 'web');
  expect(after('web', new Set([2, 3]))).toEqual([]);
  expect(after('web', undefined)).toEqual([]);
  expect(after('web', new Set([3]), ['other'])).toEqual([]);
  expect(after('web', new Set([3]))).toEqual(['a/web']);
  secrets.usersOf('a', 'other');
  expect(after('other', new Set())).toEqual(['a/web', 'a/other']);
  secrets.usersOf('a', 'web');
  secrets.usersOf('a', 'other');
  expect(after('web', new Set([3]))).toEqual([]);
  secrets.set('a', 'web', undefined);
  expect(after('web', new Set())).toEqual([]);
});
