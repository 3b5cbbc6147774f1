import { expect, test } from '@jest/globals';
import { validate } from '../../../runtime/api/validate.ts';
import { namesKnownToFail } from './known-samples.ts';
import { armKindOf, nameOf, readSamples, samplesMissing, samplesPresent } from './samples.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

withSamples(samplesPresent ? 'the schema of its kind takes every sample in every version' : samplesMissing, () => {
  const all = readSamples();
  const known = namesKnownToFail(all.flat());
  const refused = all.flat().flatMap((object) => {
    const kind = armKindOf(object);
    if (!kind || known.has(nameOf(object))) return [];
    return validate(kind, object).map(({ path, expected }) => `${object.kind} ${path}: ${expected}`);
  });
  expect(refused).toEqual([]);
});
