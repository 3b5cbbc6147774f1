/** One hour of an operator, started anew, over resources that are as declared, in simulated time. */
import { ManualClock } from '../../runtime/base/clock.ts';
import type { JournalEntry } from '../../sandbox/azure/journal.ts';
import { condition, type RunningOperator, startWorld, types, type World } from './support.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Well below the default of an hour, so that the hour has several reads of each resource. */
export const periodMs = 15 * minuteMs;
/** Reads of each resource in the hour: a period is shortened by up to a quarter. */
export const expectedReads = { least: hourMs / periodMs, most: Math.floor(hourMs / (0.75 * periodMs)) + 1 };
/** A step of the simulated clock. */
const stepMs = 1000;
/** Checks without progress after which the operator counts as waiting for the clock. */
const idleChecks = 100;

/** A world whose Azure keeps the operator's time: by the machine's, its rate limits would see the hour in minutes. */
export interface SteadyWorld extends World {
  readonly clock: ManualClock;
}

export async function startSteadyWorld(): Promise<SteadyWorld> {
  const clock = new ManualClock(Date.now());
  return { ...(await startWorld({ clock })), clock };
}

export interface SteadyHour {
  /** How often each resource was read, in an hour that begins when each has been read once. */
  readonly reads: { readonly least: number; readonly most: number; readonly all: number };
  /** PUT, PATCH, POST and DELETE to Azure since the start of the operator. */
  readonly writes: number;
  /** Objects that were written in the cluster since then. */
  readonly changed: number;
}

/** Resource groups with identities in them, all Ready; resolves to the requests other than GET that it took. */
export async function makeSteady(world: SteadyWorld, resources: number): Promise<number> {
  const { clock } = world;
  const groups = Math.max(1, Math.round(resources / 25));
  const operator = await world.startOperator({}, { clock });
  const location = 'westeurope';
  for (let index = 0; index < groups; index++) await world.apply(types.group, `group-${index}`, { location });
  for (let index = 0; index < resources - groups; index++) {
    const owner = { name: `group-${index % groups}` };
    await world.apply(types.identity, `identity-${index}`, { location, owner, tags: { index: String(index) } });
  }
  for (let ready = 0; ready < resources; ) {
    for (let steps = 0; steps < 5; steps++) await step(clock, operator);
    ready = (await objects(world)).filter((object) => condition(object)?.status === 'True').length;
  }
  await stopOn(clock, operator);
  return writesTo(world);
}

/**
 * Lets the hour pass over what `makeSteady` made. Time goes on when the operator has done what was due, so that a slow
 * machine takes longer and sees the same.
 */
export async function steadyHour(world: SteadyWorld, resources: number): Promise<SteadyHour> {
  const { clock } = world;
  const before = await versions(world);
  world.azure.journal.clear();
  const operator = await world.startOperator({}, { syncPeriodMs: periodMs, clock });
  while (readsOf(world).size < resources) await step(clock, operator);
  let writes = writesTo(world);
  world.azure.journal.clear();
  for (const end = clock.now() + hourMs; clock.now() < end; ) await step(clock, operator);
  const counts = [...readsOf(world).values()];
  writes += writesTo(world);
  await stopOn(clock, operator);
  const changed = [...(await versions(world))].filter(([uid, version]) => before.get(uid) !== version).length;
  const least = counts.length < resources ? 0 : Math.min(...counts);
  return { reads: { least, most: Math.max(...counts), all: counts.reduce((sum, n) => sum + n, 0) }, writes, changed };
}

/** Lets a second go by, and waits until what came due in it is done, or waits for time itself, such as for a token. */
export async function step(clock: ManualClock, { metrics }: RunningOperator): Promise<void> {
  await clock.advance(stepMs);
  const sum = async (name: string) =>
    ((await metrics.getSingleMetric(name)?.get())?.values ?? []).reduce((total, { value }) => total + value, 0);
  for (let idle = 0, last = -1; idle < idleChecks; idle++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if ((await sum('controller_runtime_active_workers')) + (await sum('workqueue_depth')) === 0) return;
    const progress = (await sum('azimuth_arm_requests_total')) + (await sum('controller_runtime_reconcile_total'));
    if (progress !== last) idle = 0;
    last = progress;
  }
}

/** Time goes on meanwhile: the test waits for reads that wait for Azure's budget. */
export async function stopOn(clock: ManualClock, operator: RunningOperator): Promise<void> {
  let stopped = false;
  const stopping = operator.stop().finally(() => {
    stopped = true;
  });
  while (!stopped) {
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await stopping;
}

const arm = (world: World): JournalEntry[] => world.azure.journal.entries({ service: 'arm' });
const writesTo = (world: World): number => arm(world).filter(({ method }) => method !== 'GET').length;

/** How often each resource was read, by its path. */
function readsOf(world: World): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { method, path } of arm(world)) {
    const isResource = /\/(resourcegroups|userassignedidentities)\/[^/]+$/i.test(path);
    if (method === 'GET' && isResource) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

async function objects(world: World) {
  const lists = await Promise.all([types.group, types.identity].map((type) => world.client.list(type, { limit: 0 })));
  return lists.flatMap(({ items }) => items);
}

async function versions(world: World): Promise<Map<string, string>> {
  const all = await objects(world);
  return new Map(all.map(({ metadata: { uid = '', resourceVersion = '' } }) => [uid, resourceVersion]));
}
