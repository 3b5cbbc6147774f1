/**
 * Runs in a network namespace that plays the node: the daemon and a bare server, a veth pair to the pods, and more and
 * more routes and neighbours. Prints the costs as JSON.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOptions, LoadResult } from '../http-load.ts';
import type { ConnectionCosts } from './connections.bench.ts';
import { addressOf, type Measured, NmiWorld, tokenRequest } from './nmi-world.ts';

const nodeAddress = '10.99.255.254';
const pods = 10;
const steps = [2, 30, 250, 1000];
/** Requests between two readings of the CPU time. */
const slice = 2000;
const slices = 5;
const warmUp = 8000;

const podsNetwork = spawn('unshare', ['--net', process.execPath, join(import.meta.dirname, 'connections-pods.ts')], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
await once(podsNetwork, 'message');
const addresses = Array.from({ length: pods }, (_, index) => addressOf('10.99.0', index));
batch([], ['link add pods type veth peer name eth0 netns', podsNetwork.pid].join(' '));
batch([], `address add ${nodeAddress}/32 dev pods`, 'link set pods up', 'route add 10.99.0.0/24 dev pods');
batch(
  ['nsenter', '--net', '--target', String(podsNetwork.pid)],
  'link set lo up',
  'link set eth0 up',
  ...addresses.map((address) => `address add ${address}/32 dev eth0`),
  `route add ${nodeAddress}/32 dev eth0`,
);

await using world = new NmiWorld({ pods: addresses, listen: nodeAddress });
const daemon = await world.daemon();
const { bodyBytes } = await load(daemon, warmUp);
const bare = await world.bare(bodyBytes);
await load(bare, warmUp);
const costs: ConnectionCosts[] = [];
for (const [at, routes] of steps.entries()) {
  addRoutes(steps[at - 1] ?? 1, routes);
  await load(daemon, slice);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < slices; turn++) {
    ours.push(await cpuPerRequest(daemon));
    theirs.push(await cpuPerRequest(bare));
  }
  costs.push({ routes, ours: median(ours), bare: median(theirs) });
}
podsNetwork.kill('SIGKILL');
console.log(JSON.stringify(costs));

/** The pods' own routes first, then those of other pods with neighbours that do not age. */
function addRoutes(from: number, to: number): void {
  const more = Array.from({ length: to - from }, (_, index) => from + index);
  const lines = more.flatMap((each) => {
    const address = `10.99.${each >> 8}.${each & 255}`;
    const route = `route add ${address}/32 dev pods`;
    const mac = `02:00:00:00:0${each >> 8}:${(each & 255).toString(16).padStart(2, '0')}`;
    return each <= pods ? [route] : [route, `neigh add ${address} lladdr ${mac} dev pods nud permanent`];
  });
  batch([], ...lines);
}

function batch(inside: readonly string[], ...lines: readonly string[]): void {
  const [program = '', ...args] = [...inside, 'ip', '-batch', '-'];
  const { status, stderr } = spawnSync(program, args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function load({ port }: Measured, count: number): Promise<LoadResult> {
  const request = tokenRequest.replace('keep-alive', 'close');
  const options: LoadOptions = { host: nodeAddress, from: '10.99.0', port, request, count, callers: 10 };
  const answer = once(podsNetwork, 'message');
  podsNetwork.send(options);
  return ((await answer) as [LoadResult])[0];
}

async function cpuPerRequest(server: Measured): Promise<number> {
  const before = await server.usage();
  await load(server, slice);
  return ((await server.usage()).cpuMicros - before.cpuMicros) / slice;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
