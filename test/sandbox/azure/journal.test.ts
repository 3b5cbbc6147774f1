import { expect, test } from '@jest/globals';
import { Journal } from '../../../sandbox/azure/journal.ts';

const at = { time: 0, host: 'localhost', path: '/x' };

test('writes with a reused token, or with one that the sandbox did not issue, are named; a write that a fault answered does not count', () => {
  const journal = new Journal();
  const issued = (tokenId: string) => {
    Object.assign(journal.add({ ...at, service: 'aad', method: 'POST', grantType: 'x', tokenId }), { status: 200 });
  };
  const write = (more: object) => journal.add({ ...at, service: 'arm', method: 'PUT', ...more }).seq;
  issued('a');
  issued('b');
  write({ tokenId: 'a' });
  const again = write({ tokenId: 'a' });
  const unknown = write({ tokenId: 'z' });
  const none = write({});
  write({ fault: 'f1' });
  write({ tokenId: 'b', fault: 'f1' });
  const afterFault = write({ tokenId: 'b' });
  journal.add({ ...at, service: 'arm', method: 'GET', tokenId: 'a' });
  expect(journal.reusedTokens().map(({ seq }) => seq)).toEqual([again, unknown, none, afterFault]);
});
