import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { armRequests, condition, gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { KillPlan } from './kill-plan.ts';
import { RestartableOperator } from './restartable-operator.ts';

let world: World;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startWorld();
  operator = await RestartableOperator.start(world);
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
  operatorSpec: { secrets: { key1: { name, key: 'key' } } },
});

test('killed at every write of an account’s life, before it or after it, the operator sends one PUT and leaves nothing', async () => {
  const runs: string[] = [];
  for (const when of ['before', 'after'] as const) {
    const plan = new KillPlan();
    for (let run = 1; ; run++) {
      const name = `${when}${run}`;
      plan.begin();
      operator.gate.judge = (method, path, body) => {
        const about =
          path.includes(`/storageaccounts/${name}`) || (/\/secrets(\?|$)/.test(path) && body.includes(`"${name}"`));
        if (!about) return undefined;
        const where = path.replace(name, 'NAME').replace(/\?.*/, '');
        const what = `${method} ${where} ${Object.keys(JSON.parse(body).metadata?.annotations ?? {})}`;
        return plan.meets(what) ? when : undefined;
      };
      await world.apply(types.account, name, spec(name));
      await untilReady(world, types.account, name);
      expect((await world.get(secrets, name))['data']).toHaveProperty('key');
      await world.client.delete(types.account, { namespace: 'default', name });
      await gone(world, types.account, name);

      const { killedAt } = plan;
      const path = new RegExp(`/storageAccounts/${name}$`);
      const effective = (method: string) => armRequests(world, method, path).filter((each) => each.effective);
      expect({ name, killedAt, puts: effective('PUT').length }).toEqual({ name, killedAt, puts: 1 });
      expect({ name, killedAt, deletes: effective('DELETE').length }).toEqual({ name, killedAt, deletes: 1 });
      const id = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/${name}`;
      expect((await world.portal.arm('GET', id, '2023-01-01')).status).toBe(404);
      if (killedAt === undefined) break;
      runs.push(`${when} ${killedAt}`);
    }
  }
  operator.gate.judge = () => undefined;
  for (const when of ['before', 'after']) expect(runs).toContainEqual(expect.stringMatching(`^${when} .*/secrets `));
  // Claim, intent, operation, result, deletion and release are all among them, once in each direction.
  expect(runs.length).toBeGreaterThanOrEqual(2 * 8);
  expect(runs.filter((run) => run.includes('azimuth.dev/journal')).length).toBeGreaterThanOrEqual(2 * 3);
  expect(world.azure.journal.reusedTokens()).toEqual([]);
}, 600_000);

test('killed between a PUT and its journal while Azure still works on it, the operator waits for that end and sends no other', async () => {
  world.azure.settings.operationMs = 4000;
  const name = 'working';
  let killed = false;
  operator.gate.judge = (_, path, body) => {
    if (killed || !path.includes(`/storageaccounts/${name}`) || !body.includes('Polling')) return undefined;
    killed = true;
    return 'before';
  };
  await world.apply(types.account, name, spec(name));
  await until('the operator was killed', async () => killed);
  const ready = await untilReady(world, types.account, name);
  expect(ready['status'].provisioningState).toBe('Succeeded');
  expect(armRequests(world, 'PUT', /storageAccounts\/working$/)).toHaveLength(1);
  // Asked while the account is being made, Azure would refuse.
  expect(armRequests(world, 'POST', /working\/listKeys$/).map(({ status }) => status)).toEqual([200]);
  operator.gate.judge = () => undefined;
  world.azure.settings.operationMs = 50;
});

test('at SIGTERM the operator ends with 0, and the next operator continues with the object', async () => {
  world.azure.settings.operationMs = 8000;
  const path = /storageAccounts\/handover$/;
  await world.apply(types.account, 'handover', spec('handover'));
  await until('the PUT is out', async () => armRequests(world, 'PUT', path).length === 1);
  await until('the operation is in the journal', async () =>
    (await world.get(types.account, 'handover')).metadata.annotations?.['azimuth.dev/journal']?.includes('Polling'),
  );
  expect(await operator.replace()).toEqual({ code: 0, signal: null });
  const ready = await untilReady(world, types.account, 'handover');
  expect(condition(ready)?.status).toBe('True');
  expect(armRequests(world, 'PUT', path)).toHaveLength(1);
  world.azure.settings.operationMs = 50;
});
