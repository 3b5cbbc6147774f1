/** Runs on the node of `runOnNode`: both daemons on one cluster and one metadata endpoint. Prints the rows as JSON. */
import { spawnSync } from 'node:child_process';
import { type Measured, NmiWorld, tokenRequest } from '../nmi/nmi-world.ts';
import { nodeAddress, podAddresses, startNodeNetwork } from '../nmi/node-network.ts';
import type { Usage } from '../usage.ts';
import { inTurn, type Row } from './pairs.ts';

const steps = [2, 30, 250, 1000];
const slice = 2000;
const turns = 5;
const warmUp = 8000;
const moderate = { rate: 150, count: 600 };
/** Megabytes. */
const mostAboveBare = 15;
const newConnection = tokenRequest.replace('keep-alive', 'close');

const imds = { host: '169.254.169.254', port: 80 };
spawnSync('ip', ['address', 'add', `${imds.host}/32`, 'dev', 'lo'], { stdio: 'inherit' });
using network = await startNodeNetwork();
await using world = new NmiWorld({ pods: podAddresses, listen: nodeAddress, imds });
const ours = await world.daemon();
const theirs = await world.peer(process.argv[2] ?? '');
const load = ({ port }: Measured, count: number, request: string, rate?: number) =>
  network.load({ port, request, count, ...(rate !== undefined && { rate }) });
for (const side of [ours, theirs]) await load(side, warmUp, newConnection);

const cpu = (count: number, request: string) => async (side: Measured) => {
  const before = await side.usage();
  await load(side, count, request);
  return ((await side.usage()).cpuMicros - before.cpuMicros) / count;
};
const rows: Row[] = [];
for (const routes of steps) {
  network.addRoutes(routes);
  for (const side of [ours, theirs]) await load(side, slice / 4, newConnection);
  const pairs = await inTurn(ours, theirs, turns, cpu(slice, newConnection));
  rows.push({ what: `node daemon: CPU of a request on a new connection, ${routes} routes`, unit: 'us', pairs });
}
rows.push({
  what: 'node daemon: CPU of a warm token on a kept connection',
  unit: 'us',
  pairs: await inTurn(ours, theirs, turns, cpu(slice, tokenRequest)),
});
rows.push({
  what: `node daemon: the same ${moderate.rate} times a second, p50`,
  unit: 'ms',
  pairs: await inTurn(
    ours,
    theirs,
    turns,
    async (side) => (await load(side, moderate.count, tokenRequest, moderate.rate)).p50Ms,
  ),
});
const megabytes = (bytes: number) => bytes / 2 ** 20;
const bare = await world.bare((await load(ours, 1, tokenRequest)).bodyBytes);
await load(bare, 60_000, tokenRequest);
const [mine, other, least] = [await ours.usage(), await theirs.usage(), await bare.usage()];
const memory = (what: string, of: (usage: Usage) => number): Row => {
  const most = megabytes(of(least)) + mostAboveBare;
  const text = `at most ${mostAboveBare} MB more than a bare node:http server, ${most.toFixed(0)} MB`;
  const pairs = [{ ours: megabytes(of(mine)), theirs: megabytes(of(other)) }];
  return { what: `node daemon: ${what}`, unit: 'MB', pairs, goal: { text, most } };
};
rows.push(
  memory('anonymous memory after 60,000 requests', ({ own }) => own),
  memory('RSS, with the pages of its program', ({ rss }) => rss),
);
console.log(JSON.stringify(rows));
