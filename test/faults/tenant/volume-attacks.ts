import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { condition, until } from '../../operator/support.ts';
import { type Attack, types, unless, written } from './attack.ts';
import { good, hostile, type TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

const limitMs = 60_000;
/** Answers of the agent to the tenant's volumes. */
const answers: string[] = [];

async function mount(world: TenantWorld, uid: string, options: Readonly<Record<string, string>>): Promise<void> {
  const document = JSON.stringify({
    usepodidentity: 'true',
    tenantid: world.azure.tenantId,
    keyvaultname: `azimuth-${hostile}`,
    'kubernetes.io/pod.name': 'mounter',
    'kubernetes.io/pod.namespace': hostile,
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/pvOrVolumeName': 'vault',
    'kubernetes.io/readwrite': 'rw',
    'kubernetes.io/serviceAccount.name': 'default',
    ...options,
  });
  const call = { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/vault`, document };
  await askAgent(call, { socket: world.agentSocket, timeoutMs: limitMs, signal: AbortSignal.timeout(limitMs) }).then(
    () => answers.push('mounted'),
    (error: Error) => answers.push(error.message),
  );
}

/** Attacks on the volume agent and on the rate of events: C5 and C6. */
export const volumeAttacks: readonly Attack[] = [
  {
    point: 'C5',
    name: 'twelve volumes at once, with five hundred aliases each of one certificate as PEM',
    writes: (world) => [
      written(types.azureIdentity, 'mounter', {
        type: 0,
        resourceID: world.identities.hostile.id,
        clientID: world.identities.hostile.clientId,
      }),
      written(types.binding, 'mounter', { azureIdentity: 'mounter', selector: 'mounter' }),
    ],
    async acts(world) {
      const { ip, pod } = await world.runPod(hostile, 'mounter', 'mounter');
      const served = async () => (await askForToken(world.metadata, ip)).status === 200;
      await until("the tenant's own identity serves its pod", served, limitMs);
      const many = Array.from({ length: 500 }, (_, index) => `web${index}`);
      const options = {
        keyvaultobjectnames: many.map(() => 'chain').join(';'),
        keyvaultobjecttypes: many.map(() => 'secret').join(';'),
        keyvaultobjectaliases: many.join(';'),
        keyvaultobjectformats: many.map(() => 'pem').join(';'),
      };
      for (let volume = 0; volume < 12; volume++) void mount(world, pod.metadata.uid ?? '', options);
    },
    // Read, or refused for its size: no other answer shows that the agent met all of it.
    seen: async (world) =>
      world.azure.journal.entries({ service: 'vault', path: /secrets\/chain/ }).length > 0 ||
      answers.some((answer) => /too (many|large)|at most|limit/i.test(answer)),
    async broken(world) {
      const { volumes = 0 } = await world.memory();
      return unless(volumes < 192, `the agent has ${volumes} MB`);
    },
  },
  {
    point: 'C6',
    name: 'three hundred objects fail, each with warnings, and a neighbour has one to send',
    writes: (world) =>
      Array.from({ length: 300 }, (_, index) =>
        written(types.identity, `failing${index}`, { location: 'nowhere', owner: { armId: world.armId(hostile) } }),
      ),
    async seen(world) {
      const { items } = await world.admin.list(types.identity, { namespace: hostile, limit: 0 });
      return items.filter((object) => condition(object)).length >= 100;
    },
    async broken(world) {
      const spec = { location: 'nowhere', owner: { name: good } };
      const apiVersion = `${types.identity.group}/${types.identity.version}`;
      const metadata = { namespace: good, name: 'warned' };
      await world.admin.create(types.identity, { apiVersion, kind: types.identity.kind, metadata, spec });
      const failed = async () => condition(await world.admin.get(types.identity, metadata))?.status === 'False';
      await until('the object has failed', failed, limitMs);
      const since = performance.now();
      const warned = async () =>
        (await world.admin.list(types.events, { namespace: good })).items.some(
          (event) => event['type'] === 'Warning' && event['regarding']?.name === 'warned',
        );
      const came = await until('the warning is there', warned, limitMs).catch(() => false);
      const seconds = (performance.now() - since) / 1000;
      return unless(came === true && seconds < 5, `the neighbour's warning took ${seconds.toFixed(1)} s`);
    },
  },
];
