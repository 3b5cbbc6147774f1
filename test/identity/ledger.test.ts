import { expect, test } from '@jest/globals';
import { claimOf, machineAnnotation } from '../../runtime/identity/claims.ts';
import type { DesiredAssignments } from '../../runtime/identity/desired.ts';
import { Ledger } from '../../runtime/identity/ledger.ts';
import type { Assigned } from '../../runtime/identity/objects.ts';
import type { CacheHandler, WatchedCache } from '../../runtime/kube/cache-types.ts';

const machine = '/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/m';
const id = (name: string) =>
  `/subscriptions/s/resourcegroups/g/providers/microsoft.managedidentity/userassignedidentities/${name}`;
const claim = (name: string) => claimOf(machine, id(name));

/** A ledger of these assignments, `name` to the identity each has, and what is wanted for them. */
function ledgerOf(has: Record<string, [identity: string, status: string]>, wants: Record<string, string>): Ledger {
  const objects = Object.entries(has).map(([name, [identity, status]]) => ({
    apiVersion: 'aadpodidentity.k8s.io/v1',
    kind: 'AzureAssignedIdentity',
    metadata: { namespace: 'default', name, annotations: { [machineAnnotation]: machine } },
    spec: { azureIdentityRef: { metadata: { name: identity }, spec: { type: 0, resourceID: id(identity) } } },
    status: { status },
  })) as unknown as Assigned[];
  const cache = {
    get: ({ name }: { name: string }) => objects.find(({ metadata }) => metadata.name === name),
    onChange: (handler: CacheHandler<Assigned>) => {
      for (const object of objects) handler({ type: 'added', object });
    },
  } as unknown as WatchedCache<Assigned>;
  const desired = {
    get: (key: string) => {
      const wanted = wants[key.split('/')[1] ?? ''];
      return wanted && { claim: claim(wanted) };
    },
    onChange: () => undefined,
  } as unknown as DesiredAssignments;
  return new Ledger(cache, desired);
}

test('what an assignment still serves its pod with, while another identity is on its way, is held by it', () => {
  const ledger = ledgerOf({ swapping: ['old', 'Assigned'], going: ['old', 'Assigned'] }, { swapping: 'new' });
  expect(ledger.heldByOthers(claim('old'), 'default/going')).toBe(true);
  expect(ledger.heldByOthers(claim('old'), 'default/swapping')).toBe(false);
  expect(ledger.heldByOthers(claim('new'), 'default/going')).toBe(false);
});

test('an assignment that goes asks for its identity to be detached, and one that had it detached for nothing more', () => {
  const going = ledgerOf({ going: ['old', 'Assigned'] }, {});
  expect([...(going.of(machine).get(id('old'))?.release ?? [])]).toEqual(['default/going']);
  expect(ledgerOf({ going: ['old', 'Unassigned'] }, {}).of(machine).size).toBe(0);
});
