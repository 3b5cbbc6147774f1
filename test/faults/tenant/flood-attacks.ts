import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { until } from '../../operator/support.ts';
import { type Attack, types, unless, written } from './attack.ts';
import { metric, pairOf, podOf, tokenFor } from './hostile-pods.ts';
import { hostile } from './tenant-setup.ts';
import { isAudited } from './token-attacks.ts';
import { askForToken } from './token-request.ts';

/** Each minute but four of each hour, in a time zone, which takes longest. */
const cron = Array.from({ length: 64 }, (_, minute) => ({ schedule: `${minute % 60} * * * *`, duration: '1m' }));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const password = 'one secret for all of them';

const silent: Socket[] = [];
const silentPods = 16;
const silentEach = 160;
/** The kernel repeats what it dropped after 1, 3, 7 and 15 seconds. */
const resetMs = 20_000;
const sockets = () => silent.filter(({ destroyed }) => !destroyed).length;

/** Connections of the pod that asks for ever new tokens, each of which the daemon reads again after a second. */
const greedyConnections = 100;
let refused = 0;
let greedySeconds = 0;

let issued = 0;
let apps: readonly RegisteredApp[] = [];
let mostWaiting = 0;
let edits = 0;

/** Attacks by mere number on identity controller and node daemon: C4. */
export const floodAttacks: readonly Attack[] = [
  {
    point: 'C4',
    name: 'a hundred bindings with 64 windows each select one pod',
    writes: ({ identities }) => [
      written(types.azureIdentity, 'windows', {
        type: 0,
        resourceID: identities.hostile.id,
        clientID: identities.hostile.clientId,
      }),
      ...numbers(100).map((index) =>
        written(types.binding, `windows${index}`, {
          azureIdentity: 'windows',
          selector: 'windows',
          availability: { timeZone: 'Europe/Berlin', windows: cron },
        }),
      ),
    ],
    acts: (world) => podOf(world, 'windows'),
    // The windows were computed: they join, so that the binding is open.
    seen: async (world) => (await tokenFor(world, await podOf(world, 'windows'))).status === 200,
    async during(world, signal) {
      const ip = await podOf(world, 'windows');
      while (!signal.aborted) await Promise.all([tokenFor(world, ip), pause(50)]);
    },
    async broken(world) {
      const { clientId, status } = await tokenFor(world, await podOf(world, 'windows'));
      return unless(clientId === world.identities.hostile.clientId.toLowerCase(), `the open binding answers ${status}`);
    },
  },
  {
    point: 'C4',
    name: `${silentPods} pods open ${silentEach} connections each to the daemon and send nothing`,
    async acts(world) {
      const { port } = new URL(world.metadata);
      for (const index of numbers(silentPods)) {
        const localAddress = await podOf(world, `silent${index}`);
        for (const _ of numbers(silentEach)) {
          const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress }).on('error', () => undefined);
          socket.resume();
          silent.push(socket.unref());
        }
      }
    },
    seen: async (world) => (await metric(world, 'nmi', /^azimuth_nmi_refused_connections_total\{.*connections/)) > 0,
    async broken() {
      await until('they are cut off', async () => sockets() === 0, 30_000).catch(() => undefined);
      // A connection that the kernel dropped from a full queue looks open to the pod, until it sends something.
      for (const socket of silent) if (!socket.destroyed) socket.write('G');
      await until('they are reset', async () => sockets() === 0, resetMs).catch(() => undefined);
      return unless(sockets() === 0, `${sockets()} of ${silent.length} connections are open still`);
    },
  },
  {
    point: 'C4',
    name: 'eight hundred AzureIdentities name a Secret each',
    writes: (world) =>
      numbers(800).map((index) =>
        written(types.azureIdentity, `watched${index}`, {
          type: 1,
          tenantID: world.azure.tenantId,
          clientID: world.identities.hostile.clientId,
          clientPassword: { namespace: hostile, name: `none${index}` },
        }),
      ),
    async seen(world) {
      // The controller looked for the Secrets of most of them, which none has.
      const { items } = await world.admin.list(types.azureIdentity, { namespace: hostile, limit: 0 });
      const watched = items.filter(({ metadata }) => metadata.name.startsWith('watched'));
      return watched.filter((object) => object['status']?.conditions?.length > 0).length > 400;
    },
    async broken(world) {
      const { identity = 0 } = await world.memory();
      return unless(identity < 256, `the controller has ${identity} MB`);
    },
  },
  {
    point: 'C4',
    name: 'a pod gets tokens of a hundred bindings for eleven resources each, an event for each',
    async before(world) {
      const app = () => adminRequest<RegisteredApp>(world.azure, 'POST', '/apps', { secret: password });
      apps = await Promise.all(numbers(100).map(app));
    },
    writes: (world) => [
      written(types.secret, 'audited', undefined, {}, { stringData: { clientSecret: password } }),
      ...apps.flatMap(({ clientId }, index) => [
        written(types.azureIdentity, `audited${index}`, {
          type: 1,
          tenantID: world.azure.tenantId,
          clientID: clientId,
          clientPassword: { namespace: hostile, name: 'audited' },
        }),
        written(types.binding, `audited${index}`, { azureIdentity: `audited${index}`, selector: 'audited' }),
      ]),
    ],
    acts: (world) => podOf(world, 'audited'),
    async during(world, signal) {
      const ip = await podOf(world, 'audited');
      const services = [
        'https://management.azure.com',
        'https://management.core.windows.net',
        'https://vault.azure.net',
        'https://storage.azure.com',
        'https://database.windows.net',
        'https://ossrdbms-aad.database.windows.net',
        'https://servicebus.azure.net',
        'https://eventhubs.azure.net',
        'https://cognitiveservices.azure.com',
        'https://containerregistry.azure.net',
        'https://redis.azure.com',
      ];
      const wanted = apps.flatMap(({ clientId }) => services.map((resource) => ({ client_id: clientId, resource })));
      const worker = async () => {
        for (let next = wanted.pop(); next && !signal.aborted; next = wanted.pop()) {
          if ((await tokenFor(world, ip, next)).status === 200) issued += 1;
        }
      };
      await Promise.all(numbers(8).map(worker));
    },
    seen: async (world) =>
      (await tokenFor(world, await podOf(world, 'audited'), { client_id: apps[0]?.clientId ?? '' })).status === 200,
    async broken(world) {
      if (issued < 100) return `did not happen: only ${issued} tokens were issued`;
      const resource = 'https://graph.microsoft.com';
      const since = performance.now();
      const { status } = await tokenFor(world, world.goodPod, { resource });
      if (status !== 200) return `the neighbour got ${status}`;
      const came = await until('the event is there', () => isAudited(world, resource), 60_000).catch(() => false);
      const seconds = (performance.now() - since) / 1000;
      return unless(came === true && seconds < 5, `the event of a neighbour's token took ${seconds.toFixed(1)} s`);
    },
  },
  {
    point: 'C4',
    name: `a pod asks for ever new tokens by ${greedyConnections} connections, and Azure answers them late`,
    before: ({ azure }) =>
      adminRequest(azure, 'POST', '/faults', { path: 'resource=greedy', delayMs: 10_000, times: 0 }),
    writes: ({ identities }) => pairOf('greedy', identities.hostile.id, identities.hostile.clientId),
    acts: (world) => podOf(world, 'greedy'),
    seen: async () => refused > 0,
    async during(world, signal) {
      const ip = await podOf(world, 'greedy');
      const agent = new Agent({ keepAlive: true, maxSockets: greedyConnections });
      const since = performance.now();
      const worker = async (index: number) => {
        for (let turn = 0; !signal.aborted; turn++) {
          const path = `/metadata/identity/oauth2/token?api-version=2018-02-01&resource=greedy-${index}-${turn}`;
          const { status } = await askForToken(world.metadata, ip, path, 'GET', agent).catch(() => ({ status: 0 }));
          if (status === 503) refused += 1;
          else if (status === 0) await pause(100);
        }
      };
      await Promise.race([Promise.all(numbers(greedyConnections).map(worker)), stopped(signal)]);
      greedySeconds = (performance.now() - since) / 1000;
      agent.destroy();
    },
    async broken() {
      if (refused < greedyConnections) return `did not happen: ${refused} requests were refused`;
      const most = greedyConnections * (greedySeconds + 1);
      return unless(refused <= most, `${refused} requests were refused in ${greedySeconds.toFixed(0)} s`);
    },
  },
  {
    point: 'C4',
    name: 'a thousand bindings are edited ten times a second while 120 requests wait',
    writes: () =>
      numbers(1000).map((index) =>
        written(types.binding, `edited${index}`, { azureIdentity: 'nobody', selector: `waiter${index % 8}` }),
      ),
    async acts(world) {
      for (const index of numbers(8)) await podOf(world, `waiter${index}`);
    },
    seen: async () => true,
    async during(world, signal) {
      const waiter = async (index: number) => {
        const ip = await podOf(world, `waiter${index % 8}`);
        while (!signal.aborted) {
          const { status } = await Promise.race([tokenFor(world, ip).catch(() => ({ status: 0 })), stopped(signal)]);
          if (status === 200) await pause(10);
        }
      };
      const edit = async () => {
        for (let turn = 0; !signal.aborted; turn++) {
          const body = { metadata: { annotations: { edit: String(turn) } } };
          const key = { namespace: hostile, name: `edited${turn % 1000}` };
          const [done] = await Promise.all([
            world.tenant.patch(types.binding, key, { type: 'merge', body }).catch(() => undefined),
            pause(100),
          ]);
          if (done) edits += 1;
          if (turn % 10 === 0)
            mostWaiting = Math.max(
              mostWaiting,
              await metric(world, 'nmi', /^azimuth_nmi_waiting_requests/).catch(() => 0),
            );
        }
      };
      await Promise.all([edit(), ...numbers(120).map(waiter)]);
    },
    broken: async () =>
      unless(mostWaiting >= 100 && edits >= 10, `did not happen: ${mostWaiting} requests waited, ${edits} edits`),
  },
];

const stopped = (signal: AbortSignal) =>
  new Promise<{ status: number }>((resolve) => {
    if (signal.aborted) resolve({ status: 0 });
    signal.addEventListener('abort', () => resolve({ status: 0 }), { once: true });
  });
