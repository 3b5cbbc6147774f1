import { expect, test } from '@jest/globals';
import type { ArmClient, Authorizer } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { ProtectedIdentities } from '../../../runtime/identity/machines/protected-identities.ts';
import { runtimeOf } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

function protectedIdentities(clientIds: readonly string[], most: number): ProtectedIdentities {
  const runtime = runtimeOf(new LocalKube(), new ManualClock());
  const parts = { runtime, arm: {} as ArmClient, authorizer: {} as Authorizer, clientIds: () => clientIds };
  return new ProtectedIdentities(parts, most);
}

test('an identity is detached only once the client ids of the flag and its own are known', () => {
  const protection = protectedIdentities(['\u202aKEPT\u200b\n'], 10);
  protection.learn('other', 'x');
  expect(protection.protects('other')).toBe(true);
  protection.learn('cluster', 'kept');
  expect(['cluster', 'other', 'unread'].map((id) => protection.protects(id))).toEqual([true, false, true]);
});

test('of too many identities the client ids of the flag stay known, and unknown identities stay attached', () => {
  const protection = protectedIdentities(['kept'], 3);
  protection.learn('cluster', 'kept');
  for (let i = 0; i < 100; i++) {
    protection.learn(`tenant-${i}`, `client-${i}`);
    expect(protection.protects(`tenant-${i}`)).toBe(false);
  }
  expect(protection.protects('tenant-0')).toBe(true);
  expect(protection.protects('cluster')).toBe(true);
});

test('the flag with the former client id of a recreated identity protects every identity, as after a restart', () => {
  const protection = protectedIdentities(['kept'], 10);
  protection.learn('cluster', 'kept');
  protection.learn('other', 'x');
  protection.learn('cluster', 'KEPT');
  expect(protection.protects('other')).toBe(false);
  protection.learn('cluster', 'recreated');
  expect(['cluster', 'other'].map((id) => protection.protects(id))).toEqual([true, true]);
});
