import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { bindingsType, identitiesType } from '../../../runtime/identity/objects.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { condition, until } from '../../operator/support.ts';
import { good, type TenantWorld } from './tenant-world.ts';
import type { MeterInput, MeterOutput } from './token-meter.ts';
import { askForToken } from './token-request.ts';

/** What the good tenant felt, in milliseconds. */
export interface Felt {
  /** 99th percentile of the time until a token came. */
  readonly tokens: number;
  /** Median of the time until a new resource was Ready. */
  readonly ready: number;
  /** Median of the time until a volume's content came. */
  readonly mounts: number;
  /** Requests that failed, and resources that did not become Ready. */
  readonly lost: readonly string[];
}

const resourceKind: ResourceType = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));
const sizes = { tokens: 300, resources: 5, mounts: 10 } as const;
const limitMs = 120_000;

/** A tenant that uses what the platform offers, and nothing else. */
export class GoodTenant {
  readonly #world: TenantWorld;
  #pod: { readonly ip: string; readonly pod: KubeObject } | undefined;
  #made = 0;

  constructor(world: TenantWorld) {
    this.#world = world;
  }

  /** Its resource group as an object, an identity, and a pod that gets tokens. */
  async settleIn(): Promise<void> {
    const { admin, identities } = this.#world;
    const group = resourceOf(kindOf('resources.azure.com', 'ResourceGroup'));
    const spec = { location: 'westeurope' };
    await admin.create(group, objectOf(group, good, spec));
    await until('the resource group is Ready', async () => {
      const object = await admin.get(group, { namespace: good, name: good });
      return condition(object)?.status === 'True';
    });
    const { id: resourceID, clientId: clientID } = identities.good;
    await admin.create(identitiesType, objectOf(identitiesType, 'app', { type: 0, resourceID, clientID }));
    await admin.create(bindingsType, objectOf(bindingsType, 'app', { azureIdentity: 'app', selector: 'app' }));
    const running = await this.#world.runPod(good, 'app', 'app');
    this.#pod = running;
    await until(
      'the pod gets tokens',
      async () => (await askForToken(this.#world.metadata, running.ip)).status === 200,
      limitMs,
    );
  }

  /** Uses everything for a while. */
  async use(): Promise<Felt> {
    const lost: string[] = [];
    const [tokens, ready, mounts] = await Promise.all([this.#tokens(lost), this.#resources(lost), this.#mounts(lost)]);
    return { tokens: at(tokens, 0.99), ready: at(ready, 0.5), mounts: at(mounts, 0.5), lost };
  }

  async #tokens(lost: string[]): Promise<number[]> {
    const input: MeterInput = { metadata: this.#world.metadata, ip: this.#pod?.ip ?? '', count: sizes.tokens };
    const meter = new Worker(new URL('./token-meter.ts', import.meta.url), { workerData: input });
    const [output] = (await once(meter, 'message')) as [MeterOutput];
    lost.push(...output.lost);
    return [...output.times].sort((a, b) => a - b);
  }

  async #resources(lost: string[]): Promise<number[]> {
    const { admin } = this.#world;
    return repeat(sizes.resources, async () => {
      const name = `resource${++this.#made}`;
      await admin.create(resourceKind, objectOf(resourceKind, name, { location: 'westeurope', owner: { name: good } }));
      const isReady = async () =>
        condition(await admin.get(resourceKind, { namespace: good, name }))?.status === 'True';
      await until(`${name} is Ready`, isReady, limitMs).catch((error: Error) => void lost.push(error.message));
    });
  }

  async #mounts(lost: string[]): Promise<number[]> {
    const { name, namespace = '', uid = '' } = this.#pod?.pod.metadata ?? { name: '' };
    const document = JSON.stringify({
      usepodidentity: 'true',
      tenantid: this.#world.azure.tenantId,
      keyvaultname: this.#world.vault,
      keyvaultobjectnames: 'password;web',
      keyvaultobjecttypes: 'secret;cert',
      'kubernetes.io/pod.name': name,
      'kubernetes.io/pod.namespace': namespace,
      'kubernetes.io/pod.uid': uid,
      'kubernetes.io/pvOrVolumeName': 'vault',
      'kubernetes.io/readwrite': 'rw',
      'kubernetes.io/serviceAccount.name': 'default',
    });
    const call = { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/vault`, document };
    return repeat(sizes.mounts, async () => {
      const options = { socket: this.#world.agentSocket, timeoutMs: limitMs, signal: AbortSignal.timeout(limitMs) };
      await askAgent(call, options).catch((error: Error) => lost.push(`a mount: ${error.message}`));
    });
  }
}

function objectOf({ group, version, kind }: ResourceType, name: string, spec: object): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, metadata: { namespace: good, name }, spec } as KubeObject;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The time of each, sorted. */
async function repeat(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
    await pause(10);
  }
  return times.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number) => Math.max(0, sorted[Math.floor(sorted.length * share)] ?? 0);
