/**
 * The operator killed with SIGKILL at every write of a ManagedSecret, before it or after it. A Password stands for SshKey
 * and SymmetricKey: these differ in the generated value alone.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificate } from '../../fakes/certificates.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { type NameOf, type When, WriteKills } from '../crashes/write-kills.ts';
import type { TestVault } from '../export/test-vault.ts';
import { armRequests, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

let world: World;
let azm: SecretWorld;
let operator: RestartableOperator;
let kills: WriteKills;
let west: TestVault;
let north: TestVault;

beforeAll(async () => {
  // Without the kinds of machines nobody knows which versions machines use, and none is disabled.
  const kinds = 'compute.azure.com/VirtualMachine;compute.azure.com/VirtualMachineScaleSet';
  world = await startWorld({ machineSecrets: true, kinds });
  operator = await RestartableOperator.start(world, '--machine-secrets', '--log-level=debug');
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  azm = SecretWorld.of(world);
  await azm.approve();
  [west, north] = await Promise.all([azm.vault('azmkwest', 'westeurope'), azm.vault('azmknorth', 'northeurope')]);
  const ca = issueCertificate({ commonName: 'ca', ca: true });
  const stringData = { 'tls.crt': ca.cert, 'tls.key': ca.key };
  const metadata = { namespace: 'default', name: 'ca' };
  const authority = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', stringData };
  await world.client.apply(secrets, authority, { fieldManager: 'test', force: true });
  kills = new WriteKills(operator, world.azure);
});

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

const certificate = { subject: 'CN=web.example.com', dnsNames: ['web.example.com'] };
const byCa = { ...certificate, issuer: { caSecret: { name: 'ca' } } };
const owner = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };
const account = (moment: When) => `azmk${moment}`;
const resource = (moment: When) => ({ group: 'storage.azure.com', kind: 'StorageAccount', name: account(moment) });

/** The life cycle of a ManagedSecret: created, renewed, and its first version disabled. */
interface LifeCycle {
  readonly title: string;
  readonly spec: (moment: When) => object;
  /** All writes, each of which the operator does not survive. */
  readonly writes: readonly string[];
}

const vaults = ['azmkwest', 'azmknorth'];
const secret = (path: string) =>
  vaults.flatMap((vault) => [
    `make PUT ${vault} ${path}`,
    `renew PUT ${vault} ${path}`,
    `renew PATCH ${vault} ${path}/{version}`,
  ]);
const settings = [...secret('/secrets/NAME'), ...secret('/secrets/NAME-vmaccess')];
const certificates = [
  ...vaults.map((vault) => `renew PATCH ${vault} /certificates/NAME/{version}`),
  ...['make', 'renew'].flatMap((phase) => [
    `${phase} POST azmkwest /certificates/NAME/create`,
    `${phase} POST azmknorth /certificates/NAME/import`,
  ]),
];
const identities = 'userassignedidentities/name';
const lifeCycles: readonly LifeCycle[] = [
  { title: 'Password', spec: () => ({ kind: 'Password' }), writes: settings },
  { title: 'Certificate', spec: () => ({ kind: 'Certificate', certificate }), writes: certificates },
  {
    title: 'Certificate by a CA',
    spec: () => ({ kind: 'Certificate', certificate: byCa }),
    writes: [
      ...certificates,
      ...['make', 'renew'].map((phase) => `${phase} POST azmkwest /certificates/NAME/pending/merge`),
    ],
  },
  {
    title: 'ResourceKey',
    spec: (moment) => ({ kind: 'ResourceKey', resourceKey: { resource: resource(moment), key: 'key1' } }),
    writes: [...secret('/secrets/NAME'), 'renew POST arm regenerateKey', 'renew PATCH kube storageaccounts'],
  },
  {
    title: 'Identity',
    spec: () => ({ kind: 'Identity', identity: { location: 'westeurope', owner } }),
    writes: [
      `make PATCH kube ${identities}-1`,
      `make PUT arm ${identities}-1`,
      `renew PATCH kube ${identities}-2`,
      `renew PUT arm ${identities}-2`,
      `renew DELETE kube ${identities}-1`,
      `renew PATCH kube ${identities}-1`,
      `renew DELETE arm ${identities}-1`,
    ],
  },
];

/** Names the writes of one life cycle; those of the status repeat what the vaults have. */
function namesOf(name: string, moment: When, phase: () => string): NameOf {
  return ({ service, method, host, path }) => {
    const where = service === 'vault' ? host.split('.')[0] : service;
    if (path.endsWith('/regenerateKey')) return `${phase()} ${method} ${where} regenerateKey`;
    if (service === 'kube' && path.endsWith(`/storageaccounts/${account(moment)}`) && phase() === 'renew')
      return `renew ${method} kube storageaccounts`;
    if (!path.includes(name)) return undefined;
    if (service === 'vault')
      return `${phase()} ${method} ${where} ${path.replace(name, 'NAME').replace(/[0-9a-f]{32}/, '{version}')}`;
    const [, version] = /\/userassignedidentities\/.*-([12])$/i.exec(path) ?? [];
    return version && `${phase()} ${method} ${where} ${identities}-${version}`;
  };
}

/** A life cycle has twelve starts of the operator, which take long on a machine that others use. */
const limitMs = 240_000;

const cases = lifeCycles.flatMap((cycle) =>
  (['before', 'after'] as const).map((moment) => [cycle.title, moment, cycle] as const),
);

test.each(cases)(
  '%s, killed %s each write: each version once, equal copies, and no value in a log',
  async (title, moment, cycle) => {
    const name = `${title.toLowerCase().replaceAll(' ', '-')}-${moment}`;
    const inVaults = title !== 'Identity';
    const spec = {
      ...cycle.spec(moment),
      rotation: { every: '720h', overlap: '0s' },
      ...(inVaults && {
        home: { vault: vaultRef('azmkwest') },
        regions: [{ location: 'northeurope', vault: vaultRef('azmknorth') }],
        vaultSecretName: name,
      }),
    };
    if (title === 'ResourceKey') {
      const { name: of } = resource(moment);
      const storage = {
        location: 'westeurope',
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
        owner: { name: 'rg' },
      };
      await world.apply(types.account, of, storage, { annotations: { 'azimuth.dev/rotation-overlap': '1s' } });
      await untilReady(world, types.account, of);
    }
    world.azure.journal.clear();
    let phase = 'make';
    kills.begin(
      moment,
      namesOf(name, moment, () => phase),
    );
    await azm.secret(name, spec);
    await azm.version(name, 1, limitMs);
    const values = inVaults ? await valuesOf(name) : [];
    phase = 'renew';
    await azm.secret(name, spec, { annotations: { 'azimuth.dev/renew': 'once' } });
    if (title === 'ResourceKey') {
      await until(
        'the keys are renewed',
        async () =>
          JSON.stringify((await world.get(types.account, account(moment)))['status']).includes('"reason":"Rotated"'),
        limitMs,
      );
      // The next process reads the key at once, and this one after a minute.
      await operator.kill();
    }
    await azm.version(name, 2, limitMs);
    if (inVaults) values.push(...(await valuesOf(name)));
    const first = `${name}-1`;
    await until(
      'the first version is disabled, or gone',
      async () => {
        await azm.poke(name);
        if (!inVaults) return kills.hits.includes(`renew DELETE arm ${identities}-1`) && (await isGone(first));
        const versions = await Promise.all([numbered(west, name), numbered(north, name)]);
        return versions.every((each) => JSON.stringify(each) === '[["1",false],["2",true]]');
      },
      limitMs,
    );

    const hits = kills.end();
    expect(hits.toSorted()).toEqual(cycle.writes.toSorted());
    const written = world.azure.journal
      .entries({ service: 'vault', path: new RegExp(`/${name}(-vmaccess)?(/|$)`) })
      .filter(({ effective }) => effective);
    expect(written).toHaveLength(cycle.writes.filter((write) => / azmk/.test(write)).length);
    const puts = armRequests(world, 'PUT', new RegExp(`${name}-[0-9a-f]+-[12]$`)).filter(({ effective }) => effective);
    expect(puts).toHaveLength(inVaults ? 0 : 2);
    expect(new Set(values).size).toBe(inVaults ? values.length : 0);
    for (const value of values) {
      expect(value.length).toBeGreaterThan(20);
      expect(operator.output.includes(value)).toBe(false);
    }
  },
  3 * limitMs,
);

/** The values of both vaults, which must be equal. */
async function valuesOf(name: string): Promise<string[]> {
  const both = async (path: string) =>
    (await Promise.all([west, north].map((vault) => vault.send('GET', path)))).map(({ body }) => body);
  const values = (await both(`/secrets/${name}`)).map(({ value }) => value as string);
  const certificates = (await both(`/certificates/${name}`)).map(({ cer }) => cer as string | undefined);
  // Each vault encrypts the key of a certificate anew.
  const [first, second] = certificates[0] === undefined ? values : certificates;
  expect(second === first).toBe(true);
  const logins = (await both(`/secrets/${name}-vmaccess`)).map(({ value }) => value as string | undefined);
  expect(logins[0] === logins[1]).toBe(true);
  return [...new Set(values)];
}

async function isGone(name: string): Promise<boolean> {
  return (await world.client.tryGet(types.identity, { namespace: 'default', name })) === undefined;
}
