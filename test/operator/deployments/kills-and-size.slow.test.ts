import { expect, test } from '@jest/globals';
import { killedInRoll } from './killed-in-roll.ts';
import { limitMs, scenarioPlace } from './scenario-place.ts';
import { killedAtRandom, manyResources } from './scenarios.ts';

const world = scenarioPlace();

test(
  'killed at random, the operator brings each goal into Azure by one PUT, and deletes everything',
  async () => {
    await killedAtRandom(world.place, 12, 20271);
    expect(world.operator.kills).toBeGreaterThanOrEqual(6);
  },
  limitMs,
);

test.each(['Manual', 'Rolling'] as const)(
  'killed while instances of mode %s roll, it takes no more out of service than one batch, and writes nothing twice',
  (mode) => killedInRoll(world.place, mode, 20273),
  limitMs,
);

test(
  'a deployment of 300 resources, more than a page of a list, makes each of them once and leaves nothing behind',
  async () => {
    process.stdout.write(`${JSON.stringify(await manyResources(world.place, 30))}\n`);
  },
  limitMs,
);
