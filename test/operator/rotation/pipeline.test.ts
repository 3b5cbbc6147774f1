import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KeyRotation } from '../../../runtime/api/types.ts';
import { pairedValues, showOnly } from '../../../runtime/operator/export/published.ts';
import { publishedAt } from '../../../runtime/operator/export/steps.ts';
import { graceMs } from '../../../runtime/operator/rotation/pipeline.ts';
import { type Fate, overlapMs, pass, rotation, Scene, steps } from './rotation-scene.ts';

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
