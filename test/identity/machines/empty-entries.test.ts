import { expect, test } from '@jest/globals';
import { EmptyEntries } from '../../../runtime/identity/machines/empty-entries.ts';

const state = (clientId: string | null, busy = false) => ({
  type: 'UserAssigned',
  ids: new Set(['id']),
  region: '',
  busy,
  clientIds: new Map(clientId === null ? [] : [['id', clientId]]),
  emptyIds: new Set(clientId === null ? ['id'] : []),
});

test('only a second read without a client id, of an idle machine and five seconds later, shows that an entry is dead', () => {
  const answer = { sentAt: 0, clientId: 'new' };
  const entries = new EmptyEntries({ answerOf: () => answer }, 5000);
  const read = (now: number, clientId: string | null, busy = false) => {
    entries.observe(state(clientId, busy), now);
    return entries.isDead('id');
  };
  answer.sentAt = 20_000;
  expect([read(0, 'old'), read(1000, null), read(5999, null), read(6500, null, true)]).toEqual(Array(4).fill(false));
  // A client id between two reads without one starts anew.
  expect([read(7000, 'old'), read(8000, null), read(12_999, null)]).toEqual(Array(3).fill(false));
  expect(read(13_000, null)).toBe(true);
  answer.sentAt = 7999;
  expect(entries.isDead('id')).toBe(false);
});
