/** ASO v2's own sample manifests, unchanged: they apply, become Ready on the sandbox and are deleted again. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runSamples } from './sample-run.ts';
import { newestSamples, presumedBy, sampleGroups, samplesMissing, samplesPresent } from './samples.ts';
import { startWorld, type World } from './support.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

let world: World;
beforeAll(async () => {
  if (samplesPresent) world = await startWorld({ kinds: '*', versions: 'all' });
});
afterAll(() => world?.close());

withSamples(
  samplesPresent ? 'every sample becomes Ready, is read again without a write, and is deleted' : samplesMissing,
  async () => {
    const samples = newestSamples();
    expect(samples.length).toBeGreaterThan(140);
    for (const group of sampleGroups(samples)) {
      const run = await runSamples(world, [...presumedBy(group, world.azure), ...group]);
      expect(run).toEqual({ writesWhileIdle: [], left: [] });
    }
  },
  400_000,
);
