import { until } from '../../operator/support.ts';
import { type Attack, types, unless, written } from './attack.ts';
import { askAsHostile, attached, clientIdOf, pairOf, podOf, tokenFor } from './hostile-pods.ts';
import { hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

/** The controller reported on the identity. An event would come late from a namespace that has very many of them. */
const noticed = async (world: TenantWorld, name: string) => {
  const found = await world.admin.get(types.azureIdentity, { namespace: hostile, name });
  return (found['status']?.conditions ?? []).some(({ status }: { status: string }) => status === 'False');
};

/** An AzureIdentity that names the identity of somebody else. */
const borrowed = (
  point: string,
  name: string,
  object: string,
  ids: (world: TenantWorld) => { readonly resource: string; readonly client: string; readonly owner: string },
): Attack => ({
  point,
  name,
  writes: (world) => pairOf(object, ids(world).resource, ids(world).client),
  acts: (world) => podOf(world, object),
  seen: (world) => noticed(world, object),
  async broken(world) {
    const { status, body } = await askAsHostile(world, await podOf(world, object));
    if (status !== 200) return undefined;
    return unless(
      clientIdOf(body) !== ids(world).owner.toLowerCase(),
      "the pod got the token of another one's identity",
    );
  },
});

/** Attacks on identity controller and node daemon: A5, B1, B2 and B7. */
export const identityAttacks: readonly Attack[] = [
  {
    point: 'A5',
    name: 'a forged AzureAssignedIdentity detaches the identity of another pod',
    refused: 'rights',
    writes: (world) => [
      written(
        types.assigned,
        'forged',
        { azureIdentityRef: {}, nodename: 'node', pod: 'app', podNamespace: 'good' },
        { 'azimuth.dev/claims': JSON.stringify([{ machine: world.scaleSet, identity: world.identities.good.id }]) },
      ),
    ],
    seen: async () => true,
    broken: async (world) =>
      unless(
        (await attached(world)).includes(world.identities.good.id.toLowerCase()),
        'the good identity was detached',
      ),
  },
  borrowed('B1', 'an AzureIdentity has the correct ids of another tenant', 'thief', ({ identities }) => ({
    resource: identities.good.id,
    client: identities.good.clientId,
    owner: identities.good.clientId,
  })),
  borrowed('B1', 'an AzureIdentity has an own resource id and the client id of kubelet', 'mixed', ({ identities }) => ({
    resource: identities.hostile.id,
    client: identities.kubelet.clientId,
    owner: identities.kubelet.clientId,
  })),
  {
    point: 'B2',
    name: "an AzureIdentity has kubelet's resource id and an invented client id, and goes with its pod",
    writes: (world) => pairOf('invented', world.identities.kubelet.id, '99999999-aaaa-bbbb-cccc-dddddddddddd'),
    acts: (world) => podOf(world, 'invented'),
    seen: (world) => noticed(world, 'invented'),
    async broken(world) {
      await world.tenant.delete(types.pod, { namespace: hostile, name: 'invented' }, { gracePeriodSeconds: 0 });
      await world.tenant.delete(types.binding, { namespace: hostile, name: 'invented' });
      // A later pod of the namespace is served after the controller has met the end of this one.
      const { id, clientId } = world.identities.hostile;
      for (const { type, object } of pairOf('later', id, clientId)) await world.tenant.create(type, object);
      const later = await podOf(world, 'later');
      await until('a later pod is served', async () => (await tokenFor(world, later)).status === 200, 60_000);
      const still = (await attached(world)).includes(world.identities.kubelet.id.toLowerCase());
      return unless(still, "kubelet's identity was detached from the machine");
    },
  },
  {
    point: 'B7',
    name: 'a pod asks for paths of the metadata endpoint that nobody documented for it',
    seen: async (world) => (await askAsHostile(world, await podOf(world, 'asker'), '/msi/token')).status > 0,
    async broken(world) {
      const ip = await podOf(world, 'asker');
      const odd: readonly (readonly [method: string, path: string])[] = [
        ['GET', '/msi/token?resource=https://management.azure.com/'],
        ['GET', '/machine?comp=goalstate'],
        ['POST', '/metadata/identity/oauth2/token?resource=https://management.azure.com/'],
        ['POST', '/metadata/instance?api-version=2021-02-01'],
        ['GET', '/metadata/identity%2foauth2%2ftoken?resource=https://management.azure.com/'],
        ['GET', '/metadata/./identity/oauth2/token%20?resource=https://management.azure.com/'],
      ];
      const before = (await world.azure.journal({ service: 'imds' })).at(-1)?.seq ?? 0;
      const passed: string[] = [];
      for (const [method, path] of odd) {
        const { status } = await askAsHostile(world, ip, path, method);
        if (status < 300) passed.push(`${method} ${path}: ${status}`);
      }
      for (const { method, path } of await world.azure.journal({ service: 'imds', after: before })) {
        if (!/oauth2\/token$/.test(path)) passed.push(`${method} ${path} reached the metadata endpoint`);
      }
      return unless(passed.length === 0, passed.join('; '));
    },
  },
];
