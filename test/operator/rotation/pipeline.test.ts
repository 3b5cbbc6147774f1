import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KeyRotation } from '../../../runtime/api/types.ts';
import {
  type EffectResult,
  formatJournal,
  type Host,
  type Journal,
  parseJournal,
  run,
} from '../../../runtime/engine/index.ts';
import { jsonOf, type RotationMemo } from '../../../runtime/operator/rotation/memo.ts';
import {
  graceMs,
  type RotationEffect,
  type RotationObservation,
  rotationPipeline,
} from '../../../runtime/operator/rotation/pipeline.ts';
import { pairedValues, showOnly } from '../../../runtime/operator/rotation/published.ts';
import { publishedAt, rotationSteps } from '../../../runtime/operator/rotation/steps.ts';

const rotation: KeyRotation = {
  action: { method: 'POST', path: 'regenerateKey', apiVersion: '1' },
  primary: [
    { secret: 'a1', body: { key: 'a1' } },
    { secret: 'b1', body: { key: 'b1' } },
  ],
  secondary: [
    { secret: 'a2', body: { key: 'a2' } },
    { secret: 'b2', body: { key: 'b2' } },
  ],
  counterparts: { a1: 'a2', b1: 'b2' },
};
const steps = rotationSteps(rotation);
const overlapMs = 3_600_000;

class Killed extends Error {}

/** What happens at one point where something leaves the program. */
type Fate = 'pass' | 'killBefore' | 'killAfter' | 'lost' | 'refused';

/** Azure's keys, a Secret that consumers read, and an annotation; all of them outlive the program. */
class Scene {
  now = 1_000_000;
  readonly keys: Record<string, number> = { a1: 0, a2: 0, b1: 0, b2: 0 };
  readonly renewed: string[] = [];
  readonly violations: string[] = [];
  annotation: string | undefined;
  rotated: string | undefined;
  /** When each value was published last; Infinity while it is. */
  readonly published = new Map<string, number>();
  /** What befalls the next writes and requests. */
  fates: Fate[] = [];

  constructor() {
    this.publish('both');
  }

  publish(side: 'both' | 'primary' | 'secondary'): void {
    const shown = { a1: 'a1', a2: 'a2', b1: 'b1', b2: 'b2' };
    if (side === 'primary') Object.assign(shown, { a2: 'a1', b2: 'b1' });
    if (side === 'secondary') Object.assign(shown, { a1: 'a2', b1: 'b2' });
    const now = Object.values(shown).map((name) => `${name} ${this.keys[name]}`);
    for (const [value, until] of this.published) {
      if (until === Number.POSITIVE_INFINITY && !now.includes(value)) this.published.set(value, this.now);
    }
    for (const value of now) this.published.set(value, Number.POSITIVE_INFINITY);
  }

  renew(name: string): void {
    const dead = `${name} ${this.keys[name]}`;
    const until = this.published.get(dead) ?? 0;
    if (until > this.now - overlapMs) this.violations.push(`${dead} died at ${this.now}, published until ${until}`);
    this.keys[name] = (this.keys[name] ?? 0) + 1;
    this.renewed.push(name);
  }

  fate(): Fate {
    return this.fates.shift() ?? 'pass';
  }
}

/** One pass of a program: exports with what its journal says, then goes on with the rotation. */
async function pass(scene: Scene): Promise<boolean> {
  const journal = parseJournal(scene.annotation);
  const memo = (journal?.blocks['rotate']?.memo as unknown as RotationMemo | undefined) ?? { step: 0 };
  scene.publish(publishedAt(steps, memo.step));
  let keyRead: RotationObservation['keyRead'];
  const host: Host<RotationObservation, RotationEffect> = {
    observe: () => ({ now: scene.now, steps, overlapMs, objectHash: 'u', keyRead, nextPollAt: 0 }),
    save: async (next: Journal) => {
      const fate = scene.fate();
      if (fate === 'killBefore') throw new Killed();
      const over = Object.keys(next.blocks).length === 0;
      scene.annotation = over ? undefined : formatJournal(next);
      if (over) scene.rotated = next.desiredHash;
      if (fate === 'killAfter') throw new Killed();
    },
    perform: async ({ do: what, memo: at }): Promise<EffectResult> => {
      const step = steps[at.step];
      if (!step) throw new Error('no step');
      if (step.do === 'publish') {
        scene.publish(step.keys);
        const next = { step: at.step + 1, ...(step.keys !== 'both' && { since: scene.now }) };
        return { outcome: 'succeeded', memo: jsonOf(next) };
      }
      const name = step.renewal.secret;
      const key = String(scene.keys[name]);
      if (what === 'readKey') {
        if (at.before !== undefined && at.before !== key)
          return { outcome: 'succeeded', memo: jsonOf({ step: at.step + 1 }) };
        keyRead = { step: at.step, key };
        return { outcome: 'succeeded' };
      }
      const fate = scene.fate();
      if (fate === 'killBefore') throw new Killed();
      const failure = { code: 'Busy', message: 'busy' };
      if (fate === 'refused') {
        const refused = { ...failure, times: 1, until: scene.now + 1000, under: 'u' };
        return { outcome: 'succeeded', memo: jsonOf({ ...at, refused }) };
      }
      scene.renew(name);
      if (fate === 'killAfter') throw new Killed();
      if (fate === 'lost') return { outcome: 'retry', failure };
      return { outcome: 'succeeded', memo: jsonOf({ step: at.step + 1 }) };
    },
  };
  const abort = new AbortController();
  const perform = host.perform.bind(host);
  // A program that is killed comes to no result: the run rejects as it does when the process ends.
  const restartable: typeof host = {
    ...host,
    perform: (effect, context) =>
      perform(effect, context).catch((error: unknown) => {
        abort.abort(error);
        throw error;
      }),
  };
  try {
    const { state } = await run(rotationPipeline, { hash: 'requested', value: undefined }, journal, restartable, {
      signal: abort.signal,
    });
    return state === 'Succeeded';
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}

async function drive(scene: Scene, waits: readonly number[]): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await pass(scene)) return;
    scene.now += waits[turn % waits.length] ?? graceMs;
  }
  throw new Error(`not over: ${scene.annotation}`);
}

const order = ['a2', 'b2', 'a1', 'b1'];

test('killed or cut off anywhere, a rotation renews each key once, and no published key ever dies under its readers', async () => {
  const fates = fc.array(fc.constantFrom<Fate>('pass', 'pass', 'killBefore', 'killAfter', 'lost', 'refused'), {
    maxLength: 24,
  });
  const waits = fc.array(fc.integer({ min: 1, max: overlapMs }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fates, waits, async (list, times) => {
      const scene = new Scene();
      scene.fates = [...list];
      await drive(scene, [...times, overlapMs]);
      expect(scene.renewed).toEqual(order);
      expect(scene.violations).toEqual([]);
      expect(scene.annotation).toBeUndefined();
      expect(scene.rotated).toBe('requested');
      const alive = Object.entries(scene.keys).map(([name, count]) => `${name} ${count}`);
      const shown = [...scene.published]
        .filter(([, until]) => until === Number.POSITIVE_INFINITY)
        .map(([value]) => value);
      expect(shown.sort()).toEqual(alive.sort());
    }),
    { numRuns: 400 },
  );
});

test('a request that was cut off is repeated once it had its time and the key is the same', async () => {
  const scene = new Scene();
  scene.fates = ['pass'];
  await pass(scene);
  scene.now += overlapMs;
  // Announced, and killed before the request went out.
  scene.fates = ['pass', 'killBefore'];
  await pass(scene);
  scene.now += graceMs - 1;
  await pass(scene);
  expect(scene.renewed).toEqual([]);
  scene.now += 1;
  await pass(scene);
  expect(scene.renewed).toEqual(['a2', 'b2']);
});

test('every side is left alone while it is the one that is published', () => {
  const shown = steps.map((step, index) => [
    publishedAt(steps, index),
    step.do === 'renew' ? step.renewal.secret : step.keys,
  ]);
  expect(shown).toEqual([
    ['both', 'primary'],
    ['primary', 'a2'],
    ['primary', 'b2'],
    ['primary', 'secondary'],
    ['secondary', 'a1'],
    ['secondary', 'b1'],
    ['secondary', 'both'],
  ]);
});

test('values of one side stand in for those of the other wherever they occur, connection strings first', () => {
  const pair: KeyRotation = {
    ...rotation,
    counterparts: { primaryKey: 'secondaryKey', primaryString: 'secondaryString' },
  };
  const secrets = {
    primaryKey: { from: 'action', path: 'keys[0].value' },
    secondaryKey: { from: 'action', path: 'keys[1].value' },
    primaryString: { from: 'action', path: 'one' },
    secondaryString: { from: 'action', path: 'two' },
  } as const;
  const answer = {
    keys: [{ value: 'p$&' }, { value: 's' }],
    one: 'name=p;key=p$&',
    two: 'name=s;key=s',
    count: 2,
    none: null,
  };
  const values = pairedValues(pair, secrets, answer);
  expect(values).toEqual({
    primaryKey: 'p$&',
    secondaryKey: 's',
    primaryString: 'name=p;key=p$&',
    secondaryString: 'name=s;key=s',
  });
  expect(
    showOnly(
      'primary',
      { ...pair, counterparts: { primaryKey: 'secondaryKey' } },
      { primaryKey: 'p$&', secondaryKey: 'SS' },
      ['SS', { a: 'x=SS;' }],
    ),
  ).toEqual(['p$&', { a: 'x=p$&;' }]);
  expect(
    showOnly('secondary', pair, values, { string: 'name=p;key=p$&', other: ['a p$& b'], count: 2, none: null }),
  ).toEqual({
    string: 'name=s;key=s',
    other: ['a s b'],
    count: 2,
    none: null,
  });
  expect(pairedValues(pair, secrets, {})).toEqual({});
});
