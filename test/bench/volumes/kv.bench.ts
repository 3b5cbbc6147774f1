import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildDriver } from '../../../tools/build-kv.ts';
import { fuzz } from '../../volumes/fuzzer.ts';
import { canMount } from '../../volumes/support.ts';
import type { Bench, Figure } from '../bench.ts';
import type { AzureAddress, AzureUsage } from './kv-azure.ts';

const calls = 40;
const atOnce = 20;
/** Of each of them, one after the other. */
const callsEach = 10;
const roundTripMs = 50;
const fuzzRounds = 50_000;

const ms = (value: number) => `${Math.round(value)} ms`;
const tenths = (value: number) => `${value.toFixed(1)} ms`;

export const bench: Bench = {
  name: 'kv',
  description: `the FlexVolume driver as one executable, on ${availableParallelism()} processors; a token service and a vault that take ${roundTripMs} ms each`,
  async run() {
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
    const azure: Azure = await Child.start('kv-azure.ts', String(roundTripMs));
    try {
      const kv = join(directory, 'kv');
      const size = await buildDriver(kv);
      return [
        figure('size of the executable', `${(size / 1e6).toFixed(1)} MB`, 'shown'),
        ...(await inits(kv)),
        ...(canMount ? await mounts(kv, directory, azure) : [figure('mounts', 'need root', 'shown')]),
        ...(canMount ? await mountsByAgent(kv, directory, azure) : []),
        ...(await control()),
        ...(await fuzzes(directory)),
      ];
    } finally {
      await azure.end();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** A script of this folder in a process of its own. */
class Child<Greeting, Usage> {
  readonly greeting: Greeting;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, greeting: Greeting) {
    this.#process = process;
    this.greeting = greeting;
  }

  static async start<Greeting, Usage>(script: string, ...args: readonly string[]): Promise<Child<Greeting, Usage>> {
    const child = fork(join(import.meta.dirname, script), args);
    const [greeting] = (await once(child, 'message')) as [Greeting];
    return new Child(child, greeting);
  }

  async usage(): Promise<Usage> {
    this.#process.send('usage');
    const [usage] = (await once(this.#process, 'message')) as [Usage];
    return usage;
  }

  async end(): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, 'exit');
  }
}

type Azure = Child<AzureAddress, AzureUsage>;
type Agent = Child<'ready', number>;

async function inits(kv: string): Promise<Figure[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) times.push(await timed(kv, ['init']));
  const [middle, late] = quantiles(times);
  return [
    figure(`init, p50 of ${calls}`, ms(middle), 'under 120 ms', middle < 120),
    figure(`init, p95 of ${calls}`, ms(late), 'shown'),
  ];
}

/** The driver alone, as on a node without an agent. */
async function mounts(kv: string, directory: string, azure: Azure): Promise<Figure[]> {
  const { alone, busy, cpu } = await measured(kv, join(directory, 'alone'), azure);
  const [one, oneLate] = quantiles(alone);
  const [many] = quantiles(busy);
  return [
    figure(`mount without an agent beyond the round trips, p50 of ${calls}`, ms(one), 'under 150 ms', one < 150),
    figure('the same, p95', ms(oneLate), 'shown'),
    figure(`while ${atOnce} run at once, p50 of ${atOnce * callsEach}`, ms(many), 'shown'),
    figure('processor time of such a mount, p50', ms(cpu), 'shown'),
  ];
}

/** The driver with the agent in another process; the token is asked for once, the vault for each mount. */
async function mountsByAgent(kv: string, directory: string, azure: Azure): Promise<Figure[]> {
  const place = join(directory, 'agent');
  const socket = join(place, 'run', 'agent.sock');
  const agent: Agent = await Child.start('kv-agent.ts', settingsOf(place, azure, socket), socket);
  try {
    const before = await agent.usage();
    const { alone, busy, cpu, bench: own } = await measured(kv, place, azure, socket);
    const each = ((await agent.usage()) - before) / (alone.length + busy.length);
    const [one, oneLate] = quantiles(alone);
    const [many, manyLate] = quantiles(busy);
    return [
      figure(`mount of one secret beyond the round trip, p50 of ${calls}`, ms(one), 'under 150 ms', one < 150),
      figure('the same, p95', ms(oneLate), 'shown'),
      figure(`while ${atOnce} run at once, p50 of ${atOnce * callsEach}`, ms(many), 'under 150 ms', many < 150),
      figure('the same, p95', ms(manyLate), 'shown'),
      figure('processor time of a mount in the driver, p50', tenths(cpu), 'shown'),
      figure('and in the agent, mean', tenths(each), 'shown'),
      figure('and in the bench itself, to start it and as the vault, mean', tenths(own), 'shown'),
      figure(`processors that ${atOnce} at once need for 150 ms`, (((cpu + each) / 150) * atOnce).toFixed(1), 'shown'),
    ];
  } finally {
    await agent.end();
  }
}

/** What the machine and the bench take where the driver takes nothing. */
async function control(): Promise<Figure[]> {
  const [middle, late] = quantiles(await together(() => timed('/bin/true', [])));
  return [
    figure(`/bin/true in its place, ${atOnce} at once, p50 of ${atOnce * callsEach}`, ms(middle), 'shown'),
    figure('the same, p95', ms(late), 'shown'),
  ];
}

/** As many at once as are counted, each followed by the next. */
async function together<T>(call: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  const worker = async () => {
    for (let count = 0; count < callsEach; count++) results.push(await call());
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Writes the settings of a driver below `place`; its path. */
function settingsOf(place: string, { greeting: azure }: Azure, agentSocket: string): string {
  mkdirSync(place, { recursive: true });
  const authority = join(place, 'ca.pem');
  writeFileSync(authority, azure.ca);
  const environment = {
    AZURE_AUTHORITY_HOST: azure.url,
    AZURE_RESOURCE_MANAGER_ENDPOINT: azure.url,
    AZURE_RESOURCE_MANAGER_AUDIENCE: azure.url,
    AZURE_KEYVAULT_DNS_SUFFIX: `vault.localhost:${azure.port}`,
    NODE_EXTRA_CA_CERTS: authority,
  };
  const settings = join(place, 'settings.json');
  const stateDirectory = join(place, 'state');
  writeFileSync(settings, JSON.stringify({ environment, logFile: join(place, 'kv.log'), stateDirectory, agentSocket }));
  return settings;
}

interface Measured {
  /** Milliseconds of mounts one after the other, each without what the vault took over it (see AzureUsage). */
  readonly alone: readonly number[];
  /** And of as many at once as are counted. */
  readonly busy: readonly number[];
  /** Milliseconds of processor time, the middle one. */
  readonly cpu: number;
  /** And of this process and the vault's for each mount. */
  readonly bench: number;
}

async function measured(kv: string, place: string, azure: Azure, socket = ''): Promise<Measured> {
  const env = { AZIMUTH_KV_SETTINGS: settingsOf(place, azure, socket) };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const paths: string[] = [];
  const mount = async () => {
    // By its name the vault knows what it took over this one; without an agent by the tenant too.
    const name = `${basename(place)}-${paths.length}`;
    const path = join(place, 'volumes', name);
    mkdirSync(path, { recursive: true });
    paths.push(path);
    const document = JSON.stringify({
      tenantid: socket === '' ? name : 'tenant',
      keyvaultname: 'kv1',
      keyvaultobjectnames: name,
      keyvaultobjecttypes: 'secret',
      'kubernetes.io/secret/clientid': base64('client'),
      'kubernetes.io/secret/clientsecret': base64('client-secret'),
    });
    return { name, took: await timed(kv, ['mount', path, document], env) };
  };
  try {
    // The first makes the connections.
    await mount();
    const before = ownCpu() + (await azure.usage()).cpuMs;
    const alone: Mount[] = [];
    for (let call = 0; call < calls; call++) alone.push(await mount());
    const busy = await together(mount);
    const { cpuMs, trips } = await azure.usage();
    const bench = (ownCpu() + cpuMs - before) / (alone.length + busy.length);
    const lines = readFileSync(join(place, 'kv.log'), 'utf8').trim().split('\n');
    const cpu = quantiles(lines.map((line) => (JSON.parse(line) as { cpuMs: number }).cpuMs))[0];
    const beyond = ({ name, took }: Mount) => {
      const trip = trips[name];
      if (trip === undefined) throw new Error(`the vault was not asked for ${name}`);
      return took - trip;
    };
    return { alone: alone.map(beyond), busy: busy.map(beyond), cpu, bench };
  } finally {
    for (const path of paths) await timed(kv, ['unmount', path], env).catch(() => 0);
  }
}

interface Mount {
  readonly name: string;
  /** Milliseconds from start to end. */
  readonly took: number;
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function fuzzes(directory: string): Promise<Figure[]> {
  if (process.getuid?.() !== 0) return [figure('fuzz', 'needs root', 'shown')];
  const seed = Date.now() % 1_000_000;
  const { mounted, problems } = await fuzz(join(directory, 'fuzz'), fuzzRounds, seed);
  for (const problem of problems.slice(0, 5)) console.log(problem);
  const what = `mutated documents against the rules (seed ${seed}, ${mounted} of ${fuzzRounds} mounted)`;
  return [figure(what, String(problems.length), 'none', problems.length === 0)];
}

/** Milliseconds from start to end; throws where it does not succeed. */
function timed(kv: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(kv, args, {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const took = performance.now() - started;
      if (code === 0) resolve(took);
      else reject(new Error(`kv ${args[0]} ended with ${code}: ${output}`));
    });
  });
}

function quantiles(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return [at(0.5), at(0.95)];
}

function figure(what: string, ours: string, goal: string, ok = true): Figure {
  return { what, ours, theirs: '', goal, ok };
}
