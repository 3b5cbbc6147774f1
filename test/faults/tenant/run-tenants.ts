import { messageOf } from '../../../runtime/base/errors.ts';
import { isForbidden, KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { until } from '../../operator/support.ts';
import type { Attack, Written } from './attack.ts';
import { type Felt, GoodTenant } from './good-tenant.ts';
import { identityAttacks } from './identity-attacks.ts';
import { operatorAttacks } from './operator-attacks.ts';
import { TenantWorld } from './tenant-world.ts';
import { volumeAttacks } from './volume-attacks.ts';

/** Every attack, by point of the list of holes. */
export const attacks: readonly Attack[] = [...operatorAttacks, ...identityAttacks, ...volumeAttacks];

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

/** Shorter times than these, in milliseconds, are nothing that anybody feels, and less than the noise of a machine. */
const unfelt = { tokens: 50, ready: 1000, mounts: 250 } as const;

const seenLimitMs = 60_000;

/** What an attack slows down it slows down each time, and another program of the machine only now and then. */
const measurements = 3;

const times = ['tokens', 'ready', 'mounts'] as const;

const slower = (calm: Felt, attacked: Felt) =>
  times.filter((what) => attacked[what] > Math.max(unfelt[what], calm[what] * allowed));

/** The shorter times of two measurements, and the losses of both. */
const best = (one: Felt, other: Felt): Felt => ({
  tokens: Math.min(one.tokens, other.tokens),
  ready: Math.min(one.ready, other.ready),
  mounts: Math.min(one.mounts, other.mounts),
  lost: [...one.lost, ...other.lost],
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
  const edits = new AbortController();
  const editing = keepEditing(world, written, edits.signal);
  for (const attack of chosen) {
    if (unhappened.has(attack)) continue;
    const seen = () => attack.seen(world).catch(() => false);
    await until('seen', seen, seenLimitMs).catch(() =>
      unhappened.set(attack, 'did not happen: no program took notice'),
    );
  }
  let attacked = await tenant.use();
  report(`attacked: ${inWords(attacked)}`);
  for (let again = 1; again < measurements && slower(calm, attacked).length > 0; again++) {
    attacked = best(attacked, await tenant.use());
    report(`again:    ${inWords(attacked)}`);
  }
  edits.abort();
  report(`the hostile tenant edited its objects ${await editing} times`);

  const results: AttackResult[] = [];
  for (const attack of chosen) {
    const { point, name } = attack;
    const broken = () => attack.broken(world).catch((error: unknown) => messageOf(error));
    const problem = unhappened.get(attack) ?? (await broken());
    results.push({ point, name, problem });
    report(`${problem === undefined ? 'held  ' : 'FAILED'} ${point.padEnd(3)} ${name}${problem ? `: ${problem}` : ''}`);
  }
  const { ends } = world;
  const problems = [
    ...results.flatMap(({ point, name, problem }) => (problem === undefined ? [] : [`${point} ${name}: ${problem}`])),
    ...[...calm.lost, ...attacked.lost].map((what) => `the good tenant lost ${what}`),
    ...ends.map((end) => `a program ended: ${end}`),
    ...slower(calm, attacked).map(
      (what) => `${what} took ${ms(attacked[what])}, more than ${allowed} times the ${ms(calm[what])} of calm`,
    ),
  ];
  return { calm, attacked, results, ends: [...ends], memory: await world.memory(), problems };
}

/** Sets up and writes; gives what was not as the attack says. */
async function begin(world: TenantWorld, attack: Attack, written: Written[]): Promise<string | undefined> {
  await attack.before?.(world);
  const objects = attack.writes?.(world) ?? [];
  for (const each of objects) {
    try {
      await world.tenant.create(each.type, each.object);
    } catch (error) {
      if (attack.refused === 'rights' && isForbidden(error)) continue;
      if (attack.refused === 'schema' && error instanceof KubeStatusError && error.status === 422) continue;
      return `did not happen: the API server refused ${each.type.kind} ${each.object.metadata.name}: ${messageOf(error)}`;
    }
    if (attack.refused)
      return `the API server took ${each.type.kind} ${each.object.metadata.name}, which it should refuse`;
    written.push(each);
  }
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

const ms = (time: number) => `${time.toFixed(0)} ms`;

/** The three figures of a tenant as one line. */
export function inWords({ tokens, ready, mounts, lost }: Felt): string {
  return `p99 of tokens ${ms(tokens)}, until Ready ${ms(ready)}, mounts ${ms(mounts)}, lost ${lost.length}`;
}
