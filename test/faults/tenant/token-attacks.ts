import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { until } from '../../operator/support.ts';
import { type Attack, types, unless, written } from './attack.ts';
import { attached, eventsAbout, pairOf, podOf, tokenFor } from './hostile-pods.ts';
import { good, hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

const limitMs = 60_000;
const served = (world: TenantWorld, ip: string) =>
  until('the pod gets a token', async () => (await tokenFor(world, ip)).status === 200, limitMs);

let rotating: RegisteredApp | undefined;
const secretOf = (value: string) => ({ stringData: { clientSecret: value } });
/** Address of a pod of the good tenant, which the network plugin gives to a hostile one. */
let givenOn = '';

/** Attacks by what a pod asks for, and when: B3 to B5 and B8. */
export const tokenAttacks: readonly Attack[] = [
  {
    point: 'B3',
    name: 'a pod asks without an id, then by the object ids of its second identity and of another tenant',
    writes: ({ identities }) => [
      ...pairOf('several', identities.hostile.id, identities.hostile.clientId),
      ...pairOf('several-second', identities.second.id, identities.second.clientId, 'several'),
    ],
    acts: async (world) => served(world, await podOf(world, 'several')),
    seen: async (world) => {
      const { clientId } = await tokenFor(world, await podOf(world, 'several'), {
        object_id: world.identities.second.principalId,
      });
      return clientId !== '';
    },
    async broken(world) {
      const ip = await podOf(world, 'several');
      const { second, hostile: first } = world.identities;
      for (const wanted of [first, second, first]) {
        await tokenFor(world, ip);
        const { clientId, status } = await tokenFor(world, ip, { object_id: wanted.principalId });
        if (clientId !== wanted.clientId.toLowerCase())
          return `object_id of one identity: ${status}, token of ${clientId || 'none'}`;
      }
      const { status } = await tokenFor(world, ip, { object_id: world.identities.good.principalId });
      return unless(status !== 200, "the object id of another tenant's identity brought a token");
    },
  },
  {
    point: 'B4',
    name: 'a binding whose window is closed for ever wants its identity on the machine',
    writes: ({ identities }) => [
      written(types.azureIdentity, 'closed', {
        type: 0,
        resourceID: identities.closed.id,
        clientID: identities.closed.clientId,
      }),
      written(types.binding, 'closed', {
        azureIdentity: 'closed',
        selector: 'closed',
        availability: { notBefore: '2020-01-01T00:00:00Z', notAfter: '2020-01-02T00:00:00Z' },
      }),
    ],
    acts: (world) => podOf(world, 'closed'),
    seen: async (world) => (await tokenFor(world, await podOf(world, 'closed'))).status === 403,
    async broken(world) {
      const on = (await attached(world)).includes(world.identities.closed.id.toLowerCase());
      return unless(!on, 'the identity is on the machine');
    },
  },
  {
    point: 'B5',
    name: 'a secret is revoked in the moment in which its successor becomes valid',
    async before(world) {
      rotating = await adminRequest<RegisteredApp>(world.azure, 'POST', '/apps', { displayName: 'rotating' });
    },
    writes: (world) => [
      written(types.secret, 'rotating', undefined, {}, secretOf(rotating?.secret ?? '')),
      written(types.azureIdentity, 'rotating', {
        type: 1,
        tenantID: world.azure.tenantId,
        clientID: rotating?.clientId,
        clientPassword: { namespace: hostile, name: 'rotating' },
      }),
      written(types.binding, 'rotating', { azureIdentity: 'rotating', selector: 'rotating' }),
    ],
    acts: async (world) => served(world, await podOf(world, 'rotating')),
    seen: async (world) =>
      (await tokenFor(world, await podOf(world, 'rotating'))).clientId === rotating?.clientId.toLowerCase(),
    async broken(world) {
      const ip = await podOf(world, 'rotating');
      const { clientId, objectId } = rotating ?? {};
      const next = `next-${crypto.randomUUID()}`;
      await world.tenant.patch(
        types.secret,
        { namespace: hostile, name: 'rotating' },
        { type: 'merge', body: secretOf(next) },
      );
      await adminRequest(world.azure, 'POST', '/apps', { clientId, objectId, secret: next });
      // Of resources that no token is kept for.
      const statuses: number[] = [];
      for (const resource of [
        'https://storage.azure.com',
        'https://management.azure.com',
        'https://database.windows.net',
      ]) {
        statuses.push((await tokenFor(world, ip, { resource })).status);
      }
      return unless(
        statuses.every((status) => status === 200),
        `answers after the change: ${statuses.join(', ')}`,
      );
    },
  },
  {
    point: 'B8',
    name: 'a pod has the address of a pod of another tenant that the API server still shows',
    async before(world) {
      givenOn = (await world.runPod(good, 'leaver', 'app')).ip;
      await served(world, givenOn);
    },
    writes: ({ identities }) => pairOf('heir', identities.hostile.id, identities.hostile.clientId),
    acts: (world) => world.runPod(hostile, 'heir', 'heir', givenOn),
    // The good tenant's pod had its tokens until then.
    seen: async (world) => (await tokenFor(world, givenOn)).status !== 200,
    async broken(world) {
      const { clientId: early } = await tokenFor(world, givenOn);
      if (early !== '') return 'a token was given while two pods had the address';
      await world.admin.delete(types.pod, { namespace: good, name: 'leaver' }, { gracePeriodSeconds: 0 });
      const answers: string[] = [];
      await until(
        'the new pod is served',
        async () => {
          const { clientId } = await tokenFor(world, givenOn);
          if (clientId !== '') answers.push(clientId);
          return clientId !== '';
        },
        limitMs,
      );
      const own = world.identities.hostile.clientId.toLowerCase();
      return unless(
        answers.every((clientId) => clientId === own),
        "the new pod got the old pod's identity",
      );
    },
  },
];

/** Whether the daemon recorded a token for the resource in the good tenant's namespace. */
export async function isAudited(world: TenantWorld, resource: string): Promise<boolean> {
  return (await eventsAbout(world, resource, good)).some(({ reason }) => reason === 'TokenIssued');
}
