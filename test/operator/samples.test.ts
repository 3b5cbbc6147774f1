import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { validate } from '../../runtime/api/validate.ts';
import { runSamples } from './sample-run.ts';
import { armKindOf, newestSamples, presumedBy, readSamples, samplesMissing, samplesPresent } from './samples.ts';
import { startWorld, type World } from './support.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

const samples = samplesPresent
  ? newestSamples().filter(({ apiVersion, kind }) =>
      /^apimanagement|^network\S+ (PrivateDns|VirtualNetworksVirtualNetworkPeering)/.test(`${apiVersion} ${kind}`),
    )
  : [];
const around = { subscriptionId: '', tenantId: '' };
const kinds = [...samples, ...presumedBy(samples, around)].filter(armKindOf);

let world: World;
beforeAll(async () => {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`);
  const versions = kinds.map(({ apiVersion }) => apiVersion);
  if (samplesPresent) world = await startWorld({ kinds: [...new Set(names)].join(';'), versions });
});
afterAll(() => world?.close());

withSamples(samplesPresent ? 'the schema of its kind takes every sample in every version' : samplesMissing, () => {
  const refused = readSamples().flatMap((object) => {
    const kind = armKindOf(object);
    return kind ? validate(kind, object).map(({ path, expected }) => `${object.kind} ${path}: ${expected}`) : [];
  });
  expect(refused).toEqual([]);
});

withSamples(
  samplesPresent
    ? 'samples of three groups become Ready, are read again without a write, and are deleted'
    : samplesMissing,
  async () => {
    expect(samples.length).toBeGreaterThan(10);
    const run = await runSamples(world, [...presumedBy(samples, world.azure), ...samples]);
    expect(run).toEqual({ writesWhileIdle: [], left: [] });
  },
);
