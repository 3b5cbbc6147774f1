import { afterAll, expect, test } from '@jest/globals';
import { expectedReads, makeSteady, type SteadyWorld, startSteadyWorld, steadyHour } from './steady-hour.ts';

const resources = 25;
let world: SteadyWorld;
afterAll(() => world?.close());

test('an hour in sync has the reads of each resource that its sync period asks for, and not a single write', async () => {
  world = await startSteadyWorld();
  expect(await makeSteady(world, resources)).toBe(resources);
  const { reads, writes, changed } = await steadyHour(world, resources);
  expect({ writes, changed }).toEqual({ writes: 0, changed: 0 });
  expect(reads.least).toBeGreaterThanOrEqual(expectedReads.least);
  expect(reads.most).toBeLessThanOrEqual(expectedReads.most);
}, 240_000);
