import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { annotations } from '../../runtime/operator/names.ts';
import { type EmbeddedAzure, startEmbeddedAzure } from '../../runtime/sandbox/azure/azure.ts';
import { Gate, type OperatorProcess, spawnOperator } from './child.ts';
import { PasswordWatch, textOf } from './password-watch.ts';
import { armRequests, secrets, settled, startWorld, types, until, type World } from './support.ts';

const server = resourceOf(kindOf('sql.azure.com', 'Server'));
const watch = new PasswordWatch();
let azure: EmbeddedAzure;
let world: World;
let gate: Gate;
let program: OperatorProcess;
let kills = 0;

const flags = ['--enable-leader-election=false', '--poll-interval=50ms'];
const start = () => spawnOperator({ ...world.azure.env(), KUBECONFIG: gate.kubeconfigFile }, flags);

beforeAll(async () => {
  azure = await startEmbeddedAzure({ arm: { operationMs: 50, retryAfterSeconds: 0 }, behaviours: watch.behaviours });
  world = await startWorld({ azure });
  gate = await Gate.open(world.kube, world.adminToken());
  gate.kill = () => {
    kills += 1;
    const killed = program;
    killed.child.kill('SIGKILL');
    void killed.ended.then(() => {
      if (program === killed) program = start();
    });
  };
  program = start();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await settled(world, types.group, 'rg');
}, 150_000);

afterAll(async () => {
  program?.child.kill('SIGKILL');
  await gate?.close();
  await world?.close();
  await azure?.close();
}, 60_000);

/** Kills the operator around its nth write about the server; `killed` tells at which, once it happened. */
function killAt(name: string, when: 'before' | 'after', target: number) {
  const told: { killed?: string } = {};
  let writes = 0;
  gate.judge = (method, path, body) => {
    const secret = /\/secrets(\/|\?|$)/.test(path) && `${path}${body}`.includes(`${name}-admin`);
    if (!(secret || path.includes(`/servers/${name}`)) || ++writes !== target) return undefined;
    const journal = /\\"state\\":\\"(\w+)\\"/.exec(body)?.[1] ?? '';
    const what = body.includes('"pendingPassword":null') ? 'swap' : body.includes('"pendingPassword"') ? 'pending' : '';
    const place = secret ? `secret ${what}` : path.includes('/status') ? 'status' : `server ${journal}`;
    told.killed = `${when} ${method} ${place}`;
    return when;
  };
  return told;
}

const effective = (name: string) =>
  armRequests(world, 'PUT', new RegExp(`/servers/${name}$`)).filter((each) => each.effective).length;
const stored = async (name: string) =>
  textOf(await world.client.tryGet(secrets, { namespace: 'default', name: `${name}-admin` }));

test.each(['before', 'after'] as const)(
  'killed %s every write while a server and its administrator are made, the operator makes up one password',
  async (when) => {
    const lives: string[] = [];
    for (let target = 1; ; target++) {
      const name = `made${when}${target}`;
      const told = killAt(name, when, target);
      const operatorSpec = { generatedCredentials: { name: `${name}-admin` } };
      await world.apply(server, name, { location: 'westeurope', owner: { name: 'rg' }, operatorSpec });
      await settled(world, server, name);
      const { password, fullyQualifiedServerName } = await stored(name);
      const { killed } = told;
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
      lives.push(killed);
    }
    expect(lives.filter((life) => life.includes('POST secret'))).toHaveLength(1);
    expect(lives.filter((life) => life.includes('PATCH secret'))).toHaveLength(1);
    expect(lives.filter((life) => life.includes('Running'))).toHaveLength(1);
    expect(kills).toBeGreaterThanOrEqual(lives.length);
  },
  300_000,
);

test.each(['before', 'after'] as const)(
  'killed %s every write of a rotation, the operator sets one new password, and the old one is there until it is set',
  async (when) => {
    const name = `turned${when}`;
    gate.judge = () => undefined;
    const operatorSpec = { generatedCredentials: { name: `${name}-admin` } };
    await world.apply(server, name, { location: 'westeurope', owner: { name: 'rg' }, operatorSpec });
    await settled(world, server, name);
    const lives: string[] = [];
    let idle = 0;
    for (let target = 1; ; target++) {
      const before = [...(watch.passwords.get(name) ?? [])];
      const puts = effective(name);
      const told = killAt(name, when, target);
      const losses: string[] = [];
      await world.client.patch(
        server,
        { namespace: 'default', name },
        { type: 'merge', body: { metadata: { annotations: { [annotations.rotateCredentials]: `${when}${target}` } } } },
      );
      await until(
        'the new password is set and stored',
        async () => {
          const live = watch.of(name);
          const { password, pendingPassword } = await stored(name);
          // Azure took it after this Secret was read, or it is in it.
          if (live === watch.of(name) && ![password, pendingPassword].includes(live)) losses.push(String(told.killed));
          return pendingPassword === undefined && password !== before.at(-1) && live === password;
        },
        120_000,
      );
      await settled(world, server, name);
      const { killed } = told;
      const after = watch.passwords.get(name) ?? [];
      expect({ killed, new: after.length - before.length, puts: effective(name) - puts, losses }).toEqual({
        killed,
        new: 1,
        puts: 1,
        losses: [],
      });
      // How often the status is written in between varies: one life without so many writes is not the last.
      idle = killed === undefined ? idle + 1 : 0;
      if (idle === 2) break;
      if (killed !== undefined) lives.push(killed);
    }
    for (const what of ['pending', 'swap', 'Running']) expect(lives.join('; ')).toContain(what);
    expect(world.azure.journal.reusedTokens()).toEqual([]);
  },
  300_000,
);
