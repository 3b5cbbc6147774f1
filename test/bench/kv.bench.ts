import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDriver } from '../../tools/build-kv.ts';
import { FakeAzure } from '../fakes/azure-server.ts';
import { fuzz } from '../volumes/fuzzer.ts';
import { canMount } from '../volumes/support.ts';
import type { Bench, Figure } from './bench.ts';

const calls = 40;
const atOnce = 20;
const roundTripMs = 50;
const fuzzRounds = 50_000;

const ms = (value: number) => `${Math.round(value)} ms`;

export const bench: Bench = {
  name: 'kv',
  description: `the FlexVolume driver as one executable, on ${availableParallelism()} processors; a token service and a vault that take ${roundTripMs} ms each`,
  async run() {
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
    // TLS handshakes in this process are part of what is measured.
    await using azure = await FakeAzure.start(answer, { hosts: ['*.vault.localhost'] });
    try {
      const kv = join(directory, 'kv');
      const size = await buildDriver(kv);
      return [
        figure('size of the executable', `${(size / 1e6).toFixed(1)} MB`, 'shown'),
        ...(await inits(kv)),
        ...(canMount ? await mounts(kv, directory, azure) : [figure('mounts', 'need root', 'shown')]),
        ...(canMount ? await mountsByAgent(kv, directory, azure) : []),
        ...(await fuzzes(directory)),
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function answer({ url }: { readonly url: string }) {
  await new Promise((resolve) => setTimeout(resolve, roundTripMs));
  const id = 'https://kv1.vault.localhost/secrets/one/0123456789abcdef0123456789abcdef';
  return url.startsWith('/secrets/')
    ? { body: { value: 'a secret', id, attributes: { enabled: true } } }
    : { body: { access_token: 'token', expires_in: 3599, token_type: 'Bearer' } };
}

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
async function mounts(kv: string, directory: string, azure: FakeAzure): Promise<Figure[]> {
  const { alone, busy, cpu } = await measured(kv, join(directory, 'alone'), azure, '');
  const [one, oneLate] = quantiles(alone);
  const [many] = quantiles(busy);
  return [
    figure(`mount without an agent beyond the round trips, p50 of ${calls}`, ms(one), 'under 150 ms', one < 150),
    figure('the same, p95', ms(oneLate), 'shown'),
    figure(`while ${atOnce} run at once, p50`, ms(many), 'shown'),
    figure('processor time of such a mount, p50', ms(cpu), 'shown'),
  ];
}

/** The driver with the agent in another process; the token is asked for once, the vault for each mount. */
async function mountsByAgent(kv: string, directory: string, azure: FakeAzure): Promise<Figure[]> {
  const place = join(directory, 'agent');
  const socket = join(place, 'run', 'agent.sock');
  const settings = settingsOf(place, azure, socket);
  const agent = fork(join(import.meta.dirname, 'kv-agent.ts'), [settings, socket]);
  await once(agent, 'message');
  try {
    const before = await cpuOf(agent);
    const { alone, busy, cpu } = await measured(kv, place, azure, socket);
    const each = ((await cpuOf(agent)) - before) / (alone.length + busy.length);
    const [one, oneLate] = quantiles(alone);
    const [many, manyLate] = quantiles(busy);
    return [
      figure(`mount of one secret beyond the round trip, p50 of ${calls}`, ms(one), 'under 150 ms', one < 150),
      figure('the same, p95', ms(oneLate), 'shown'),
      figure(`while ${atOnce} run at once, p50 of ${atOnce * 5}`, ms(many), 'under 150 ms', many < 150),
      figure('the same, p95', ms(manyLate), 'shown'),
      figure('processor time of a mount in the driver, p50', ms(cpu), 'shown'),
      figure('and in the agent, mean', ms(each), 'shown'),
      figure(`processors that ${atOnce} at once need for 150 ms`, (((cpu + each) / 150) * atOnce).toFixed(1), 'shown'),
    ];
  } finally {
    agent.disconnect();
    await once(agent, 'exit');
  }
}

async function cpuOf(agent: ChildProcess): Promise<number> {
  agent.send('cpu');
  const [used] = (await once(agent, 'message')) as [number];
  return used;
}

/** Writes the settings of a driver below `place`; its path. */
function settingsOf(place: string, azure: FakeAzure, agentSocket: string): string {
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
  /** Milliseconds of mounts one after the other, beyond the round trips. */
  readonly alone: readonly number[];
  /** And of as many at once as are counted. */
  readonly busy: readonly number[];
  /** Milliseconds of processor time, the middle one. */
  readonly cpu: number;
}

async function measured(kv: string, place: string, azure: FakeAzure, socket: string): Promise<Measured> {
  const settings = settingsOf(place, azure, socket);
  const trips = (socket === '' ? 2 : 1) * roundTripMs;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const document = JSON.stringify({
    tenantid: 'tenant',
    keyvaultname: 'kv1',
    keyvaultobjectnames: 'one',
    keyvaultobjecttypes: 'secret',
    'kubernetes.io/secret/clientid': base64('client'),
    'kubernetes.io/secret/clientsecret': base64('client-secret'),
  });
  const paths: string[] = [];
  const mount = async () => {
    const path = join(place, 'volumes', String(paths.length));
    mkdirSync(path, { recursive: true });
    paths.push(path);
    return timed(kv, ['mount', path, document], { AZIMUTH_KV_SETTINGS: settings });
  };
  try {
    // The first makes the connections.
    await mount();
    const alone: number[] = [];
    for (let call = 0; call < calls; call++) alone.push((await mount()) - trips);
    const busy: number[] = [];
    const worker = async () => {
      for (let call = 0; call < 5; call++) busy.push((await mount()) - trips);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const lines = readFileSync(join(place, 'kv.log'), 'utf8').trim().split('\n');
    const cpu = quantiles(lines.map((line) => (JSON.parse(line) as { cpuMs: number }).cpuMs))[0];
    return { alone, busy, cpu };
  } finally {
    for (const path of paths) await timed(kv, ['unmount', path], { AZIMUTH_KV_SETTINGS: settings }).catch(() => 0);
  }
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
