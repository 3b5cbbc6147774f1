import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { bindingsType, identitiesType } from '../../../runtime/identity/objects.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { condition, until } from '../../operator/support.ts';
import type { Counts, MeterInput, MeterOutput } from './good-meter.ts';
import { good } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

/** What the good tenant felt, in milliseconds. */
export interface Felt {
  /** 99th percentile of the time until a token came. */
  readonly tokens: number;
  /** Median of the time until a new resource was Ready. */
  readonly ready: number;
  /** Median of the time until a volume's content came. */
  readonly mounts: number;
  /** Median and 99th percentile of a request to a process that has nothing to do with either tenant. */
  readonly reference: { readonly median: number; readonly p99: number };
  /** Requests that failed, and resources that did not become Ready. */
  readonly lost: readonly string[];
}

const counts: Counts = { tokens: 400, resources: 20, mounts: 60 };
const limitMs = 120_000;

/** A tenant that uses what the platform offers, and nothing else. */
export class GoodTenant {
  readonly #world: TenantWorld;
  #pod: { readonly ip: string; readonly pod: KubeObject } | undefined;
  #uses = 0;

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
    this.#world.goodPod = running.ip;
    await until(
      'the pod gets tokens',
      async () => (await askForToken(this.#world.metadata, running.ip)).status === 200,
      limitMs,
    );
  }

  /** Uses everything for a while, in a thread of its own. */
  async use(): Promise<Felt> {
    const { kubeconfig, metadata, agentSocket, reference: url } = this.#world;
    const prefix = `use${++this.#uses}-`;
    const ip = this.#pod?.ip ?? '';
    const mount = this.#mount();
    const input: MeterInput = {
      kubeconfig,
      namespace: good,
      prefix,
      metadata,
      ip,
      agentSocket,
      reference: url,
      mount,
      counts,
    };
    const meter = new Worker(new URL('./good-meter.ts', import.meta.url), { workerData: input });
    const [{ tokens, resources, mounts, reference, lost }] = (await once(meter, 'message')) as [MeterOutput];
    const felt = { tokens: at(tokens, 0.99), ready: at(resources, 0.5), mounts: at(mounts, 0.5) };
    return { ...felt, reference: { median: at(reference, 0.5), p99: at(reference, 0.99) }, lost };
  }

  #mount(): MeterInput['mount'] {
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
    return { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/vault`, document };
  }
}

function objectOf({ group, version, kind }: ResourceType, name: string, spec: object): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, metadata: { namespace: good, name }, spec } as KubeObject;
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
