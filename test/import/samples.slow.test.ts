/**
 * Samples of ASO v2, and objects of the kinds without a sample: made by one cluster, imported from Azure, taken over by
 * another without a write. An import writes one version of a kind, so the first batch stands for all, but where
 * AZIMUTH_SAMPLES names other samples.
 */
import { expect, test } from '@jest/globals';
import { armKinds } from '../../runtime/api/kinds.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { namesKnownToFail } from '../operator/samples/known-samples.ts';
import { otherKinds, presumedBy } from '../operator/samples/presumed-objects.ts';
import { countBatches, type SampleAzure, sampleBatches } from '../operator/samples/sample-batches.ts';
import {
  armKindOf,
  groupOf,
  keyOf,
  nameOf,
  readSamples,
  samplesMissing,
  samplesPresent,
} from '../operator/samples/samples.ts';
import { adoptSamples } from './adopted-samples.ts';

if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);
const folders = samplesPresent ? readSamples() : [];
const unmade = namesKnownToFail(folders.flat(), ['taken', 'Ready']);
const batches = Array.from({ length: countBatches(folders) }, (_, index) => index + 1);

const isMariaDb = (object: KubeObject) => keyOf(object).startsWith('dbformariadb.azure.com Server ');
/** A presumed object has no throughput, as no other one of Azure has: its import declares an empty resource. */
/**
 * What the second cluster writes once: a type without GET, with which there is nothing to compare, and a server with a
 * required password, which Azure shows to nobody.
 */
const isWritten = (object: KubeObject) => armKindOf(object)?.arm.presence === 'HEAD' || isMariaDb(object);
const idOf = ({ status }: KubeObject) => String(status.id);

type More = (objects: readonly KubeObject[], azure: SampleAzure) => readonly KubeObject[];

/** Takes a batch, and what `more` adds to it, through an import. Returns what the first cluster made. */
async function adopted(number: number, more: More = (objects) => objects): Promise<readonly KubeObject[]> {
  const { made, imported, missing, notReady, writes } = await adoptSamples((azure) => {
    const batch = sampleBatches(folders, azure)[number - 1] ?? [];
    const objects = batch.filter((object) => !unmade.has(nameOf(object)));
    return more(objects, azure);
  });
  expect(missing).toEqual([]);
  expect(notReady).toEqual([]);
  const expected = made.filter(isWritten).map((object) => `PUT ${idOf(object)}`);
  expect(writes).toEqual(expected.sort());
  expect(imported.problems.filter(({ message }) => /refused|not supported/i.test(message))).toEqual([]);
  const warned = imported.problems.filter(({ message }) => message.includes('applying the manifest changes'));
  expect(warned.map(({ id }) => id)).toEqual(expect.arrayContaining(made.filter(isMariaDb).map(idOf)));
  return made;
}

if (!samplesPresent) test.skip(samplesMissing, () => undefined);
else if (process.env['AZIMUTH_SAMPLES'] === undefined) {
  test('every kind of ARM is imported, and its manifest takes the resource over without a write, but for four kinds', async () => {
    const made = await adopted(1, (objects, azure) => {
      const wanted = [...objects, ...otherKinds(objects, azure)];
      return [...presumedBy(wanted, azure), ...wanted];
    });
    const ofArm = armKinds.filter(({ arm }) => arm.dataPlane === undefined);
    const kinds = made.map((object) => `${groupOf(object)}/${object.kind}`);
    expect([...new Set(kinds)].sort()).toEqual(ofArm.map(({ group, kind }) => `${group}/${kind}`).sort());
  }, 1_800_000);
} else {
  test.each(batches)(
    'every sample of batch %i is imported, and its manifest takes the resource over without a write',
    async (number) => {
      await adopted(number);
    },
    1_800_000,
  );
}
