import { messageOf } from '../../../runtime/base/errors.ts';
import { isForbidden, KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { until } from '../../operator/support.ts';
import { agentAttacks } from './agent-attacks.ts';
import type { Attack, Written } from './attack.ts';
import { floodAttacks } from './flood-attacks.ts';
import { type Felt, GoodTenant } from './good-tenant.ts';
import { identityAttacks } from './identity-attacks.ts';
import { operatorAttacks } from './operator-attacks.ts';
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
  ...volumeAttacks,
  ...agentAttacks,
];

/** What came of one attack; `problem` is undefined where it happened and everything held. */
export interface AttackResult {
  readonly point: string;
  readonly name: string;
  readonly problem: string | undefined;
}

/** What came of a run. */
export interface TenantOutcome {
  readonly calm: Felt;
  readonly attacked: Felt;
  readonly results: readonly AttackResult[];
  /** Programs that ended. */
  readonly ends: readonly string[];
  /** Resident megabytes of each program at the end. */
  readonly memory: Readonly<Record<string, number>>;
  /** Why the run fails; empty where it does not. */
  readonly problems: readonly string[];
}

/** At most this much longer than in calm. */
const allowed = 2;

/**
 * Shorter times than these, in milliseconds, pass: sandbox, attacks and programs share the machine's processors, and a
 * time of some milliseconds in calm is then no measure.
 */
const unfelt = { tokens: 50, ready: 500, mounts: 100 } as const;

const seenLimitMs = 60_000;

/** Objects that the tenant creates at a time. */
const writesAtOnce = 16;

/** How often the good tenant is measured beside the hostile one; most of the measurements decide. */
const measurements = 3;

const times = ['tokens', 'ready', 'mounts'] as const;

/**
 * What the good tenant's times may be: twice the calm ones, times what the reference server got slower by, which is what
 * other work of the machine costs and no program's doing.
 */
function limitsOf(calm: Felt, attacked: Felt): Readonly<Record<(typeof times)[number], number>> {
  const machine = (what: 'median' | 'p99') => Math.max(1, attacked.reference[what] / calm.reference[what]);
  return {
    tokens: Math.max(unfelt.tokens, calm.tokens * allowed * machine('p99')),
    ready: Math.max(unfelt.ready, calm.ready * allowed * machine('median')),
    mounts: Math.max(unfelt.mounts, calm.mounts * allowed * machine('median')),
  };
}

/** The times that were above their limits in most measurements, each with its figures. */
function slower(calm: Felt, measured: readonly Felt[]): string[] {
  return times.flatMap((what) => {
    const above = measured.filter((each) => each[what] > limitsOf(calm, each)[what]);
    if (above.length * 2 <= measured.length) return [];
    const figures = above.map((each) => `${ms(each[what])} (limit ${ms(limitsOf(calm, each)[what])})`);
    return [`${what} took ${figures.join(', ')}, in calm ${ms(calm[what])}`];
  });
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The medians of several measurements, and the losses of all. */
const middle = (all: readonly Felt[]): Felt => ({
  tokens: median(all.map(({ tokens }) => tokens)),
  ready: median(all.map(({ ready }) => ready)),
  mounts: median(all.map(({ mounts }) => mounts)),
  reference: {
    median: median(all.map(({ reference }) => reference.median)),
    p99: median(all.map(({ reference }) => reference.p99)),
  },
  lost: all.flatMap(({ lost }) => lost),
});

/** Runs the good tenant alone, then beside the hostile one; words pick attacks by point. */
export async function runTenants(points: readonly string[], report: (text: string) => void): Promise<TenantOutcome> {
  const chosen = attacks.filter(({ point }) => points.length === 0 || points.includes(point));
  await using world = await TenantWorld.start();
  const tenant = new GoodTenant(world);
  await tenant.settleIn();
  // The first use opens connections and fills caches.
  await tenant.use();
  const calm = await tenant.use();
  report(`calm: ${inWords(calm)}`);

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
  const before = await world.cpuSeconds();
  const started = performance.now();
  const measured: Felt[] = [];
  for (let each = 0; each < measurements; each++) {
    measured.push(await tenant.use());
    report(`attacked: ${inWords(measured.at(-1) as Felt)}`);
    const limits = limitsOf(calm, measured.at(-1) as Felt);
    report(`  limits: ${times.map((what) => `${what} ${ms(limits[what])}`).join(', ')}`);
  }
  const attacked = middle(measured);
  const seconds = (performance.now() - started) / 1000;
  const after = await world.cpuSeconds();
  const shares = Object.keys(after).map(
    (name) => `${name} ${share((after[name] ?? 0) - (before[name] ?? 0), seconds)}`,
  );
  report(`processors during the attacks: ${shares.join(', ')}`);
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
  const { ends, limits } = world;
  if (limits.reason !== undefined) report(`NOT LIMITED: the programs have no memory limits here: ${limits.reason}`);
  const use = [...limits.use()];
  for (const [name, { peak, limit, kills }] of use)
    report(`memory of ${name}: at most ${peak} of ${limit} MiB, ${kills} kills`);
  const problems = [
    ...use.flatMap(([name, { kills, limit }]) =>
      kills === 0 ? [] : [`the kernel killed ${kills} processes of ${name} at ${limit} MiB`],
    ),
    ...results.flatMap(({ point, name, problem }) => (problem === undefined ? [] : [`${point} ${name}: ${problem}`])),
    ...[...calm.lost, ...attacked.lost].map((what) => `the good tenant lost ${what}`),
    ...ends.map((end) => `a program ended: ${end}`),
    ...slower(calm, measured),
  ];
  return { calm, attacked, results, ends: [...ends], memory: await world.memory(), problems };
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

const share = (used: number, seconds: number) => (used / seconds).toFixed(2);

const ms = (time: number) => `${time.toFixed(0)} ms`;

/** The three figures of a tenant as one line. */
export function inWords({ tokens, ready, mounts, reference, lost }: Felt): string {
  return `p99 of tokens ${ms(tokens)}, until Ready ${ms(ready)}, mounts ${ms(mounts)}, the reference ${ms(reference.median)} (p99 ${ms(reference.p99)}), lost ${lost.length}`;
}
