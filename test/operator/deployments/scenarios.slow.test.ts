import { test } from '@jest/globals';
import { armTemplate } from './arm-scenario.ts';
import { limitMs, scenarioPlace } from './scenario-place.ts';
import { badImage, illImage, suspendAndResume } from './scenarios.ts';

const world = scenarioPlace();

test.each(['Stop', 'Continue', 'Rollback'] as const)(
  'an image that Azure does not have, in the second of three waves: onFailure %s does what it says',
  (onFailure) => badImage(world.place, onFailure),
  limitMs,
);

test(
  'an image that makes instances of mode Manual ill stops at one of the first wave, and a corrected one reaches all',
  async () => {
    await illImage(world.place);
  },
  limitMs,
);

test(
  'a deployment that is suspended in its first wave starts nothing, and goes on after it',
  async () => {
    await suspendAndResume(world.place);
  },
  limitMs,
);

test(
  'an ARM template of a scale set with a managed certificate: planned, run, changed, rolled back, deleted',
  async () => {
    await armTemplate(world.place);
  },
  limitMs,
);
