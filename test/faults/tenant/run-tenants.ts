import { agentAttacks } from './agent-attacks.ts';
import type { Attack } from './attack.ts';
import { ratios, slower, together } from './comparison.ts';
import { floodAttacks } from './flood-attacks.ts';
import { GoodTenant } from './good-tenant.ts';
import { identityAttacks } from './identity-attacks.ts';
import { Measurements } from './measurements.ts';
import { metricsAttacks } from './metrics-attacks.ts';
import { nodeAttacks } from './node-attacks.ts';
import { operatorAttacks } from './operator-attacks.ts';
import { recordAttacks } from './record-attacks.ts';
import { RunningAttacks } from './running-attacks.ts';
import { TenantWorld } from './tenant-world.ts';
import { tokenAttacks } from './token-attacks.ts';
import { volumeAttacks } from './volume-attacks.ts';

/** Every attack, by point of the list of holes. */
export const attacks: readonly Attack[] = [
  ...operatorAttacks,
  ...recordAttacks,
  ...identityAttacks,
  ...tokenAttacks,
  ...floodAttacks,
  ...metricsAttacks,
  ...volumeAttacks,
  ...agentAttacks,
  ...nodeAttacks,
];

/** What came of a run. */
export interface TenantOutcome {
  /** Resident megabytes of each program at the end. */
  readonly memory: Readonly<Record<string, number>>;
  /** Why the run fails; empty where it does not. */
  readonly problems: readonly string[];
}

/** Runs the good tenant alone, beside the hostile one, and alone again; words pick attacks by point. */
export async function runTenants(points: readonly string[], report: (text: string) => void): Promise<TenantOutcome> {
  await using world = await TenantWorld.start();
  const tenant = new GoodTenant(world);
  await tenant.settleIn();
  const measurements = new Measurements(world, tenant, report);
  await measurements.warmUp();
  const before = await measurements.take('before');
  const chosen = attacks.filter(({ point }) => points.length === 0 || points.includes(point));
  const running = await RunningAttacks.begin(world, chosen);
  const attacked = await measurements.take('attacked');
  const results = await running.end();
  const calm = together([before, await measurements.take('after')]);
  report(`ratio     ${ratios(calm, attacked)}`);
  report(`the hostile tenant edited its objects ${running.edits} times`);
  for (const { point, name, problem } of results) {
    report(`${problem === undefined ? 'held  ' : 'FAILED'} ${point.padEnd(3)} ${name}${problem ? `: ${problem}` : ''}`);
  }
  const { doubts } = measurements;
  for (const doubt of doubts) report(`NOT COMPARED: the times decide nothing: ${doubt}`);
  const { memoryProblem } = world.groups;
  if (memoryProblem) report(`NOT LIMITED: the programs have no memory limits here: ${memoryProblem}`);
  const use = [...world.groups.memoryUse()];
  for (const [name, { peak, limit, kills }] of use) {
    report(`memory of ${name}: at most ${peak} of ${limit} MiB, ${kills} kills`);
  }
  const problems = [
    ...use.flatMap(([name, { kills, limit }]) =>
      kills === 0 ? [] : [`the kernel killed ${kills} processes of ${name} at ${limit} MiB`],
    ),
    ...results.flatMap(({ point, name, problem }) => (problem === undefined ? [] : [`${point} ${name}: ${problem}`])),
    ...[...calm.lost, ...attacked.lost].map((what) => `the good tenant lost ${what}`),
    ...world.ends.map((end) => `a program ended: ${end}`),
    ...(doubts.length > 0 ? [] : slower(calm, attacked, measurements.allowed())),
  ];
  return { memory: await world.memory(), problems };
}
