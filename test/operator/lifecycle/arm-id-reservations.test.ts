import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { ArmIdReservations } from '../../../runtime/operator/lifecycle/arm-id-reservations.ts';
import type { ObjectIndex } from '../../../runtime/operator/references/object-index.ts';

const armId = '/subscriptions/s/resourceGroups/g';
const group = (name: string): KubeObject => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { namespace: 'team', name, uid: `uid of ${name}`, annotations: { note: 'x'.repeat(10_000) } },
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
