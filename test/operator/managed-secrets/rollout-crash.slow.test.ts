/** The operator as a process, ended with SIGKILL while a version goes from region to region and from set to set. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificate } from '../../fakes/certificates.ts';
import { Random } from '../../faults/random.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { type NameOf, type When, WriteKills } from '../crashes/write-kills.ts';
import type { TestVault } from '../export/test-vault.ts';
import { setSpec, setType } from '../machines/machine-world.ts';
import { armRequests, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { numbered, SecretWorld, vaultRef } from './secret-world.ts';

const limitMs = 300_000;
const seed = 20281;
const bakeMs = 2000;
const instances = 2;
/** The sets in the order in which a version goes out: the canary, the named one, the rest of the region, the next region. */
const sets = [
  { name: 'canary', location: 'northeurope', mode: 'Manual' },
  { name: 'named', location: 'northeurope', mode: 'Rolling' },
  { name: 'rest', location: 'northeurope', mode: 'Manual' },
  { name: 'west', location: 'westeurope', mode: 'Rolling' },
] as const;
type SetName = (typeof sets)[number]['name'];

let world: World;
let azm: SecretWorld;
let operator: RestartableOperator;
let kills: WriteKills;
let vaults: Readonly<Record<'westeurope' | 'northeurope', TestVault>>;

beforeAll(async () => {
  const kinds = 'compute.azure.com/VirtualMachine;compute.azure.com/VirtualMachineScaleSet';
  world = await startWorld({ machineSecrets: true, kinds });
  world.azure.settings.rollingBatchMs = 1000;
  // The test reads the sets all the time, and its reads are counted with those of the operator.
  world.azure.throttle.limits.reads = { size: 100_000, refillPerSecond: 1000 };
  operator = await RestartableOperator.start(world, '--machine-secrets');
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  azm = SecretWorld.of(world);
  await azm.approve();
  const [westeurope, northeurope] = await Promise.all([
    azm.vault('azmkwest', 'westeurope'),
    azm.vault('azmknorth', 'northeurope'),
  ]);
  vaults = { westeurope, northeurope };
  await authority('ca');
  kills = new WriteKills(operator, world.azure);
}, limitMs);

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

/** Another authority makes another version at once. */
async function authority(commonName: string): Promise<void> {
  const ca = issueCertificate({ commonName, ca: true });
  const stringData = { 'tls.crt': ca.cert, 'tls.key': ca.key };
  const metadata = { namespace: 'default', name: 'ca' };
  const object = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', stringData };
  await world.client.apply(secrets, object, { fieldManager: 'test', force: true });
}

const spec = {
  kind: 'Certificate',
  certificate: { subject: 'CN=web.example.com', dnsNames: ['web.example.com'], issuer: { caSecret: { name: 'ca' } } },
  home: { vault: vaultRef('azmkwest') },
  regions: [{ location: 'northeurope', vault: vaultRef('azmknorth') }],
  rollout: {
    regions: ['northeurope'],
    canaryPercent: 20,
    consumers: ['canary', 'named'],
    bakeFor: `${bakeMs / 1000}s`,
  },
  rotation: { every: '720h', overlap: '1h' },
  vaultSecretName: 'web',
};

const setId = (name: SetName) =>
  `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`;

interface Model {
  /** Number of the version that the model names. */
  readonly number: number;
  /** Instances without the model, ill ones with it, and those that serve nobody. */
  readonly behind: number;
  readonly ill: number;
  readonly outOfService: number;
}

async function modelOf({ name, location }: (typeof sets)[number]): Promise<Model> {
  const [model, list] = await Promise.all(
    ['', '/virtualMachines?$expand=instanceView'].map(async (path) => {
      const { status, body } = await world.portal.arm('GET', `${setId(name)}${path}`, '2024-07-01');
      if (status !== 200) throw new Error(`${name}${path} is answered with ${status}`);
      return body;
    }),
  );
  const [, id = 'none'] = /\/secrets\/web\/([0-9a-f]{32})"/.exec(JSON.stringify(model)) ?? [];
  const named = (await vaults[location].versions('web')).find((each) => each.id.endsWith(id));
  type Item = {
    readonly properties: {
      readonly latestModelApplied: boolean;
      readonly provisioningState: string;
      readonly instanceView: { readonly vmHealth?: { readonly status: { readonly code: string } } };
    };
  };
  const items = (list.value as Item[]).map(({ properties }) => properties);
  const isIll = ({ instanceView }: Item['properties']) =>
    instanceView.vmHealth?.status.code === 'HealthState/unhealthy';
  return {
    number: Number(named?.tags['azimuth-version']),
    behind: items.filter(({ latestModelApplied }) => !latestModelApplied).length,
    ill: items.filter(isIll).length,
    outOfService: items.filter((each) => isIll(each) || each.provisioningState !== 'Succeeded').length,
  };
}

/** When each set was last seen without the version, by its name. */
const lastBehind = new Map<SetName, number>();

/**
 * Reads the sets, the last one first, and fails once one has the version before the sets before it, or once more
 * instances than one batch serve nobody.
 */
async function checkOrder(number: number): Promise<Model[]> {
  const models: Model[] = [];
  for (const set of [...sets].reverse()) {
    const readAt = Date.now();
    const model = await modelOf(set);
    if (model.number !== number || model.behind > 0) lastBehind.set(set.name, readAt);
    models.unshift(model);
  }
  const latest = models.findLastIndex((model) => model.number === number);
  const early = models.slice(0, Math.max(0, latest)).filter((model) => model.number !== number || model.behind > 0);
  expect({ number, models, early }).toEqual({ number, models, early: [] });
  const outOfService = models.reduce((sum, model) => sum + model.outOfService, 0);
  expect({ number, models, isOneBatch: outOfService <= 1 }).toEqual({ number, models, isOneBatch: true });
  return models;
}

/** Follows a version until `isDone`, and kills the operator at random. `isDone` also gets how often, which is returned. */
async function follow(number: number, random: Random, isDone: (models: readonly Model[], killed: number) => boolean) {
  let killed = 0;
  let next = Date.now() + random.between(1000, 4000);
  await until(
    `version ${number} is where it belongs`,
    async () => {
      const models = await checkOrder(number);
      if (isDone(models, killed)) return true;
      if (Date.now() < next) return false;
      killed += 1;
      await operator.kill();
      next = Date.now() + random.between(2000, 9000);
      return false;
    },
    limitMs,
  );
  return killed;
}

const everywhere = (number: number) => (models: readonly Model[]) =>
  models.every((model) => model.number === number && model.behind === 0 && model.ill === 0);

/** Each set is put once, and no earlier than the time of baking after the last instance of the set before it. */
function checkWrites(): void {
  for (const [index, { name, mode }] of sets.entries()) {
    const puts = armRequests(world, 'PUT', new RegExp(`/${name}$`, 'i')).filter(({ effective }) => effective);
    const batches = armRequests(world, 'POST', new RegExp(`/${name}/manualupgrade$`, 'i')).filter(
      ({ effective }) => effective,
    );
    const before = sets[index - 1]?.name;
    const baked = before === undefined || (puts[0]?.time ?? 0) - (lastBehind.get(before) ?? 0) >= bakeMs;
    expect({ name, puts: puts.length, batches: batches.length, baked }).toEqual({
      name,
      puts: 1,
      batches: mode === 'Manual' ? instances : 0,
      baked: true,
    });
  }
}

const nameOf: NameOf = ({ service, method, host, path }) => {
  if (service === 'vault') return `${method} ${host.split('.')[0]} ${path.replace(/[0-9a-f]{32}/, '{version}')}`;
  const [, set, action = ''] = /\/virtualMachineScaleSets\/(\w+)(\/manualupgrade)?$/i.exec(path) ?? [];
  return service === 'arm' && set ? `${method} ${set}${action}` : undefined;
};
/** The writes of one rollout; that of its state is repeated for each step. */
const writes = [
  'POST azmkwest /certificates/web/create',
  'POST azmkwest /certificates/web/pending/merge',
  'POST azmknorth /certificates/web/import',
  'POST azmkwest /certificates/web/import',
  'PUT azmkwest /secrets/web-rollout',
  'PUT canary',
  'PUT named',
  'PUT rest',
  'PUT west',
  'POST canary/manualupgrade',
  'POST rest/manualupgrade',
];

test(
  'killed at each write and at random, a version keeps its order and bakes, and no set gets it twice',
  async () => {
    const random = new Random(seed);
    await azm.secret('web', spec);
    await azm.version('web', 1, limitMs);
    for (const { name, location, mode } of sets) {
      const managedSecrets = [{ managedSecret: 'web', delivery: 'OsProfile' }];
      await world.apply(setType, name, { ...setSpec({ capacity: instances, mode, managedSecrets }), location });
    }
    await Promise.all(sets.map(({ name }) => untilReady(world, setType, name)));
    const moments: readonly When[] = ['before', 'after'];
    for (const [index, moment] of moments.entries()) {
      const number = index + 2;
      world.azure.journal.clear();
      lastBehind.clear();
      kills.begin(moment, nameOf);
      await authority(`ca ${number}`);
      const killed = await follow(number, random, everywhere(number));
      expect({ number, hits: kills.end().toSorted() }).toEqual({ number, hits: writes.toSorted() });
      expect(killed).toBeGreaterThanOrEqual(1);
      checkWrites();
      await azm.version('web', number, limitMs);
    }
    const numbers = async (vault: TestVault) => (await numbered(vault, 'web')).map(([number]) => number).join(' ');
    expect(await numbers(vaults.northeurope)).toBe('1 2 3');
    // In the home vault the former version is the newest one again until the turn of its region.
    expect(await numbers(vaults.westeurope)).toBe('1 1 2 2 2 3 3');
  },
  4 * limitMs,
);

test(
  'killed at random, a version that makes an instance ill stays at that one, until a pin takes it back',
  async () => {
    const random = new Random(seed + 1);
    world.azure.journal.clear();
    world.azure.setInstanceHealth({ id: setId('canary'), health: 'unhealthy', when: 'afterUpgrade' });
    await authority('ca 4');
    await follow(4, random, ([canary], killed) => killed >= 2 && canary?.ill === 1);
    expect((await checkOrder(4)).map(({ number }) => number)).toEqual([4, 3, 3, 3]);
    expect((await modelOf(sets[0])).behind).toBe(instances - 1);
    await azm.reason('web', 'RolloutStopped', 'default', limitMs);

    world.azure.setInstanceHealth({ id: setId('canary'), health: 'healthy', when: 'afterUpgrade' });
    await azm.secret('web', { ...spec, pinnedVersion: 3 });
    await follow(4, random, everywhere(3));
    await azm.reason('web', 'VersionPinned', 'default', limitMs);
    const others = /\/(?:named|rest|west)(?:\/manualupgrade)?$/i;
    const written = [...armRequests(world, 'PUT', others), ...armRequests(world, 'POST', others)];
    expect(written.filter(({ effective }) => effective)).toEqual([]);
    expect(armRequests(world, 'PUT', /\/canary$/i).filter(({ effective }) => effective)).toHaveLength(2);
  },
  4 * limitMs,
);

test('no token is used twice, and no key is in the output', () => {
  expect(world.azure.journal.reusedTokens()).toEqual([]);
  expect(operator.output).not.toMatch(/PRIVATE KEY/);
});
