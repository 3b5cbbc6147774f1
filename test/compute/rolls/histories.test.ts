import { expect, test } from '@jest/globals';
import { automaticHistory, calmHistory, disturbedHistory } from './histories.ts';
import { type RollCounts, rollCounts } from './roll-counts.ts';

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1);

test('no batch of Azure or of the operator goes beyond a limit of the policy or starts outside of a window, whatever instance falls ill when, no write is sent twice, and no roll is stuck with a healthy model', () => {
  const results = seeds(150).map((seed) => ({ seed, ...disturbedHistory(seed, 40) }));
  for (const result of results) expect(result).toMatchObject({ violations: [], duplicates: [], finished: true });
  const many = (what: keyof RollCounts) => results.filter(({ counts }) => counts[what] > 0).length;
  const rare = rollCounts.filter((what) => many(what) < 10);
  expect(rare).toEqual([]);
});

test('mode Automatic gets no request, and the condition says that it keeps no limit', () => {
  for (const seed of seeds(20)) {
    expect({ seed, ...automaticHistory(seed, 40) }).toEqual({ seed, requests: 0, isReported: true, finished: true });
  }
});

test('a roll that nothing disturbs takes little more than its batches and pauses', () => {
  const runs = seeds(100).map((seed) => calmHistory(seed, 40));
  expect(runs.filter(({ finished }) => !finished)).toEqual([]);
  const sum = (of: 'seconds' | 'ideal') => runs.reduce((total, each) => total + each[of], 0);
  expect(sum('seconds') / sum('ideal')).toBeLessThan(1.1);
});
