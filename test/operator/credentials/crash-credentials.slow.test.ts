import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { KillPlan } from '../crashes/kill-plan.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { armRequests, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { PasswordWatch, textOf } from './password-watch.ts';

const server = resourceOf(kindOf('sql.azure.com', 'Server'));
const watch = new PasswordWatch();
let world: World;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startWorld({ behaviours: watch.behaviours, kinds: 'sql.azure.com/Server' });
  operator = await RestartableOperator.start(world);
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});

afterAll(async () => {
  await operator?.close();
  await world?.close();
});

/** What a write about the server is for. */
function meaningOf(path: string, body: string): string {
  if (/\/secrets(\/|\?|$)/.test(path)) {
    if (body.includes('"pendingPassword":null')) return 'swap';
    return body.includes('"pendingPassword"') ? 'pending' : 'secret';
  }
  if (path.includes('/status')) return 'status';
  if (body.includes('"azimuth.dev/journal":null')) return 'over';
  return /\\"state\\":\\"(\w+)\\"/.exec(body)?.[1] ?? 'claim';
}

/** Kills the operator around the write about the server that this wants; `killed` is that write. */
function killAt(name: string, when: 'before' | 'after', wants: (what: string) => boolean) {
  const kill: { killed?: string } = {};
  operator.gate.judge = (_, path, body) => {
    const secret = /\/secrets(\/|\?|$)/.test(path) && `${path}${body}`.includes(`${name}-admin`);
    if (kill.killed !== undefined || !(secret || path.includes(`/servers/${name}`))) return undefined;
    const what = meaningOf(path, body);
    if (!wants(what)) return undefined;
    kill.killed = what;
    return when;
  };
  return kill;
}

const effective = (name: string) =>
  armRequests(world, 'PUT', new RegExp(`/servers/${name}$`)).filter((each) => each.effective).length;
const stored = async (name: string) =>
  textOf(await world.client.tryGet(secrets, { namespace: 'default', name: `${name}-admin` }));

test.each(['before', 'after'] as const)(
  'killed %s every write while a server and its administrator are made, the operator generates one password',
  async (when) => {
    const runs: string[] = [];
    const plan = new KillPlan();
    for (let run = 1; ; run++) {
      const name = `made${when}${run}`;
      plan.begin();
      const kill = killAt(name, when, (what) => plan.meets(what));
      const operatorSpec = { generatedCredentials: { name: `${name}-admin` } };
      await world.apply(server, name, { location: 'westeurope', owner: { name: 'rg' }, operatorSpec });
      await untilReady(world, server, name);
      const { password, fullyQualifiedServerName } = await stored(name);
      const { killed } = kill;
      expect({
        killed,
        passwords: watch.passwords.get(name),
        host: fullyQualifiedServerName,
        puts: effective(name),
      }).toEqual({
        killed,
        passwords: [password],
        host: `${name}.database.windows.net`,
        puts: 1,
      });
      if (killed === undefined) break;
      runs.push(killed);
    }
    // The credentials and what is put beside them; the intent and the end of the PUT.
    expect(runs.filter((run) => run === 'secret').length).toBeGreaterThanOrEqual(2);
    for (const what of ['claim', 'Running', 'over']) expect(runs).toContain(what);
    expect(operator.kills).toBeGreaterThanOrEqual(runs.length);
  },
  600_000,
);

test.each(['before', 'after'] as const)(
  'killed %s every write of a rotation, the operator sets one new password, and the old one is there until it is set',
  async (when) => {
    const name = `turned${when}`;
    operator.gate.judge = () => undefined;
    const operatorSpec = { generatedCredentials: { name: `${name}-admin` } };
    await world.apply(server, name, { location: 'westeurope', owner: { name: 'rg' }, operatorSpec });
    await untilReady(world, server, name);
    for (const target of ['pending', 'Running', 'Polling', 'over', 'swap', 'status']) {
      const before = [...(watch.passwords.get(name) ?? [])];
      const puts = effective(name);
      const kill = killAt(name, when, (what) => what === target);
      const losses: string[] = [];
      const body = { metadata: { annotations: { [annotations.rotateCredentials]: `${when} ${target}` } } };
      await world.client.patch(server, { namespace: 'default', name }, { type: 'merge', body });
      await until(
        'the new password is set and stored',
        async () => {
          const live = watch.of(name) ?? '';
          const { password, pendingPassword } = await stored(name);
          const lost = ![password, pendingPassword].includes(live);
          // Unless Azure took another one while the Secret was being read.
          if (lost && live === watch.of(name)) losses.push(target);
          return (
            kill.killed !== undefined &&
            pendingPassword === undefined &&
            password !== before.at(-1) &&
            live === password
          );
        },
        120_000,
      );
      const after = watch.passwords.get(name) ?? [];
      expect({ target, new: after.length - before.length, puts: effective(name) - puts, losses }).toEqual({
        target,
        new: 1,
        puts: 1,
        losses: [],
      });
    }
    expect(world.azure.journal.reusedTokens()).toEqual([]);
  },
  600_000,
);
