import { messageOf } from '../../../runtime/base/errors.ts';
import { isForbidden, KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { until } from '../../operator/support.ts';
import { agentAttacks } from './agent-attacks.ts';
import type { Attack, Written } from './attack.ts';
import { inWords, ratios, slower, together } from './comparison.ts';
import { floodAttacks } from './flood-attacks.ts';
import type { Counts, MeterOutput } from './good-meter.ts';
import { GoodTenant } from './good-tenant.ts';
import { identityAttacks } from './identity-attacks.ts';
import { metricsAttacks } from './metrics-attacks.ts';
import { operatorAttacks } from './operator-attacks.ts';
import { OtherWork } from './other-work.ts';
import { recordAttacks } from './record-attacks.ts';
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
];

/** What came of one attack; `problem` is undefined where it happened and everything held. */
interface AttackResult {
  readonly point: string;
  readonly name: string;
  readonly problem: string | undefined;
}

/** What came of a run. */
export interface TenantOutcome {
  /** Resident megabytes of each program at the end. */
  readonly memory: Readonly<Record<string, number>>;
  /** Why the run fails; empty where it does not. */
  readonly problems: readonly string[];
}

const seenLimitMs = 60_000;

/** Objects that the tenant creates at a time. */
const writesAtOnce = 16;

/** The first use opens connections, fills caches and lets V8 compile. */
const warmUp: Counts = { tokens: 300, ready: 60, mounts: 200 };
/** Enough for 99th percentiles: the sixth longest time at least. */
const measured: Counts = { tokens: 1000, ready: 600, mounts: 600 };

/** How often the good tenant is measured alone, and then beside the hostile one; all times together decide. */
const measurements = 3;

/**
 * Processors that other work of the machine may have in a measurement. Above it the times say more about that work than
 * about the programs, and decide nothing.
 */
const otherWorkLimit = 0.25;

/** What runs on other machines in production, or not at all. */
const partsOfTheRun = ['sandbox', 'kubelet', 'meter', 'hostile pods'];

/**
 * Processors that these parts may have during the attacks; on the machine of ADR 27 they have 0.7. Their work is
 * about the same in each run, so a machine where they take more is too slow: the programs then wait for processors in turn.
 */
const partsLimit = 0.9;

/** Runs the good tenant alone, then beside the hostile one; words pick attacks by point. */
export async function runTenants(points: readonly string[], report: (text: string) => void): Promise<TenantOutcome> {
  const chosen = attacks.filter(({ point }) => points.length === 0 || points.includes(point));
  await using world = await TenantWorld.start();
  const tenant = new GoodTenant(world);
  let mostOtherWork = 0;
  const measure = async (when: string): Promise<MeterOutput> => {
    const all: MeterOutput[] = [];
    for (let each = 0; each < measurements; each++) {
      const otherWork = new OtherWork();
      const felt = await tenant.use(measured);
      const others = otherWork.since();
      mostOtherWork = Math.max(mostOtherWork, others);
      all.push(felt);
      report(`${when.padEnd(9)} ${inWords(felt)}, other work had ${others.toFixed(2)} processors`);
    }
    return together(all);
  };
  await tenant.settleIn();
  await tenant.use(warmUp);
  const calm = await measure('calm');

  const unhappened = new Map<Attack, string>();
  const written: Written[] = [];
  for (const attack of chosen) {
    const problem = await begin(world, attack, written).catch((error: unknown) => messageOf(error));
    if (problem !== undefined) unhappened.set(attack, problem);
  }
  const going = new AbortController();
  const editing = keepEditing(world, written, going.signal);
  const goingOn = chosen.map(async (attack) => {
    const failed = (error: unknown) => void unhappened.set(attack, messageOf(error));
    if (!unhappened.has(attack)) await attack.during?.(world, going.signal).catch(failed);
  });
  await Promise.all(
    chosen.map(async (attack) => {
      if (unhappened.has(attack)) return;
      const seen = () => attack.seen(world).catch(() => false);
      await until('seen', seen, seenLimitMs).catch(() =>
        unhappened.set(attack, 'did not happen: no program took notice'),
      );
    }),
  );
  const before = await world.processors();
  const started = performance.now();
  const attacked = await measure('attacked');
  for (const [when, felt] of Object.entries({ calm, attacked })) report(`together  ${when}: ${inWords(felt)}`);
  report(`ratio     ${ratios(calm, attacked)}`);
  const seconds = (performance.now() - started) / 1000;
  const after = await world.processors();
  const shares = Object.entries(after).map(([name, { used, waited }]) => {
    const share = (now: number, then = 0) => ((now - then) / seconds).toFixed(2);
    return `${name} ${share(used, before[name]?.used)} (waited ${share(waited, before[name]?.waited)})`;
  });
  report(`processors during the attacks: ${shares.join(', ')}`);
  const used = (name: string) => ((after[name]?.used ?? 0) - (before[name]?.used ?? 0)) / seconds;
  const parts = partsOfTheRun.reduce((sum, name) => sum + used(name), 0);
  going.abort();
  await Promise.all(goingOn);
  report(`the hostile tenant edited its objects ${await editing} times`);

  // Together: many of them wait for what must not come.
  const results = await Promise.all(
    chosen.map(async (attack): Promise<AttackResult> => {
      const { point, name } = attack;
      const broken = () => attack.broken(world).catch((error: unknown) => messageOf(error));
      return { point, name, problem: unhappened.get(attack) ?? (await broken()) };
    }),
  );
  for (const { point, name, problem } of results) {
    report(`${problem === undefined ? 'held  ' : 'FAILED'} ${point.padEnd(3)} ${name}${problem ? `: ${problem}` : ''}`);
  }
  const { ends, groups } = world;
  const { cpuProblem, memoryProblem } = groups;
  if (memoryProblem) report(`NOT LIMITED: the programs have no memory limits here: ${memoryProblem}`);
  if (cpuProblem) {
    report(`NOT COMPARED: who gets the processors is left to chance here, so the ratio says nothing: ${cpuProblem}`);
  }
  const isBusy = mostOtherWork > otherWorkLimit;
  if (isBusy) {
    report(
      `NOT COMPARED: other work had ${mostOtherWork.toFixed(2)} processors of this machine, so the times decide ` +
        `nothing; run it again on a machine where it has at most ${otherWorkLimit}`,
    );
  }
  const isSlow = parts > partsLimit;
  if (isSlow) {
    report(
      `NOT COMPARED: the parts of this run (${partsOfTheRun.join(', ')}) had ${parts.toFixed(2)} processors, so this ` +
        `machine is too slow for the times to decide; run it again where they have at most ${partsLimit}`,
    );
  }
  const use = [...groups.memoryUse()];
  for (const [name, { peak, limit, kills }] of use)
    report(`memory of ${name}: at most ${peak} of ${limit} MiB, ${kills} kills`);
  const problems = [
    ...use.flatMap(([name, { kills, limit }]) =>
      kills === 0 ? [] : [`the kernel killed ${kills} processes of ${name} at ${limit} MiB`],
    ),
    ...results.flatMap(({ point, name, problem }) => (problem === undefined ? [] : [`${point} ${name}: ${problem}`])),
    ...[...calm.lost, ...attacked.lost].map((what) => `the good tenant lost ${what}`),
    ...ends.map((end) => `a program ended: ${end}`),
    ...(cpuProblem || isBusy || isSlow ? [] : slower(calm, attacked)),
  ];
  return { memory: await world.memory(), problems };
}

/** Sets up and writes; gives what was not as the attack says. */
async function begin(world: TenantWorld, attack: Attack, written: Written[]): Promise<string | undefined> {
  await attack.before?.(world);
  const objects = attack.writes?.(world) ?? [];
  const refusals: string[] = [];
  const write = async (each: Written) => {
    const what = `${each.type.kind} ${each.object.metadata.name}`;
    try {
      await world.tenant.create(each.type, each.object);
    } catch (error) {
      if (attack.refused === 'rights' && isForbidden(error)) return;
      if (attack.refused === 'schema' && error instanceof KubeStatusError && error.status === 422) return;
      refusals.push(`did not happen: the API server refused ${what}: ${messageOf(error)}`);
      return;
    }
    if (attack.refused) refusals.push(`the API server took ${what}, which it should refuse`);
    else written.push(each);
  };
  for (let from = 0; from < objects.length; from += writesAtOnce) {
    await Promise.all(objects.slice(from, from + writesAtOnce).map(write));
  }
  if (refusals.length > 0) return refusals[0];
  await attack.acts?.(world);
  return undefined;
}

/** Edits an annotation of the tenant's objects, ten a second, until the signal; gives how many were edited. */
async function keepEditing(world: TenantWorld, written: readonly Written[], signal: AbortSignal): Promise<number> {
  let edits = 0;
  for (let turn = 0; !signal.aborted && written.length > 0; turn++) {
    const { type, object } = written[turn % written.length] as Written;
    const body = { metadata: { annotations: { edit: String(turn) } } };
    const done = await world.tenant.patch(type, object.metadata, { type: 'merge', body }).catch(() => undefined);
    if (done) edits += 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return edits;
}
