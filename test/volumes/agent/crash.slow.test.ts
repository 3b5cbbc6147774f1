import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { tryReadRecord } from '../../../runtime/volumes/driver/mount-record.ts';
import { eventually } from '../../fakes/eventually.ts';
import { programEnv } from '../../fakes/program-env.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { socketOf, startAgent } from './harness.ts';

/** The one pod that the fake API server of a killed agent knows. */
const uid = 'uid-1';
let bench: VolumeBench;

beforeAll(async () => {
  bench = await startVolumeBench();
});
beforeEach(() => {
  bench.azure.faults.clear();
  bench.azure.journal.clear();
  bench.settings({ agentSocket: socketOf(bench) });
});
afterAll(async () => bench?.[Symbol.asyncDispose]());

interface Killed {
  readonly child: ChildProcess;
  readonly steps: string[];
  readonly events: string[];
  /** The signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

async function start(killAt: number): Promise<Killed> {
  const child = fork(join(import.meta.dirname, 'killed-agent.ts'), [bench.settingsFile, socketOf(bench)], {
    env: { ...programEnv(), KILL_AT: String(killAt) },
    execArgv: ['--no-warnings'],
  });
  const steps: string[] = [];
  const events: string[] = [];
  const listening = Promise.withResolvers<void>();
  child.on('message', (message: 'listening' | { step?: string; events?: string[] }) => {
    if (message === 'listening') return listening.resolve();
    if (message.step !== undefined) steps.push(message.step);
    events.push(...(message.events ?? []));
  });
  // After the messages that it sent, which its exit may precede.
  const ended = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null);
  void ended.then(() => listening.resolve());
  await listening.promise;
  return { child, steps, events, ended };
}

async function stop({ child, ended }: Killed): Promise<void> {
  if (child.connected) child.send('stop');
  await ended;
}

const options = (name: string, change: Record<string, string | undefined> = {}) =>
  bench.options({
    keyvaultobjectnames: `${name};${name}`,
    keyvaultobjecttypes: 'secret;secret',
    keyvaultobjectaliases: 'one;two',
    'kubernetes.io/pod.uid': uid,
    ...change,
  });

(canMount ? describe : describe.skip)('the agent, killed', () => {
  test('before any step of a refresh, leaves a volume that is all old or all new, and the next one finishes it', async () => {
    const { moved: first } = await bench.write({ secrets: [{ name: 'moved', value: 'value-0' }] });
    const directory = bench.volume('moved', uid);
    const mounting = await start(-1);
    expect(await bench.kv('mount', directory, options('moved', { refresh: 'true' }))).toMatchObject({
      code: 0,
      document: { status: 'Success' },
    });
    await stop(mounting);
    const records = join(dirname(socketOf(bench)), 'mounts');
    const [name = ''] = readdirSync(records);
    const recorded = () => tryReadRecord(records, name)?.versions['one'];
    expect(recorded()).toBe(first);

    let steps: string[] | undefined;
    for (let killAt = 0; steps === undefined || killAt < steps.length; killAt++) {
      const [before, after] = [`value-${killAt}`, `value-${killAt + 1}`];
      const { moved: version } = await bench.write({ secrets: [{ name: 'moved', value: after }] });
      const killed = await start(killAt);
      expect([killAt, await killed.ended]).toEqual([killAt, 'SIGKILL']);
      const seen = filesOf(directory);
      expect([
        { one: before, two: before },
        { one: after, two: after },
      ]).toContainEqual(seen);

      const unfinished = recorded() !== version;
      const next = await start(-1);
      await eventually('the record is new', () => recorded() === version);
      await stop(next);
      expect(filesOf(directory)).toEqual({ one: after, two: after });
      expect(readdirSync(directory).filter((entry) => entry.startsWith('..2'))).toHaveLength(1);
      // Told by who finished it, if not by who was killed.
      if (unfinished) expect([killAt, next.events]).toEqual([killAt, ['VaultObjectsChanged']]);
      // The second change from the first is a whole refresh: its steps are all there are.
      steps ??= next.steps;
    }
    expect(steps).toEqual(
      expect.arrayContaining(['refresh', 'write one', 'switch', 'event', 'restart', 'record', 'refreshed']),
    );
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
  }, 300_000);

  test('while a driver waits for it, lets the driver help itself', async () => {
    await bench.write({ secrets: [{ name: 'waited', value: 'for' }] });
    const killed = await start(-1);
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 1 });
    const directory = bench.volume('waited', uid);
    const call = bench.start([await bench.driver()], ['mount', directory, options('waited')]);
    await bench.faultsHit();
    killed.child.kill('SIGKILL');
    expect(await call.ended).toMatchObject({ code: 0, stdout: '{"status":"Success"}\n' });
    expect(filesOf(directory)).toEqual({ one: 'for', two: 'for' });
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
  });
});

test('a hundred mounts at once are answered, with one token for all of them', async () => {
  await bench.write({ secrets: [{ name: 'many', value: 'many' }] });
  await using agent = await startAgent(bench);
  bench.azure.journal.clear();
  const signal = AbortSignal.timeout(150_000);
  const calls = Array.from({ length: 100 }, (_, index) =>
    askAgent(
      { directory: bench.volume(`many-${index}`, uid), document: options('many') },
      { socket: agent.socket, timeoutMs: 150_000, signal },
    ),
  );
  for (const { files } of await Promise.all(calls)) {
    expect(files.map(({ content }) => content.toString())).toEqual(['many', 'many']);
  }
  const asked = bench.azure.journal.entries().map(({ service }) => service);
  expect(asked.filter((service) => service === 'aad')).toHaveLength(1);
  expect(asked.filter((service) => service === 'vault')).toHaveLength(100);
});

test('a vault that no name server knows is named, and the next call is as if nothing had been', async () => {
  await bench.write({ secrets: [{ name: 'found', value: 'again' }] });
  const { environment } = JSON.parse(readFileSync(bench.settingsFile, 'utf8')) as { environment: object };
  const lost = {
    ...environment,
    AZURE_KEYVAULT_DNS_SUFFIX: 'vault.invalid',
    AZURE_KEYVAULT_AUDIENCE: 'https://vault.localhost',
  };
  bench.settings({ environment: lost, deadlineSeconds: 10 });
  const call = { directory: bench.volume('lost', uid), document: options('found') };
  const ask = (socket: string) => askAgent(call, { socket, timeoutMs: 90_000, signal: AbortSignal.timeout(90_000) });
  {
    await using agent = await startAgent(bench);
    await expect(ask(agent.socket)).rejects.toThrow(/kvtest.vault.invalid|vault kvtest were not there within 10 s/);
  }
  bench.settings({});
  await using agent = await startAgent(bench);
  expect((await ask(agent.socket)).files).toHaveLength(2);
});
