import { test } from '@jest/globals';
import { armTemplate } from './arm-scenario.ts';
import { illImage, illImageRolledBack } from './ill-image.ts';
import { limitMs, scenarioPlace } from './scenario-place.ts';
import { badImage, suspendAndResume } from './scenarios.ts';

const world = scenarioPlace();

test.each(['Stop', 'Continue', 'Rollback'] as const)(
  'an image that Azure does not have, in the second of three waves: onFailure %s does what it says',
  (onFailure) => badImage(world.place, onFailure),
  limitMs,
);

const modes = ['Manual', 'Rolling'] as const;

test.each(modes)(
  'an image that makes instances of mode %s ill stops at one batch of the first wave, and a corrected one reaches all',
  (mode) => illImage(world.place, mode),
  limitMs,
);

test.each(modes)(
  'an image that makes instances of mode %s ill is rolled back, and the roll-back ends when they are well',
  (mode) => illImageRolledBack(world.place, mode),
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
