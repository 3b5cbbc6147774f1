import type { Fault } from '../../sandbox/azure/faults.ts';
import { type Cut, FaultyWorld, type Moment } from './faulty-world.ts';
import type { Random } from './random.ts';
import { type ResourceFigures, ResourceSet } from './resource-set.ts';

export interface ScenarioOptions {
  readonly resources: number;
  readonly kills: number;
  readonly random: Random;
  /** @default the sources of the operator */
  readonly program?: string;
}

export interface Outcome extends ResourceFigures {
  /** How often the fault took place. */
  readonly faults: number;
  /** The parts of the scenario that did not happen, so that its figures show nothing. */
  readonly missed: readonly string[];
  readonly what: string;
  /** What the kills hit. */
  readonly hit?: Hit;
}

/** Numbers of kills, and the average of what they met. */
export interface Hit {
  /** While a request that changes something had no answer yet. */
  readonly inWrite: number;
  /** While Azure went on with an operation. */
  readonly inOperation: number;
  /** Resources on the way to their goal. */
  readonly atWork: number;
}

export type Scenario = (options: ScenarioOptions) => Promise<Outcome>;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sets faults for a while, several times, while resources are made and changed; then lets it come to rest. */
function azureFaults(what: string, faults: readonly Fault[]): Scenario {
  return async ({ resources, random, program }) => {
    await using faulty = await FaultyWorld.start({ program });
    const { azure } = faulty.world;
    const set = new ResourceSet(faulty.world, resources, random);
    faulty.spawn();
    const hits = faults.map(() => 0);
    /** Waits until one of the faults that are set has hit something, and takes them away; their places in `faults`. */
    const untilHit = async (places: readonly number[]) => {
      const active = () => azure.faults.list();
      const deadline = Date.now() + 60_000;
      while (!active().some((fault) => fault.hits > 0) && Date.now() < deadline) await pause(100);
      for (const [index, fault] of active().entries()) {
        const place = places[index] ?? 0;
        hits[place] = (hits[place] ?? 0) + fault.hits;
      }
      azure.faults.clear();
    };
    let busy = true;
    const churning = set.apply().then(() => set.churn(() => busy));
    for (let round = 0; round < 4; round++) {
      await pause(random.between(200, 1500));
      for (const fault of faults) azure.faults.add(fault);
      await pause(random.between(1000, 2500));
      // On a busy machine nothing may have been sent yet: a round lasts until a fault has hit something.
      await untilHit(faults.map((_, index) => index));
    }
    // One after the other, alone: where a fault drops everything, no write comes to one that waits for writes.
    for (const [index, fault] of faults.entries()) {
      if (hits[index] !== 0) continue;
      azure.faults.add(fault);
      await untilHit([index]);
    }
    busy = false;
    await churning;
    const missed = faults.filter((_, index) => hits[index] === 0).map((fault) => JSON.stringify(fault));
    return { ...(await set.end()), faults: hits.reduce((sum, count) => sum + count, 0), missed, what };
  };
}

const polls = 'operation';
const html = '<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>';

/** Some before anything is done, some after reads, most when something is being changed. */
function momentOf(random: Random): Moment {
  const ms = random.between(0, 100);
  if (random.chance(0.2)) return { count: 0, of: 'requests', ms };
  return random.chance(0.3)
    ? { count: random.between(1, 120), of: 'requests', ms }
    : { count: random.between(1, 10), of: 'writes', ms };
}

/** Kills operators one after the other, each at some moment of its work, while no resource is ever left in peace. */
const kill: Scenario = async ({ resources, kills, random, program }) => {
  await using faulty = await FaultyWorld.start({ program });
  // As Azure does, so that there is a time in which a request has no answer.
  for (const method of ['PUT', 'DELETE'])
    faulty.world.azure.faults.add({ service: 'arm', method, times: 0, delayMs: 150 });
  const set = new ResourceSet(faulty.world, resources, random);
  let busy = true;
  const churning = set.apply().then(() => set.churn(() => busy));
  const cuts: (Cut & { readonly atWork: number })[] = [];
  let next = await faulty.spawnHeld();
  for (let count = 0; count < kills; count++) {
    const program = next;
    next = await faulty.spawnHeld();
    program.letIn();
    const cut = await faulty.killAt(program, momentOf(random));
    cuts.push({ ...cut, atWork: set.atWork });
  }
  busy = false;
  next.letIn();
  await churning;
  const hit = {
    inWrite: cuts.filter(({ writes }) => writes > 0).length,
    inOperation: cuts.filter(({ operations }) => operations > 0).length,
    atWork: Math.round(cuts.reduce((sum, { atWork }) => sum + atWork, 0) / Math.max(1, cuts.length)),
  };
  const missed = hit.inWrite + hit.inOperation > 0 || kills === 0 ? [] : ['no kill met work in Azure'];
  return { ...(await set.end()), faults: kills, missed, what: 'kill -9 of the operator', hit };
};

/** Two replicas, of which the one that works is killed: the other goes on, after the lease has run out. */
const failover: Scenario = async ({ resources, random, program }) => {
  const lease = ['--lease-duration=3s', '--renew-deadline=2s', '--retry-period=300ms'];
  await using faulty = await FaultyWorld.start({ flags: lease, program });
  const set = new ResourceSet(faulty.world, resources, random);
  const replicas = [faulty.spawn(), faulty.spawn()];
  let busy = true;
  const churning = set.apply().then(() => set.churn(() => busy));
  const kills = 4;
  let atWork = 0;
  for (let count = 0; count < kills; count++) {
    for (;;) {
      const leader = replicas.find(({ output }) => output.some((text) => text.includes('lease acquired')));
      if (leader) {
        await faulty.killAt(leader, { count: random.between(1, 80), of: 'requests', ms: random.between(0, 100) });
        atWork += set.atWork;
        replicas.splice(replicas.indexOf(leader), 1, faulty.spawn());
        break;
      }
      await pause(100);
    }
  }
  busy = false;
  await churning;
  return { ...(await set.end()), faults: kills, missed: missedBy(atWork), what: 'kill -9 of the leader of two' };
};

const kubeRestarts: Scenario = async ({ resources, random, program }) => {
  await using faulty = await FaultyWorld.start({ program });
  const set = new ResourceSet(faulty.world, resources, random);
  faulty.spawn();
  let busy = true;
  const churning = set.apply().then(() => set.churn(() => busy));
  const restarts = 5;
  let atWork = 0;
  for (let count = 0; count < restarts; count++) {
    await pause(random.between(500, 2500));
    atWork += set.atWork;
    await faulty.restartKube(random.between(100, 2500));
  }
  busy = false;
  await churning;
  return { ...(await set.end()), faults: restarts, missed: missedBy(atWork), what: 'API server restarted' };
};

/** A fault shows nothing where no resource was ever on the way to its goal when it came. */
const missedBy = (atWork: number) => (atWork > 0 ? [] : ['no resource was on the way to its goal']);

/** By the word that `npm run test:faults -- <word>` picks it with. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  aad: azureFaults('AAD down', [{ service: 'aad', connection: 'drop', times: 0 }]),
  throttle: azureFaults('ARM throttles (429)', [
    {
      service: 'arm',
      times: 0,
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: { code: 'TooManyRequests', message: 'slow down' } },
    },
  ]),
  polls: azureFaults('500 and HTML on polls', [
    { service: 'arm', method: 'GET', path: polls, status: 500, times: 20, body: '' },
    { service: 'arm', method: 'GET', path: polls, status: 502, times: 0, body: html },
  ]),
  silence: azureFaults('connections cut, answers lost', [
    { service: 'arm', connection: 'hangAfter', method: 'PUT', times: 1 },
    { service: 'arm', connection: 'dropAfter', times: 20 },
    { service: 'arm', connection: 'drop', times: 0 },
  ]),
  kube: kubeRestarts,
  failover,
  kill,
};
