/**
 * ASO v2's own sample manifests, unchanged, on a real API server: it takes every version, and one version of each object
 * becomes Ready, is idle, and is deleted again; where AZIMUTH_SAMPLES names other samples, every version does. The slow
 * tier has the life of every version on the embedded server.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namesKnownToFail, unexpected } from '../../operator/samples/known-samples.ts';
import { countBatches, sampleBatches } from '../../operator/samples/sample-batches.ts';
import { scopesFor } from '../../operator/samples/sample-place.ts';
import { runSamples } from '../../operator/samples/sample-run.ts';
import { armKindOf, nameOf, readSamples, samplesMissing, samplesPresent } from '../../operator/samples/samples.ts';
import { type InstalledOperator, installOperator, longLease } from './installed-operator.ts';
import { clusterPlace } from './sample-place.ts';

if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);
// Users of databases need a server of PostgreSQL, MySQL or SQL; test/database-servers has these.
const hasServer = (service: string | undefined) => service === undefined || service === 'graph';
const folders = (samplesPresent ? readSamples() : []).map((folder) =>
  folder.filter((object) => hasServer(armKindOf(object)?.arm?.dataPlane?.service)),
);
const batches = Array.from({ length: countBatches(folders) }, (_, index) => index + 1);
const lives = process.env['AZIMUTH_SAMPLES'] === undefined ? batches.slice(0, 1) : batches;
const others = batches.slice(lives.length);

let installed: InstalledOperator;
let place: ReturnType<typeof clusterPlace>;
beforeAll(async () => {
  if (!samplesPresent) return;
  // Without resyncs, an operator reads every resource when it starts.
  const flags = [...longLease, '--sync-period=never', `--operator-credential-scopes=${scopesFor(folders.flat())}`];
  installed = await installOperator('*', {
    flags,
    arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true },
  });
  place = clusterPlace(installed);
}, 600_000);
afterAll(async () => {
  await place?.close();
  await installed?.remove();
});

if (!samplesPresent) test.skip(samplesMissing, () => undefined);
else {
  test.each(lives)(
    'every sample of batch %i becomes Ready, is read and applied again without a write, and is deleted',
    async (number) => {
      const objects = sampleBatches(folders, installed.azure)[number - 1] ?? [];
      const failures = await runSamples(place, objects, 600_000, namesKnownToFail(objects));
      expect(unexpected(objects, failures)).toEqual([]);
    },
    2_400_000,
  );

  for (const number of others) {
    test(`the API server takes every sample of batch ${number}`, async () => {
      const objects = sampleBatches(folders, installed.azure)[number - 1] ?? [];
      const refused = await place.tryApply(objects);
      const known = namesKnownToFail(objects, ['taken']);
      const unknown = [...refused].filter(([object]) => !known.has(nameOf(object)));
      expect(unknown.map(([object, message]) => `${nameOf(object)}: ${message}`)).toEqual([]);
    });
  }
}
