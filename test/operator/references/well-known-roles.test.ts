import { expect, test } from '@jest/globals';
import { clouds } from '../../../runtime/azure/clouds.ts';
import type { ArmClient, ArmRequest, Authorizer } from '../../../runtime/azure/types.ts';
import { WellKnownRoles } from '../../../runtime/operator/references/well-known-roles.ts';

const authorizer: Authorizer = { description: 'test', getToken: () => Promise.reject(new Error('not asked')) };
const reader = { authorizer, correlationId: 'c', share: 'shop', signal: new AbortController().signal };
const roles = { ours: '11111111-1111-1111-1111-111111111111', others: '22222222-2222-2222-2222-222222222222' };

test('the roles of one cloud are not taken for those of another, and are read once in each', async () => {
  const sent: string[] = [];
  const arm = {
    send: async ({ authorizer: { cloud } }: ArmRequest) => {
      sent.push(cloud?.name ?? 'own');
      const name = cloud ? roles.others : roles.ours;
      return { body: { value: [{ name, properties: { type: 'BuiltInRole', roleName: 'Reader' } }] } };
    },
  } as unknown as ArmClient;
  const known = new WellKnownRoles(arm);
  const other = { ...reader, authorizer: { ...authorizer, cloud: clouds.AzureChinaCloud } };
  for (let times = 0; times < 2; times++) {
    expect(await known.find('reader', 's', other)).toContain(roles.others);
    expect(await known.find('Reader', 's', reader)).toContain(roles.ours);
  }
  expect(sent).toEqual(['AzureChinaCloud', 'own']);
  expect(await known.find('none', 's', reader)).toBeUndefined();
});

test('a service that invents roles fills no memory: 2,000 are kept, with names and ids as Azure has them', async () => {
  const role = (roleName: unknown, name: unknown = roles.ours) => ({
    name,
    properties: { type: 'BuiltInRole', roleName },
  });
  const odd = [
    role('long'.repeat(200)),
    role('no id', 'x'.repeat(1000)),
    role({ toString: 1 }),
    role('of no name', {}),
  ];
  let page = 0;
  const arm = {
    send: async () => {
      const value = [...odd, ...Array.from({ length: 150 }, (_, index) => role(`role ${page * 150 + index}`))];
      page = (page + 1) % 20;
      return { body: { value, ...(page > 0 && { nextLink: '/next' }) } };
    },
  } as unknown as ArmClient;
  const known = new WellKnownRoles(arm);
  const isKept = async (name: string) => (await known.find(name, 's', reader)) !== undefined;
  expect([await isKept('role 0'), await isKept('role 1999'), await isKept('role 2000')]).toEqual([true, true, false]);
  expect([await isKept('long'.repeat(200)), await isKept('no id'), await isKept('of no name')]).toEqual([
    false,
    false,
    false,
  ]);
});
