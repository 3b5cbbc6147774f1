import { expect, test } from '@jest/globals';
import { UsageReads } from '../../../runtime/operator/machines/usage-reads.ts';

test('a service that invents usages fills no memory: 500 of a region are kept, with names as Azure has them', async () => {
  const usage = (name: string) => ({ name, current: 0, limit: 1 });
  const many = [usage('long'.repeat(100)), ...Array.from({ length: 10_000 }, (_, index) => usage(`cores${index}`))];
  const reading = await new UsageReads().of('shop/s/westeurope', 0, async () => many);
  expect(reading?.usages.map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (_, index) => `cores${index}`));
});
