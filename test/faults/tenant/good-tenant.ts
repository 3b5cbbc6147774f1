import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { bindingsType, identitiesType } from '../../../runtime/identity/objects.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { condition, until } from '../../operator/support.ts';
import type { Counts, MeterInput, MeterOutput } from './good-meter.ts';
import { good } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

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

  /** Uses everything at least so often. */
  async use(counts: Counts): Promise<MeterOutput> {
    const { kubeconfig, metadata, agentSocket, meter } = this.#world;
    const prefix = `use${++this.#uses}-`;
    const ip = this.#pod?.ip ?? '';
    const mount = this.#mount();
    const input = { kubeconfig, namespace: good, prefix, metadata, ip, agentSocket, mount, counts };
    for await (const felt of meter.run(input)) return felt;
    throw new Error('the meter gave no times');
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
