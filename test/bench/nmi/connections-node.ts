/**
 * Runs in a network namespace that plays the node: the daemon and a bare server, a veth pair to the pods, and more and
 * more routes and neighbours. Prints the costs as JSON.
 */
import { median } from '../bench.ts';
import type { ConnectionCosts } from './connections.bench.ts';
import { type Measured, NmiWorld, tokenRequest } from './nmi-world.ts';
import { nodeAddress, podAddresses, startNodeNetwork } from './node-network.ts';

const steps = [2, 30, 250, 1000];
/** Requests between two readings of the CPU time. */
const slice = 2000;
const slices = 5;
const warmUp = 8000;
const request = tokenRequest.replace('keep-alive', 'close');

using network = await startNodeNetwork();
await using world = new NmiWorld({ pods: podAddresses, listen: nodeAddress });
const daemon = await world.daemon();
const { bodyBytes } = await load(daemon, warmUp);
const bare = await world.bare(bodyBytes);
await load(bare, warmUp);
const costs: ConnectionCosts[] = [];
for (const routes of steps) {
  network.addRoutes(routes);
  await load(daemon, slice);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < slices; turn++) {
    ours.push(await cpuPerRequest(daemon));
    theirs.push(await cpuPerRequest(bare));
  }
  costs.push({ routes, ours: median(ours), bare: median(theirs) });
}
console.log(JSON.stringify(costs));

function load({ port }: Measured, count: number) {
  return network.load({ port, request, count });
}

async function cpuPerRequest(server: Measured): Promise<number> {
  const before = await server.usage();
  await load(server, slice);
  return ((await server.usage()).cpuMicros - before.cpuMicros) / slice;
}
