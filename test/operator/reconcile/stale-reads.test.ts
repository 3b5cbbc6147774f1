import { expect, test } from '@jest/globals';
import { accepted } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { type EffectResult, type Journal, run } from '../../../runtime/engine/index.ts';
import { mayBeStale, settlesAt } from '../../../runtime/operator/effects/applied.ts';
import type { EffectContext, EffectReport } from '../../../runtime/operator/effects/effect-context.ts';
import type { Live, Observation } from '../../../runtime/operator/effects/observation.ts';
import type { ReconcileDeps } from '../../../runtime/operator/effects/reconcile-deps.ts';
import type { ReconcilePlan } from '../../../runtime/operator/effects/reconcile-plan.ts';
import type { Effect } from '../../../runtime/operator/reconcile/effect.ts';
import { failAndRetry, recordApplied, reportAbsent } from '../../../runtime/operator/reconcile/effects/record.ts';
import { firstObservation } from '../../../runtime/operator/reconcile/first-observation.ts';
import { applyPipeline } from '../../../runtime/operator/reconcile/pipelines.ts';

const body = { tags: { v: '2' } };
const desired = { policy: 'manage', waits: [], body, declared: body, inputsVersion: '', deletion: undefined } as const;
const plan = {
  ...desired,
  model: { readyWhen: () => undefined, definition: {} },
  object: { metadata: {} },
  resolution: { inputsVersion: '' },
} as unknown as ReconcilePlan;

const shows = (v: string): Live => ({ exists: true, body: { tags: { v } } });
const absent: Live = { exists: false };
const failed: Live = { exists: true, body: { ...body, properties: { provisioningState: 'Failed' } } };

/** One object with the records that its runs leave. */
class Scene {
  puts = 0;
  /** When the last run asked to read again. */
  rereadAt: number | undefined;
  #applied: Observation['applied'];
  #journal: Journal | undefined;

  /** One run at this second. Azure shows `live` in each read. */
  async read(second: number, live: Live): Promise<void> {
    const now = second * 1000;
    let observed: Observation = {
      ...firstObservation({} as ReconcileDeps, plan),
      finalizerAdded: true,
      applied: this.#applied,
      now,
      nextPollAt: 0,
      owned: true,
      adoptionRefusal: undefined,
      exportsDue: false,
      secretsInVaults: false,
    };
    const effects = () =>
      ({
        plan,
        observed,
        isNew: false,
        isSettled: () => !mayBeStale(observed),
        acquired: () => undefined,
        annotate: async () => undefined,
      }) as unknown as EffectContext;
    const perform = async (effect: Effect): Promise<EffectReport> => {
      if (effect.do === 'readResource') return { outcome: 'succeeded', observed: { live } };
      if (effect.do === 'recordApplied') return recordApplied(effects());
      if (effect.do === 'failAndRetry') return failAndRetry(effects());
      if (effect.do === 'reportAbsent') return reportAbsent(effects());
      expect(effect.do).toBe('beginCreateOrUpdate');
      this.puts++;
      const applied = { ...(observed.applied ?? accepted), settlesAt: now + 30_000 };
      return { outcome: 'succeeded', memo: { sent: true }, observed: { live: undefined, applied, putSent: true } };
    };
    const result = await run(applyPipeline, { hash: 'h', value: desired }, this.#journal, {
      observe: () => observed,
      save: async (journal: Journal) => {
        this.#journal = journal;
      },
      perform: async (effect: Effect): Promise<EffectResult> => {
        const { observed: changes, error: _, ...report } = await perform(effect);
        observed = { ...observed, ...changes };
        return report;
      },
    });
    this.#journal = result.state === 'Succeeded' ? undefined : this.#journal;
    this.#applied = observed.applied;
    this.rereadAt = settlesAt(desired, observed);
  }
}

/** The number of PUTs after each read. */
async function putsOver(reads: readonly (readonly [second: number, live: Live])[]): Promise<number[]> {
  const scene = new Scene();
  const counts: number[] = [];
  for (const [second, live] of reads) {
    await scene.read(second, live);
    counts.push(scene.puts);
  }
  return counts;
}

test('a stale read after the PUT hides no later drift to the same value', async () => {
  const reads = [
    [0, shows('1')],
    [1, shows('2')],
    [60, shows('2')],
    [120, shows('1')],
  ] as const;
  expect(await putsOver(reads)).toEqual([1, 1, 1, 2]);
});

test('a difference that stays after the time to settle is known, and a clean read ends it', async () => {
  const reads = [
    [0, shows('1')],
    [31, shows('1')],
    [600, shows('1')],
    [660, shows('2')],
    [700, shows('1')],
  ] as const;
  expect(await putsOver(reads)).toEqual([1, 1, 1, 1, 2]);
});

test('another difference after the time to settle costs one PUT, and is known then', async () => {
  const reads = [
    [0, shows('1')],
    [31, shows('two')],
    [62, shows('two')],
    [600, shows('two')],
    [660, shows('1')],
  ] as const;
  expect(await putsOver(reads)).toEqual([1, 2, 2, 2, 3]);
});

test('no read within half a minute of a PUT leads to another one', async () => {
  for (const stale of [shows('1'), shows('0'), absent, failed]) {
    const reads = [
      [0, absent],
      [1, stale],
      [20, shows('2')],
      [25, stale],
      [29, stale],
      [31, shows('2')],
    ] as const;
    const scene = new Scene();
    for (const [second, live] of reads) await scene.read(second, live);
    await scene.read(100, shows('1'));
    expect(scene.puts).toBe(2);
    for (const second of [101, 105, 129]) await scene.read(second, stale);
    expect(scene.puts).toBe(2);
  }
});

test('a resource that is still gone or failed after the time to settle is sent again', async () => {
  for (const live of [absent, failed]) {
    const scene = new Scene();
    await scene.read(0, absent);
    await scene.read(1, shows('2'));
    await scene.read(2, live);
    expect(scene.puts).toBe(1);
    await scene.read(31, live);
    expect(scene.puts).toBe(2);
  }
});

test('a difference in a read that may be stale is read again when the PUT has settled', async () => {
  const scene = new Scene();
  await scene.read(0, shows('1'));
  expect(scene.rereadAt).toBe(30_000);
  await scene.read(2, shows('2'));
  expect(scene.rereadAt).toBeUndefined();
  await scene.read(3, shows('1'));
  expect(scene.rereadAt).toBe(30_000);
});
