import { afterAll, expect, test } from '@jest/globals';
import { expectedLooks, makeSteady, type SteadyWorld, startSteadyWorld, steadyHour } from './steady-hour.ts';

const resources = 25;
let world: SteadyWorld;
afterAll(() => world?.close());

test('an hour in sync has the reads of each resource that its sync period asks for, and not a single write', async () => {
  world = await startSteadyWorld();
  expect(await makeSteady(world, resources)).toBe(resources);
  const { looks, writes, changed } = await steadyHour(world, resources);
  expect({ writes, changed }).toEqual({ writes: 0, changed: 0 });
  expect(looks.least).toBeGreaterThanOrEqual(expectedLooks.least);
  expect(looks.most).toBeLessThanOrEqual(expectedLooks.most);
}, 240_000);
