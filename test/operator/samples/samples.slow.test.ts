/** ASO v2's own sample manifests, unchanged, in every version: Ready on the sandbox, idle, and deleted again. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support.ts';
import { namesKnownToFail, unexpected } from './known-samples.ts';
import { countBatches, sampleBatches } from './sample-batches.ts';
import { embeddedPlace, scopesFor } from './sample-place.ts';
import { runSamples } from './sample-run.ts';
import { readSamples, samplesMissing, samplesPresent } from './samples.ts';

if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);
const folders = samplesPresent ? readSamples() : [];
const batches = Array.from({ length: countBatches(folders) }, (_, index) => index + 1);

let world: World;
beforeAll(async () => {
  if (samplesPresent) world = await startWorld({ kinds: '*', versions: 'all' });
});
afterAll(() => world?.close());

if (!samplesPresent) test.skip(samplesMissing, () => undefined);
else {
  test('there are samples in several versions', () => {
    expect(folders.flat().length).toBeGreaterThan(260);
    expect(batches.length).toBeGreaterThan(5);
  });

  test.each(batches)(
    'every sample of batch %i becomes Ready, is read and applied again without a write, and is deleted',
    async (number) => {
      const objects = sampleBatches(folders, world.azure)[number - 1] ?? [];
      const place = embeddedPlace(world, { AZURE_OPERATOR_CREDENTIAL_SCOPES: scopesFor(objects) });
      const failures = await runSamples(place, objects, 300_000, namesKnownToFail(objects));
      expect(unexpected(objects, failures)).toEqual([]);
    },
    1_200_000,
  );
}
