import { expect, test } from '@jest/globals';
import type { DesiredAssignments } from '../../../runtime/identity/assignments/desired.ts';
import { Ledger } from '../../../runtime/identity/machines/attachment-index.ts';
import { claimOf, machineAnnotation } from '../../../runtime/identity/machines/attachment-reference.ts';
import type { Assigned } from '../../../runtime/identity/objects.ts';
import type { CacheHandler, WatchedCache } from '../../../runtime/kube/cache/types.ts';

const machine = '/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/m';
const id = (name: string) =>
  `/subscriptions/s/resourcegroups/g/providers/microsoft.managedidentity/userassignedidentities/${name}`;
const claim = (name: string) => claimOf(machine, id(name));

/** What pods want by now, by the name of their assignment. */
function desiredOf(wants: Readonly<Record<string, string>>): DesiredAssignments {
  const get = (key: string) => {
    const wanted = wants[key.split('/')[1] ?? ''];
    return wanted && { claim: claim(wanted) };
  };
  return { get, onChange: () => undefined } as unknown as DesiredAssignments;
}

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
  return new Ledger(cache, desiredOf(wants));
}

test('what an assignment still serves its pod with, while another identity is on its way, is held by it', () => {
  const ledger = ledgerOf({ swapping: ['old', 'Assigned'], going: ['old', 'Assigned'] }, { swapping: 'new' });
  expect(ledger.heldByOthers(claim('old'), 'default/going')).toBe(true);
  expect(ledger.heldByOthers(claim('old'), 'default/swapping')).toBe(false);
  expect(ledger.heldByOthers(claim('new'), 'default/going')).toBe(false);
});

test('an assignment has what it wants attached, and until then what it had', () => {
  const has = { steady: ['old', 'Assigned'], swapping: ['old', 'Assigned'] } as const;
  const ledger = ledgerOf({ steady: [...has.steady], swapping: [...has.swapping] }, { steady: 'old', swapping: 'new' });
  const { attach = [], serving = [], release = [] } = ledger.of(machine).get(id('old')) ?? {};
  expect([[...attach], [...serving], [...release]]).toEqual([['default/steady'], ['default/swapping'], []]);
});

test('an assignment that goes asks for its identity to be detached, and one that had it detached for nothing more', () => {
  const going = ledgerOf({ going: ['old', 'Assigned'] }, {});
  expect([...(going.of(machine).get(id('old'))?.release ?? [])]).toEqual(['default/going']);
  expect(ledgerOf({ going: ['old', 'Unassigned'] }, {}).of(machine).size).toBe(0);
});

test('what changes or goes is given up, with its machine when nothing is left, and who waited for a holder hears of it', () => {
  const objects = new Map<string, Assigned>();
  const wants: Record<string, string> = { b: 'old' };
  let handler: CacheHandler<Assigned> = () => undefined;
  const cache = {
    get: ({ name }: { name: string }) => objects.get(name),
    onChange: (given: CacheHandler<Assigned>) => {
      handler = given;
    },
  } as unknown as WatchedCache<Assigned>;
  const ledger = new Ledger(cache, desiredOf(wants));
  const heard: string[][] = [];
  const off = ledger.onHeld((keys) => heard.push([...keys]));
  const set = (name: string, identity: string | undefined) => {
    const old = objects.get(name) as Assigned;
    objects.delete(name);
    if (identity === undefined) return handler({ type: 'deleted', old });
    const object = {
      metadata: { namespace: 'default', name, annotations: { [machineAnnotation]: machine } },
      spec: {
        azureIdentityRef: { metadata: {}, spec: { type: 0, resourceID: id(identity), clientID: `C-${identity}` } },
      },
      status: { status: 'Assigned' },
    } as unknown as Assigned;
    objects.set(name, object);
    handler(old ? { type: 'updated', object, old } : { type: 'added', object });
  };
  const shown = () =>
    [...ledger.of(machine)].map(([identity, { attach, release, clientId }]) => [
      identity.split('/').at(-1),
      [...attach],
      [...release],
      clientId,
    ]);

  set('a', 'old');
  expect([shown(), heard]).toEqual([[['old', [], ['default/a'], 'c-old']], []]);
  set('b', 'old');
  expect([shown(), heard]).toEqual([[['old', ['default/b'], ['default/a'], 'c-old']], [['default/a']]]);
  off();
  set('a', undefined);
  expect([shown(), heard.length]).toEqual([[['old', ['default/b'], [], 'c-old']], 1]);
  wants['b'] = 'new';
  set('b', 'new');
  expect(shown()).toEqual([['new', ['default/b'], [], 'c-new']]);
  set('b', undefined);
  expect([shown(), [...ledger.machines()]]).toEqual([[], []]);
});
