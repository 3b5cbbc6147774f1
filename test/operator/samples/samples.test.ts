import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { validate } from '../../../runtime/api/validate.ts';
import { startWorld, type World } from '../support.ts';
import { namesKnownToFail, unexpected } from './known-samples.ts';
import { sampleBatches } from './sample-batches.ts';
import { embeddedPlace } from './sample-place.ts';
import { runSamples } from './sample-run.ts';
import { armKindOf, nameOf, readSamples, samplesMissing, samplesPresent } from './samples.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

const all = samplesPresent ? readSamples() : [];
const known = namesKnownToFail(all.flat());
const three = all.map((folder) =>
  folder.filter(({ apiVersion, kind }) =>
    /^apimanagement|^network\S+ (PrivateDns|VirtualNetworksVirtualNetworkPeering)/.test(`${apiVersion} ${kind}`),
  ),
);
const [samples = []] = sampleBatches(three, { subscriptionId: '', tenantId: '', defaultApp: { objectId: '' } });
const kinds = samples.filter(armKindOf);

let world: World;
beforeAll(async () => {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`);
  const versions = kinds.map(({ apiVersion }) => apiVersion);
  if (samplesPresent) world = await startWorld({ kinds: [...new Set(names)].join(';'), versions });
});
afterAll(() => world?.close());

withSamples(samplesPresent ? 'the schema of its kind takes every sample in every version' : samplesMissing, () => {
  const refused = all.flat().flatMap((object) => {
    const kind = armKindOf(object);
    if (!kind || known.has(nameOf(object))) return [];
    return validate(kind, object).map(({ path, expected }) => `${object.kind} ${path}: ${expected}`);
  });
  expect(refused).toEqual([]);
});

withSamples(
  samplesPresent
    ? 'samples of three groups become Ready, are read again without a write, and are deleted'
    : samplesMissing,
  async () => {
    expect(samples.length).toBeGreaterThan(10);
    const [objects = []] = sampleBatches(three, world.azure);
    expect(unexpected(objects, await runSamples(embeddedPlace(world), objects))).toEqual([]);
  },
);
