import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountSegment } from '../../../runtime/arm-kinds/data-plane/account-names.ts';
import { childPath, normalizeResourceId } from '../../../runtime/azure/arm/resource-ids.ts';

const server = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.DBforPostgreSQL/flexibleServers/srv';
const idOf = (name: string) => normalizeResourceId(childPath(server, 'users', accountSegment(name)));

test('every name has an id, and two names never have the same', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1 }),
      (one, two) => {
        expect(idOf(one) === idOf(two)).toBe(one === two);
      },
    ),
  );
});

test('a usual name stays readable, and case counts', () => {
  expect(accountSegment('app-1.x_y')).toBe('app-1.x_y');
  expect(accountSegment('App/..')).toBe('=41pp=2f..');
  expect(accountSegment('..')).toBe('=2e=2e');
});
