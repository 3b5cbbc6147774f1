import { expect, test } from '@jest/globals';
import { limitMs, scenarioPlace } from './scenario-place.ts';
import { killedAtRandom, manyResources } from './scenarios.ts';

const world = scenarioPlace();

test(
  'killed at random, the operator brings each goal into Azure by one PUT, and deletes everything',
  async () => {
    await killedAtRandom(world.place, 24, 20271);
    expect(world.operator.kills).toBeGreaterThanOrEqual(12);
  },
  limitMs,
);

test(
  'a deployment of 1,000 resources makes each of them once, and leaves nothing behind',
  async () => {
    process.stdout.write(`${JSON.stringify(await manyResources(world.place, 100))}\n`);
  },
  limitMs,
);
