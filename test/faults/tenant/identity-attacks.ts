import { connect } from 'node:net';
import { type Attack, types, unless, written } from './attack.ts';
import { hostile, type TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

/** Addresses of the tenant's pods, by name. */
const pods = new Map<string, string>();
async function pod(world: TenantWorld, name: string): Promise<string> {
  const ip = pods.get(name) ?? (await world.runPod(hostile, name, name)).ip;
  pods.set(name, ip);
  return ip;
}
const pairOf = (name: string, resourceID: string, clientID: string) => [
  written(types.azureIdentity, name, { type: 0, resourceID, clientID }),
  written(types.binding, name, { azureIdentity: name, selector: name }),
];
const attached = async (world: TenantWorld): Promise<string[]> => {
  const { body } = await world.portal.arm('GET', world.scaleSet, '2022-03-01');
  return Object.keys(body.identity?.userAssignedIdentities ?? {}).map((id) => id.toLowerCase());
};
const eventsAbout = async (world: TenantWorld, name: string) =>
  (await world.admin.list(types.events, { namespace: hostile })).items.filter(
    (event) => event['regarding']?.name === name || String(event['note']).includes(name),
  );
/** The controller or the daemon reported on the identity: an event, or the pod got an answer other than a token. */
const noticed = async (world: TenantWorld, name: string) => (await eventsAbout(world, name)).length > 0;
const clientIdOf = (body: string) => String((JSON.parse(body) as { client_id?: string }).client_id).toLowerCase();

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
  acts: (world) => pod(world, object),
  seen: (world) => noticed(world, object),
  async broken(world) {
    const { status, body } = await askForToken(world.metadata, await pod(world, object));
    if (status !== 200) return undefined;
    return unless(
      clientIdOf(body) !== ids(world).owner.toLowerCase(),
      "the pod got the token of another one's identity",
    );
  },
});

const cron = Array.from({ length: 64 }, (_, minute) => ({ schedule: `${minute % 60} * * * *`, duration: '1m' }));

/** Attacks on identity controller and node daemon: A5, B and C4. */
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
    acts: (world) => pod(world, 'invented'),
    seen: (world) => noticed(world, 'invented'),
    async broken(world) {
      const podType = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
      await world.tenant.delete(podType, { namespace: hostile, name: 'invented' }, { gracePeriodSeconds: 0 });
      await world.tenant.delete(types.binding, { namespace: hostile, name: 'invented' });
      await new Promise((resolve) => setTimeout(resolve, 5000));
      const still = (await attached(world)).includes(world.identities.kubelet.id.toLowerCase());
      return unless(still, "kubelet's identity was detached from the machine");
    },
  },
  {
    point: 'B7',
    name: 'a pod asks for paths of the metadata endpoint that nobody documented for it',
    seen: async (world) => (await askForToken(world.metadata, await pod(world, 'asker'), '/msi/token')).status > 0,
    async broken(world) {
      const ip = await pod(world, 'asker');
      const odd: readonly (readonly [method: string, path: string])[] = [
        ['GET', '/msi/token?resource=https://management.azure.com/'],
        ['GET', '/machine?comp=goalstate'],
        ['POST', '/metadata/identity/oauth2/token?resource=https://management.azure.com/'],
        ['POST', '/metadata/instance?api-version=2021-02-01'],
        ['GET', '/metadata/identity%2foauth2%2ftoken?resource=https://management.azure.com/'],
        ['GET', '/metadata/./identity/oauth2/token%20?resource=https://management.azure.com/'],
      ];
      const before = world.azure.journal.entries({ service: 'imds' }).at(-1)?.seq ?? 0;
      const passed: string[] = [];
      for (const [method, path] of odd) {
        const { status } = await askForToken(world.metadata, ip, path, method);
        if (status < 300) passed.push(`${method} ${path}: ${status}`);
      }
      for (const { method, path } of world.azure.journal.entries({ service: 'imds', after: before })) {
        if (!/oauth2\/token$/.test(path)) passed.push(`${method} ${path} reached the metadata endpoint`);
      }
      return unless(passed.length === 0, passed.join('; '));
    },
  },
  {
    point: 'C4',
    name: 'a hundred bindings with 64 windows each select one pod',
    writes: (world) => [
      written(types.azureIdentity, 'windows', {
        type: 0,
        resourceID: world.identities.hostile.id,
        clientID: world.identities.hostile.clientId,
      }),
      ...Array.from({ length: 100 }, (_, index) =>
        written(types.binding, `windows${index}`, {
          azureIdentity: 'windows',
          selector: 'windows',
          availability: { timezone: 'Europe/Berlin', windows: cron },
        }),
      ),
    ],
    acts: (world) => pod(world, 'windows'),
    seen: async (world) => (await askForToken(world.metadata, await pod(world, 'windows'))).status > 0,
    broken: async () => undefined,
  },
  {
    point: 'C4',
    name: 'sixteen pods connect to the daemon many times and send nothing',
    async acts(world) {
      const { port } = new URL(world.metadata);
      for (let index = 0; index < 16; index++) {
        const localAddress = await pod(world, `silent${index}`);
        for (let each = 0; each < 32; each++) {
          connect({ host: '127.0.0.1', port: Number(port), localAddress })
            .on('error', () => undefined)
            .unref();
        }
      }
    },
    seen: async (world) => {
      const metrics = await (await fetch(`${world.programs.nmi.health}/metrics`)).text();
      return /connection/.test(metrics);
    },
    broken: async () => undefined,
  },
  {
    point: 'C4',
    name: 'eight hundred AzureIdentities name a Secret each',
    writes: (world) =>
      Array.from({ length: 800 }, (_, index) =>
        written(types.azureIdentity, `watched${index}`, {
          type: 1,
          tenantID: world.azure.tenantId,
          clientID: world.identities.hostile.clientId,
          clientPassword: { namespace: hostile, name: `none${index}` },
        }),
      ),
    seen: async (world) =>
      (await world.admin.list(types.azureIdentity, { namespace: hostile, limit: 0 })).items.length > 800,
    async broken(world) {
      const { identity = 0 } = await world.memory();
      return unless(identity < 256, `the controller has ${identity} MB`);
    },
  },
];
