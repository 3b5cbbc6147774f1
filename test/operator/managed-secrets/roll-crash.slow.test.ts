/** The operator as a process, ended with SIGKILL while a renewal is under way in the vaults and scale sets of two regions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificate } from '../../fakes/certificates.ts';
import { Random } from '../../faults/random.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { type NameOf, type When, WriteKills } from '../crashes/write-kills.ts';
import type { TestVault } from '../export/test-vault.ts';
import { conditionOf, setSpec, setType } from '../machines/machine-world.ts';
import { armRequests, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

const limitMs = 300_000;
const seed = 20263;
const sets = ['rolling', 'manual'] as const;
type SetName = (typeof sets)[number];

let world: World;
let azm: SecretWorld;
let operator: RestartableOperator;
let kills: WriteKills;
let vaults: Readonly<Record<SetName, TestVault>>;

beforeAll(async () => {
  const kinds = 'compute.azure.com/VirtualMachine;compute.azure.com/VirtualMachineScaleSet';
  world = await startWorld({ machineSecrets: true, kinds });
  world.azure.settings.rollingBatchMs = 4000;
  // The test reads the sets all the time, and its reads are counted with those of the operator.
  world.azure.throttle.limits.reads = { size: 100_000, refillPerSecond: 1000 };
  operator = await RestartableOperator.start(world, '--machine-secrets', '--log-level=debug');
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  azm = SecretWorld.of(world);
  await azm.approve();
  const [rolling, manual] = await Promise.all([
    azm.vault('azmrwest', 'westeurope'),
    azm.vault('azmrnorth', 'northeurope'),
  ]);
  vaults = { rolling, manual };
  const ca = issueCertificate({ commonName: 'ca', ca: true });
  const stringData = { 'tls.crt': ca.cert, 'tls.key': ca.key };
  const metadata = { namespace: 'default', name: 'ca' };
  const authority = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', stringData };
  await world.client.apply(secrets, authority, { fieldManager: 'test', force: true });
  kills = new WriteKills(operator, world.azure);
}, limitMs);

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

const spec = {
  kind: 'Certificate',
  certificate: { subject: 'CN=web.example.com', dnsNames: ['web.example.com'], issuer: { caSecret: { name: 'ca' } } },
  home: { vault: vaultRef('azmrwest') },
  regions: [{ location: 'northeurope', vault: vaultRef('azmrnorth') }],
  rotation: { every: '720h', overlap: '0s' },
  vaultSecretName: 'web',
};

const nameOf: NameOf = ({ service, method, host, path }) => {
  if (service === 'vault') return `${method} ${host.split('.')[0]} ${path.replace(/[0-9a-f]{32}/, '{version}')}`;
  const [, set] = /\/virtualMachineScaleSets\/(rolling|manual)(?:\/manualupgrade)?$/i.exec(path) ?? [];
  return service === 'arm' && set ? `${method} ${path.slice(path.lastIndexOf('/') + 1)}` : undefined;
};
/** The writes of one renewal. */
const writes = [
  'POST azmrwest /certificates/web/create',
  'POST azmrwest /certificates/web/pending/merge',
  'POST azmrnorth /certificates/web/import',
  'PATCH azmrwest /certificates/web/{version}',
  'PATCH azmrnorth /certificates/web/{version}',
  'PUT rolling',
  'PUT manual',
  'POST manualupgrade',
];

const setId = (name: SetName) =>
  `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`;

async function answerOf(name: SetName, path: string) {
  const { status, body } = await world.portal.arm('GET', `${setId(name)}${path}`, '2024-07-01');
  // Before its first PUT there is no set; a throttled read tells nothing of the model.
  if (status !== 200 && status !== 404) throw new Error(`${name}${path} is answered with ${status}`);
  return body;
}

/** The version that the model of a set names, by its id in the vault, and how many instances lack that model. */
async function modelOf(name: SetName): Promise<{ readonly version: string; readonly behind: number }> {
  const versionOf = async () => /\/secrets\/web\/([0-9a-f]{32})"/.exec(JSON.stringify(await answerOf(name, '')))?.[1];
  const before = await versionOf();
  const list = await answerOf(name, '/virtualMachines');
  // Between two reads of the same model, so that the instances are behind that one.
  if ((await versionOf()) !== before) return await modelOf(name);
  type Item = { readonly properties: { readonly latestModelApplied: boolean } };
  const behind = ((list.value ?? []) as Item[]).filter(({ properties }) => !properties.latestModelApplied).length;
  return { version: before ?? 'none', behind };
}

/** Fails once a version is disabled that a model names, or that an instance may still have. */
async function checkUse(name: SetName): Promise<number> {
  const versions = await vaults[name].versions('web');
  const { version, behind } = await modelOf(name);
  const named = versions.find(({ id }) => id.endsWith(version));
  const number = Number(named?.tags['azimuth-version']);
  const disabled = versions
    .filter(({ attributes }) => !attributes.enabled)
    .map(({ tags }) => Number(tags['azimuth-version']));
  const inUse = behind > 0 ? [number, number - 1] : [number];
  const wrong = disabled.filter((each) => inUse.includes(each));
  expect({ name, number, behind, wrong }).toEqual({ name, number, behind, wrong: [] });
  return behind;
}

async function delivered(number: number): Promise<boolean> {
  const states = await Promise.all(
    sets.map(async (name) => {
      const [object, { behind, version }, versions] = await Promise.all([
        world.get(setType, name),
        modelOf(name),
        vaults[name].versions('web'),
      ]);
      const current = versions.find(({ id }) => id.endsWith(version))?.tags['azimuth-version'];
      const enabled = (await numbered(vaults[name], 'web')).filter(([, isEnabled]) => isEnabled);
      const reason = conditionOf(object, 'SecretsDelivered')?.reason;
      return { reason, behind, current, enabled: enabled.map(([each]) => each).join() };
    }),
  );
  const wanted = { reason: 'Delivered', behind: 0, current: String(number), enabled: String(number) };
  return states.every((state) => JSON.stringify(state) === JSON.stringify(wanted));
}

test(
  'killed in mid-roll, at each write and at random, it brings each version to every instance and disables none in use',
  async () => {
    const random = new Random(seed);
    const managedSecrets = [{ managedSecret: 'web', delivery: 'OsProfile' }];
    await azm.secret('web', spec);
    await azm.version('web', 1, limitMs);
    await world.apply(setType, 'rolling', setSpec({ capacity: 4, mode: 'Rolling', managedSecrets }));
    await world.apply(setType, 'manual', { ...setSpec({ capacity: 4, managedSecrets }), location: 'northeurope' });
    await until('version 1 is delivered', () => delivered(1), limitMs);
    const values = [await secretValue()];
    world.azure.journal.clear();

    const moments: readonly When[] = ['before', 'after'];
    for (const [index, moment] of moments.entries()) {
      const number = index + 2;
      kills.begin(moment, nameOf);
      await azm.secret('web', spec, { annotations: { 'azimuth.dev/renew': `number-${number}` } });
      let midRoll = 0;
      let next = Date.now();
      await until(
        `version ${number} is delivered, and the one before is disabled`,
        async () => {
          const behind = await Promise.all(sets.map(checkUse));
          if (Math.max(...behind) > 0 && Date.now() >= next) {
            midRoll += 1;
            next = Date.now() + random.between(1000, 6000);
            await operator.kill();
          }
          return await delivered(number);
        },
        limitMs,
      );
      const hits = kills.end();
      expect({ number, hits: hits.toSorted() }).toEqual({ number, hits: writes.toSorted() });
      expect(midRoll).toBeGreaterThanOrEqual(3);
      values.push(await secretValue());
    }

    for (const name of sets) {
      const puts = armRequests(world, 'PUT', new RegExp(`/${name}$`, 'i')).filter(({ effective }) => effective);
      expect({ name, puts: puts.length }).toEqual({ name, puts: moments.length });
      const all = (await numbered(vaults[name], 'web')).map(([number]) => number);
      expect(all).toEqual(['1', '2', '3']);
    }
    expect(world.azure.journal.reusedTokens()).toEqual([]);
    expect(new Set(values).size).toBe(3);
    for (const value of values) expect(value.length > 1000 && !operator.output.includes(value)).toBe(true);
  },
  4 * limitMs,
);

async function secretValue(): Promise<string> {
  return (await vaults.rolling.secret('web'))?.value ?? '';
}
