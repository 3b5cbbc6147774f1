import { condition, until } from '../../operator/support.ts';
import { type Attack, types, unless, written } from './attack.ts';
import { askAsHostile, pairOf, podOf } from './hostile-pods.ts';
import { good, hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

const limitMs = 60_000;
/** Answers of the agent to the tenant's volumes. */
const answers: string[] = [];

/** A mount of the tenant's vault into one of its pods, as the driver sends it to the agent. */
export function mountOf(
  world: TenantWorld,
  uid: string,
  name: string,
  options: Readonly<Record<string, string>>,
): { readonly directory: string; readonly document: string } {
  const document = JSON.stringify({
    usepodidentity: 'true',
    tenantid: world.azure.tenantId,
    keyvaultname: `azimuth-${hostile}`,
    'kubernetes.io/pod.name': name,
    'kubernetes.io/pod.namespace': hostile,
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/pvOrVolumeName': 'vault',
    'kubernetes.io/readwrite': 'rw',
    'kubernetes.io/serviceAccount.name': 'default',
    ...options,
  });
  return { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/vault`, document };
}

/** Attacks on the volume agent and on the rate of events: C5 and C6. */
export const volumeAttacks: readonly Attack[] = [
  {
    point: 'C5',
    name: 'twelve volumes at once, with five hundred aliases each of one certificate as PEM',
    writes: ({ identities }) => pairOf('mounter', identities.hostile.id, identities.hostile.clientId),
    async acts(world) {
      const ip = await podOf(world, 'mounter');
      const served = async () => (await askAsHostile(world, ip)).status === 200;
      await until("the tenant's own identity serves its pod", served, limitMs);
    },
    async during(world, signal) {
      const uid = await world.uidOf('mounter');
      const many = Array.from({ length: 500 }, (_, index) => `web${index}`);
      const options = {
        keyvaultobjectnames: many.map(() => 'chain').join(';'),
        keyvaultobjecttypes: many.map(() => 'secret').join(';'),
        keyvaultobjectaliases: many.join(';'),
        keyvaultobjectformats: many.map(() => 'pem').join(';'),
      };
      const job = { agent: world.agentSocket, call: mountOf(world, uid, 'mounter', options), atOnce: 12 };
      for await (const answer of world.kubelet.run(job, signal)) answers.push(answer);
    },
    seen: async () => true,
    async broken(world) {
      // Read, or refused for its size: no other answer shows that the agent met all of it.
      const read = (await world.azure.journal({ service: 'vault', path: /secrets\/chain/ })).length > 0;
      const met = read || answers.some((answer) => /too (many|large)|at most|limit/i.test(answer));
      if (!met) return `did not happen: ${answers[0] ?? 'no answer'}`;
      // Its memory is printed, not judged: without the limit of a container, V8 collects garbage late.
      const { volumes } = await world.memory();
      return unless(Number.isFinite(volumes), 'the agent does not answer');
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
