import { afterAll, expect, test } from '@jest/globals';
import { expectedLooks, makeSteady, steadyHour } from './steady-hour.ts';
import { startWorld, type World } from './support.ts';

const resources = 25;
let world: World;
afterAll(() => world?.close(), 60_000);

test('an hour at rest has the looks at each resource that its period asks for, and not a single write', async () => {
  world = await startWorld();
  expect(await makeSteady(world, resources)).toBe(resources);
  const { looks, writes, changed } = await steadyHour(world, resources);
  expect({ writes, changed }).toEqual({ writes: 0, changed: 0 });
  expect(looks.least).toBeGreaterThanOrEqual(expectedLooks.least);
  expect(looks.most).toBeLessThanOrEqual(expectedLooks.most);
}, 240_000);
