import { afterAll, expect, test } from '@jest/globals';
import { scratch } from '../fakes/scratch.ts';
import { fuzz } from './fuzzer.ts';

const place = scratch();
afterAll(() => place.remove());

// `npm run bench -- kv` does fifty thousand.
const inRootOnly = process.getuid?.() === 0 ? test : test.skip;
if (process.getuid?.() !== 0)
  process.stderr.write('The fuzz test is skipped: it needs root, who owns the files of volumes.\n');

inRootOnly(
  'mutated options and names: nothing is written outside the volume, each answer is one document',
  async () => {
    const { mounted, problems } = await fuzz(place.path, 3000, 20_261_121);
    expect(problems).toEqual([]);
    expect(mounted).toBeGreaterThan(300);
    expect(mounted).toBeLessThan(2700);
  },
);
