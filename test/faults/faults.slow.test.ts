import { expect, test } from '@jest/globals';
import { Random } from './random.ts';
import { scenarios } from './scenarios.ts';

const seed = Number(process.env['AZIMUTH_FAULTS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const clean = { wrongPuts: [], repeatedPuts: [], reusedTokens: 0, stuck: [], left: [], orphans: [] };

test('killed ten times at random moments, the operator loses, repeats and leaves behind nothing', async () => {
  const outcome = await scenarios['kill']?.({ resources: 12, kills: 10, random: new Random(seed) });
  expect({ seed, ...outcome }).toMatchObject({ seed, resources: 12, faults: 10, ...clean });
  // A kill that meets nobody at work shows nothing.
  expect(outcome?.hit?.inWrite).toBeGreaterThan(0);
}, 600_000);
