import { SimulatedRollout, tickMs } from './simulated-rollout.ts';

/** The result of one history. */
export interface RolloutResult {
  /** What went wrong, in words. */
  readonly wrong: readonly string[];
  /** What was left where the last version did not arrive everywhere. */
  readonly unfinished: object | undefined;
}

/** A rollout of several versions, some of them bad, with kills, ill machines, pins and vaults that are away. */
export function disturbedRollout(seed: number): RolloutResult {
  const random = seeded(seed);
  const world = new SimulatedRollout(random);
  for (let tick = 0; tick < 150; tick++) {
    disturb(world, random);
    world.tick();
  }
  heal(world);
  for (let tick = 0; tick < 1500 && !isDone(world); tick++) {
    // A machine that has a bad version since may stop a good one: the version after that takes over.
    if (tick % 500 === 499 && world.decision?.phase === 'Stopped') world.newest++;
    world.tick();
  }
  return resultOf(world);
}

/** A rollout that nothing disturbs: its time, and that of its rolls and bake times alone, in seconds. */
export function calmRollout(seed: number): RolloutResult & { readonly seconds: number; readonly ideal: number } {
  const world = new SimulatedRollout(seeded(seed), { roll: 200, bake: 400 });
  for (let tick = 0; tick < 3; tick++) world.tick();
  world.newest++;
  let ticks = 0;
  for (; ticks < 20_000 && !isDone(world); ticks++) world.tick();
  return { ...resultOf(world), seconds: (ticks * tickMs) / 1000, ideal: (world.ideal * tickMs) / 1000 };
}

function resultOf(world: SimulatedRollout): RolloutResult {
  const { wrong, target, stored, decision } = world;
  return { wrong, unfinished: isDone(world) ? undefined : { target, stored, decision } };
}

/** A generator of numbers that are the same for the same seed. */
function seeded(seed: number): () => number {
  let value = seed;
  return () => {
    value = (value * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return value / 4_294_967_296;
  };
}

function disturb(world: SimulatedRollout, random: () => number): void {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const chance = random();
  // The operator writes the state before it makes a version.
  if (chance < 0.04 && world.stored === '') return;
  if (chance < 0.02) world.newest++;
  else if (chance < 0.03) world.bad.add(++world.newest);
  else if (chance < 0.04) world.pinned = 1 + Math.floor(random() * world.newest);
  else if (chance < 0.06) world.pinned = undefined;
  else if (chance < 0.08) world.kill();
  else if (chance < 0.15) world.start();
  else if (chance < 0.17) world.away(pick(world.locations), true);
  else if (chance < 0.25) world.away(pick(world.locations), false);
  else if (chance < 0.26) world.addMachine(world.machines.length);
  else if (chance < 0.3 && world.machines.length > 0) pick(world.machines).ill = true;
  else if (chance < 0.4 && world.machines.length > 0) pick(world.machines).ill = false;
}

/** The end of all disturbances: a good version, and machines that heal with it or without. */
function heal(world: SimulatedRollout): void {
  world.pinned = undefined;
  world.newest++;
  world.start();
  for (const location of world.locations) world.away(location, false);
  for (const machine of world.machines) machine.ill = false;
}

function isDone({ machines, target, decision, state }: SimulatedRollout): boolean {
  const everywhere = Object.values(state?.regions ?? {}).every((number) => number === target);
  return decision?.phase === 'Done' && everywhere && machines.every(({ actual }) => actual === target);
}
