import { expect, test } from '@jest/globals';
import { reportLog, reportWithFailedWaits, until } from './eventually.ts';

test('a wait that fails prints the last value seen, the reports of the file, and the last twenty log lines', async () => {
  const log = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  const ends = [reportWithFailedWaits(() => 'Object default/a'), reportLog(log)];
  const failed = until('the object is Ready', () => false, 0);
  await expect(failed).rejects.toThrow(
    'Not reached within 0 s: the object is Ready\nObject default/a\nLast log lines:\nline 10\nline 11\n',
  );
  for (const end of ends) end();
  await expect(until('it is there', () => undefined, 0)).rejects.toThrow(/^Not reached within 0 s: it is there$/);
});
