import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { ArmIdReservations } from '../../../runtime/operator/lifecycle/arm-id-reservations.ts';
import type { ObjectIndex } from '../../../runtime/operator/objects/object-index.ts';

const armId = '/subscriptions/s/resourceGroups/g';
const group = (name: string, namespace = 'team'): KubeObject => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { namespace, name, uid: `uid of ${name}`, annotations: { note: 'x'.repeat(10_000) } },
  spec: { location: 'westeurope' },
});

test('a reservation keeps the name of its object alone, as thousands of them stay while the operator runs', () => {
  const [first, second] = [group('first'), group('second')];
  const index: Pick<ObjectIndex, 'withResourceId' | 'get'> = { withResourceId: () => [], get: () => first };
  const reservations = new ArmIdReservations(
    index as ObjectIndex,
    () => 0,
    () => undefined,
  );
  expect(reservations.tryReserve(armId, first)).toBeUndefined();
  const { apiVersion, kind } = first;
  expect(reservations.tryReserve(armId, second)).toEqual({
    apiVersion,
    kind,
    metadata: { namespace: 'team', name: 'first', uid: 'uid of first' },
  });
});

test('namespaces that want one id take turns: one that had it waits half a minute for the one that was refused', () => {
  const [first, second, other] = [group('first', 'flood'), group('second', 'flood'), group('other', 'shop')];
  const objects = [first, second, other];
  const find = (_group: string, _kind: string, key: { readonly name: string }) =>
    objects.find(({ metadata }) => metadata.name === key.name);
  const index = { withResourceId: () => [], get: find } as unknown as ObjectIndex;
  let now = 0;
  const freed: string[] = [];
  const reservations = new ArmIdReservations(
    index,
    () => now,
    (id) => freed.push(id),
  );
  const isFree = (object: KubeObject) => reservations.tryReserve(armId, object) === undefined;
  const release = ({ metadata }: KubeObject) => reservations.release(armId, metadata.uid);
  expect(isFree(first)).toBe(true);
  expect([isFree(second), isFree(other)]).toEqual([false, false]);
  release(first);
  expect(freed).toHaveLength(1);
  expect([isFree(first), isFree(second)]).toEqual([false, false]);
  expect(isFree(other)).toBe(true);
  expect(isFree(second)).toBe(false);
  release(other);
  expect(isFree(other)).toBe(false);
  expect(freed).toHaveLength(2);
  reservations.endTurns();
  expect(freed).toHaveLength(2);
  now = 30_000;
  // The namespace whose turn it was may not want the id any more: then nothing else runs the objects that wait.
  reservations.endTurns();
  expect(freed).toHaveLength(3);
  expect(isFree(other)).toBe(true);
});
