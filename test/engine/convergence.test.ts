import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Block,
  type Decision,
  done,
  type EffectResult,
  formatJournal,
  Graph,
  type Journal,
  Limits,
  parseJournal,
  pipeline,
  run,
} from '../../runtime/engine/index.ts';

/** Faults are used up one by one, so that every run has an end: 'none' is the answer once there are no more. */
type Fault = 'none' | 'transient' | 'unknown outcome' | 'crash before' | 'crash after' | 'slow';
const fault = fc.constantFrom<Fault>('none', 'transient', 'unknown outcome', 'crash before', 'crash after', 'slow');

class Crash extends Error {}

type Effect = { readonly do: 'put' | 'poll' | 'get' };
interface Observation {
  /** The result of a read in this run. */
  readonly seen: string | undefined | null;
  readonly ready: (id: string) => boolean;
}
interface Resource {
  value: string;
  finished: boolean;
}

/** Azure, the cluster and the work queue in small: everything that survives a crash, and what checks the rules. */
class World {
  readonly azure = new Map<string, Resource>();
  readonly journals = new Map<string, string>();
  readonly writers = new Set<string>();
  readonly puts: string[] = [];
  readonly violations: string[] = [];
  readonly graph = new Graph();
  readonly desired: Map<string, string>;
  readonly faults: Fault[];
  readonly limits = new Limits(() => 2);

  constructor(edges: readonly (readonly [string, string])[], ids: readonly string[], faults: readonly Fault[]) {
    for (const id of ids) {
      this.graph.set(
        id,
        edges.filter(([from]) => from === id).map(([, to]) => ({ kind: 'reference', to })),
      );
    }
    this.desired = new Map(ids.map((id) => [id, 'v1']));
    this.faults = [...faults];
  }

  /** Collected, as a throw inside an effect would count as one of its faults. */
  check(holds: boolean, rule: string): void {
    if (!holds) this.violations.push(rule);
  }

  ready(id: string): boolean {
    const resource = this.azure.get(id);
    return resource?.finished === true && resource.value === this.desired.get(id);
  }

  /** One run of one node by a process that may die at any step. */
  async drive(id: string) {
    const observed: { seen: string | undefined | null; ready: (id: string) => boolean } = {
      seen: undefined,
      ready: (other) => this.ready(other),
    };
    const blocks: Block<string, Observation, Effect>[] = [
      {
        name: 'dependencies',
        decide: ({ observed }): Decision<Effect> => {
          const missing = this.graph.dependencies(id).filter(({ to }) => !observed.ready(to));
          if (missing.length === 0) return done;
          return {
            next: 'wait',
            waits: missing.map(({ kind, to }) => ({ kind, node: to, reason: 'Waiting', message: to })),
          };
        },
      },
      {
        name: 'submit',
        after: ['dependencies'],
        decide: ({ desired, observed, polling }): Decision<Effect> => {
          if (polling) return { next: 'perform', effect: { do: 'poll' }, repeatable: true };
          if (observed.seen === undefined) return { next: 'perform', effect: { do: 'get' }, repeatable: true };
          if (observed.seen === desired) return done;
          return { next: 'perform', effect: { do: 'put' }, repeatable: false };
        },
      },
    ];
    const desired = this.desired.get(id) ?? '';
    // A process that died does nothing any more, whatever its code would go on to do.
    let dead = false;
    const crash = (when: string): never => {
      dead = true;
      throw new Crash(when);
    };
    const result = await run(
      pipeline('p', blocks),
      { hash: desired, value: desired },
      parseJournal(this.journals.get(id)),
      {
        observe: () => observed,
        save: async (journal: Journal) => {
          if (dead) throw new Crash('dead');
          const next = this.faults.pop() ?? 'none';
          if (next === 'crash before') crash('before save');
          this.journals.set(id, formatJournal(journal));
          if (next === 'crash after') crash('after save');
        },
        limitKeysOf: ({ do: what }) => (what === 'put' ? ['subscription'] : []),
        perform: async ({ do: what }, { journal }): Promise<EffectResult> => {
          if (dead) throw new Crash('dead');
          const next = this.faults.pop() ?? 'none';
          if (next === 'crash before') crash('before effect');
          if (next === 'transient') return { outcome: 'retry', failure: { code: 'Busy', message: 'busy' } };
          const resource = this.azure.get(id);
          let result: EffectResult = { outcome: 'succeeded' };
          if (what === 'get') observed.seen = resource?.finished ? resource.value : null;
          if (what === 'poll' && resource) resource.finished = true;
          if (what === 'put') {
            this.check(
              this.graph.dependencies(id).every(({ to }) => this.azure.has(to)),
              'an input is missing',
            );
            const entry = parseJournal(this.journals.get(id))?.blocks['submit'];
            this.check(entry?.state === 'Running' && journal.desiredHash === desired, 'the write was not journaled');
            this.check(!this.writers.has(id), 'two writers');
            this.writers.add(id);
            this.check(this.writers.size <= 2, 'bound exceeded');
            await new Promise((resolve) => setImmediate(resolve));
            this.writers.delete(id);
            this.puts.push(`${id} ${desired}`);
            this.azure.set(id, { value: desired, finished: next !== 'slow' });
            if (next === 'slow') result = { outcome: 'polling', memo: { url: `/op/${id}` } };
          }
          if (what !== 'get') observed.seen = undefined;
          if (next === 'unknown outcome') throw new Error('connection reset');
          if (next === 'crash after') crash('after effect');
          return result;
        },
      },
      { limits: this.limits },
    ).catch((error: unknown) => {
      if (error instanceof Crash) return undefined;
      throw error;
    });
    return dead ? undefined : result;
  }

  /** A work queue with several workers: picks in the given order, never one node twice at a time. */
  async runAll(order: readonly number[], workers: number, onIdle: () => string[]): Promise<void> {
    const queue = new Set(this.graph.nodes());
    const busy = new Set<string>();
    let step = 0;
    const work = async () => {
      for (let turns = 0; turns < 5_000; turns++) {
        const free = [...queue].filter((id) => !busy.has(id));
        const id = free[(order[step++ % order.length] ?? 0) % Math.max(1, free.length)];
        if (id === undefined) {
          if (queue.size === 0 && busy.size === 0) {
            const more = onIdle();
            if (more.length === 0) return;
            for (const each of more) queue.add(each);
          }
          await new Promise((resolve) => setImmediate(resolve));
          continue;
        }
        queue.delete(id);
        busy.add(id);
        const result = await this.drive(id);
        busy.delete(id);
        // A lost process and a passing failure are tried again; a blocked node is only ever enqueued by what it waits for.
        if (result === undefined || result.state === 'Pending' || result.state === 'Polling') queue.add(id);
        if (result?.state === 'Succeeded') for (const dependent of this.graph.dependents(id)) queue.add(dependent);
      }
      throw new Error('no convergence');
    };
    await Promise.all(Array.from({ length: workers }, work));
  }
}

const world = fc
  .integer({ min: 1, max: 8 })
  .chain((size) =>
    fc.tuple(
      fc.constant(Array.from({ length: size }, (_, index) => `n${index}`)),
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 14 }),
      fc.array(fault, { maxLength: 60 }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
    ),
  );

test('any graph converges under any faults: inputs first, one writer each, and then nothing more to do', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ([ids, pairs, faults, order, workers, change]) => {
      const edges = pairs
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => [`n${Math.max(a, b)}`, `n${Math.min(a, b)}`] as const);
      const here = new World(edges, ids, faults);
      let changed = !change;
      await here.runAll(order, workers, () => {
        if (changed) return [];
        changed = true;
        here.desired.set('n0', 'v2');
        return ['n0'];
      });
      expect(here.violations).toEqual([]);
      for (const id of ids) {
        expect(here.ready(id)).toBe(true);
        expect(parseJournal(here.journals.get(id))?.blocks ?? {}).toEqual({});
      }
      const before = { puts: here.puts.length, journals: new Map(here.journals) };
      here.faults.length = 0;
      for (const id of ids) expect((await here.drive(id))?.state).toBe('Succeeded');
      expect(here.puts.length).toBe(before.puts);
      expect(here.journals).toEqual(before.journals);
      // Without faults nobody writes twice for one desired state.
      if (faults.every((each) => each === 'none')) expect(new Set(here.puts).size).toBe(here.puts.length);
    }),
    { numRuns: 300 },
  );
});
