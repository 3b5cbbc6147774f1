import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import type { Gate } from '../crashes/child.ts';
import { KillPlan } from '../crashes/kill-plan.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { armRequests, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { KeyWatch } from './key-watch.ts';

const overlapMs = 200;
const watch = new KeyWatch(overlapMs);
let azure: EmbeddedAzure;
let world: World;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startWorld({ behaviours: watch.behaviours, kinds: 'documentdb.azure.com/DatabaseAccount' });
  azure = world.azure;
  operator = await RestartableOperator.start(world, `--rotation-overlap=${overlapMs}ms`);
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

const spec = (name: string) => ({
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  owner: { name: 'rg' },
  operatorSpec: { secrets: { key1: { name, key: 'key1' }, key2: { name, key: 'key2' } } },
});

/** What a write of a Secret is going to publish. */
function note(path: string, body: string): void {
  const { metadata, data } = JSON.parse(body) as { metadata?: { name?: string }; data?: Record<string, string> };
  const name = metadata?.name ?? /\/secrets\/([^/?]+)/.exec(path)?.[1] ?? '';
  watch.wrote({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
}

const idOf = (name: string) =>
  `/subscriptions/${azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/${name}`;

async function keysOf(name: string): Promise<Record<string, string>> {
  const { body } = await world.portal.arm('POST', `${idOf(name)}/listKeys`, '2023-01-01');
  return Object.fromEntries(body.keys.map((key: { keyName: string; value: string }) => [key.keyName, key.value]));
}

beforeAll(async () => {
  operator.gate.judge = onlyNote;
  await world.apply(types.account, 'keys', spec('keys'));
  await untilReady(world, types.account, 'keys');
});

/** No kill: writes are only noted. */
const onlyNote: Gate['judge'] = (_, path, body) => {
  if (/\/secrets(\/|\?|$)/.test(path) && body.includes('data')) note(path, body);
  return undefined;
};

const renewed = () => armRequests(world, 'POST', /\/keys\/regenerateKey$/).filter((each) => each.effective).length;

/** Asks for new keys once and kills the operator at one of its writes; tells at which, undefined where none is left. */
async function rotateAndKill(when: 'before' | 'after', run: number, plan: KillPlan): Promise<string | undefined> {
  const before = await keysOf('keys');
  const count = renewed();
  plan.begin();
  operator.gate.judge = (method, path, body) => {
    const secret = /\/secrets(\/|\?|$)/.test(path);
    if (!secret && !path.includes('/storageaccounts/keys')) return undefined;
    const memo = JSON.parse(body).metadata?.annotations?.[annotations.rotation] ?? '';
    const what = path.includes('/status') ? 'status' : (/"state":"(\w+)"/.exec(memo)?.[1] ?? '');
    const step = /"step":(\d)/.exec(memo)?.[1] ?? '';
    const at = plan.meets(`${method} ${secret ? 'secret' : 'account'} ${what} ${step}`) ? when : undefined;
    if (secret && at !== 'before') note(path, body);
    return at;
  };
  const patch = { metadata: { annotations: { [annotations.rotateKeys]: `${when}${run}` } } };
  const { [annotations.keysRotated]: metBefore } = (await world.get(types.account, 'keys')).metadata.annotations ?? {};
  await world.client.patch(types.account, { namespace: 'default', name: 'keys' }, { type: 'merge', body: patch });
  let last: unknown;
  await until(
    'the keys are new',
    async () => {
      last = (await world.get(types.account, 'keys')).metadata.annotations;
      const { [annotations.keysRotated]: met, [annotations.rotation]: left } = last as Record<
        string,
        string | undefined
      >;
      return met !== undefined && met !== metBefore && left === undefined;
    },
    120_000,
  ).catch((error: Error) => {
    throw new Error(
      `${error.message}; killed ${when} ${plan.killedAt}; last ${JSON.stringify(last)}; the operator said ${operator.lastOutput}`,
    );
  });
  await untilReady(world, types.account, 'keys', 'Succeeded');
  // A write that comes later belongs to no run: a kill at it would be counted by none.
  operator.gate.judge = onlyNote;
  const { killedAt } = plan;
  const after = await keysOf('keys');
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  const data = (await world.get(secrets, 'keys'))['data'] as Record<string, string>;
  const shown = Object.fromEntries(Object.entries(data).map(([k, v]) => [k, Buffer.from(v, 'base64').toString()]));
  expect({ killedAt, renewed: renewed() - count, changed, shown }).toEqual({
    killedAt,
    renewed: 2,
    changed: ['key1', 'key2'],
    shown: after,
  });
  expect(watch.violations).toEqual([]);
  return killedAt;
}

test.each(['before', 'after'] as const)(
  'killed %s every write of a rotation, the operator renews each key once and publishes no dead one',
  async (when) => {
    const runs: string[] = [];
    const killsBefore = operator.kills;
    const plan = new KillPlan();
    for (let run = 1; ; run++) {
      const killedAt = await rotateAndKill(when, run, plan);
      if (killedAt === undefined) break;
      runs.push(killedAt);
    }
    expect(operator.kills - killsBefore).toBe(runs.length);
    // Announcements, what became of them, and all three publications are among them.
    const among = (what: string) => runs.filter((run) => run.includes(what)).length;
    expect(among('Running')).toBeGreaterThanOrEqual(2);
    expect(among('Pending')).toBeGreaterThanOrEqual(4);
    expect(among('secret')).toBeGreaterThanOrEqual(3);
    expect(world.azure.journal.reusedTokens()).toEqual([]);
  },
  600_000,
);

test('killed while Cosmos renews a key and before its operation is noted, the operator waits for the key and renews it once', async () => {
  const database = resourceOf(kindOf('documentdb.azure.com', 'DatabaseAccount'));
  operator.gate.judge = () => undefined;
  const cosmos = {
    location: 'westeurope',
    owner: { name: 'rg' },
    databaseAccountOfferType: 'Standard',
    locations: [{ locationName: 'westeurope' }],
    operatorSpec: { secrets: { primaryMasterKey: { name: 'cosmos', key: 'primary' } } },
  };
  await world.apply(database, 'slowly', cosmos);
  await untilReady(world, database, 'slowly');
  azure.settings.operationMs = 3000;
  const already = watch.renewals.length;
  let killed = false;
  operator.gate.judge = (_, path, body) => {
    if (killed || !path.includes('/databaseaccounts/slowly') || !body.includes('\\"state\\":\\"Polling'))
      return undefined;
    killed = true;
    return 'before';
  };
  const body = { metadata: { annotations: { [annotations.rotateKeys]: 'now' } } };
  await world.client.patch(database, { namespace: 'default', name: 'slowly' }, { type: 'merge', body });
  await until(
    'the keys are new',
    async () => {
      const { metadata } = await world.get(database, 'slowly');
      return metadata.annotations?.[annotations.keysRotated] !== undefined;
    },
    180_000,
  );
  expect(killed).toBe(true);
  expect(watch.renewals.slice(already).map(({ names }) => names)).toEqual([
    ['secondaryMasterKey'],
    ['secondaryReadonlyMasterKey'],
    ['primaryMasterKey'],
    ['primaryReadonlyMasterKey'],
  ]);
}, 200_000);
