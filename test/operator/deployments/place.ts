import { expect } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { condition, core, types, until } from '../support.ts';
import { deploymentType, namesOf, runsOf, runType } from './deployment-world.ts';

export const setType = resourceOf(kindOf('compute.azure.com', 'VirtualMachineScaleSet'));
export const managedSecretType = resourceOf(kindOf('azimuth.dev', 'ManagedSecret'));

/** The API version of Azure of the newest version of a kind, which clusters serve by default. */
export function armVersion(group: string, kind: string): string {
  return resourceOf(kindOf(group, kind)).version.replace(/^.*?(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
}

/** The kinds of the scenarios, as `--kinds`. */
export const scenarioKinds = [
  ...[types.group, types.network, types.vault, types.armResource, setType].map(({ group, kind }) => `${group}/${kind}`),
  'network.azure.com/PublicIPAddress',
  'network.azure.com/LoadBalancer',
].join(';');

/** Parts of a place. */
export interface PlaceParts {
  /** An administrator of the cluster. */
  readonly client: KubeClient;
  readonly azure: EmbeddedAzure;
  readonly namespace: string;
  /** Ends the operator with SIGKILL and starts another. */
  kill(): Promise<void>;
  /** Whether a controller of the cluster deletes objects whose owner is gone. @default true */
  readonly collectsGarbage?: boolean;
}

/** Where a scenario happens: a namespace of an embedded or real cluster with the operator, and the embedded Azure. */
export class Place {
  readonly client: KubeClient;
  readonly azure: EmbeddedAzure;
  readonly namespace: string;
  readonly kill: () => Promise<void>;
  readonly portal: TestClient;
  readonly #collectsGarbage: boolean;

  constructor({ client, azure, namespace, kill, collectsGarbage = true }: PlaceParts) {
    this.#collectsGarbage = collectsGarbage;
    this.client = client;
    this.azure = azure;
    this.namespace = namespace;
    this.kill = () => kill();
    this.portal = new TestClient(azure);
  }

  async apply(type: ResourceType, name: string, rest: object): Promise<KubeObject> {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    const metadata = { name, ...(type.namespaced && { namespace: this.namespace }) };
    const object = { apiVersion, kind: type.kind, metadata, ...rest } as KubeObject;
    return await this.client.apply(type, object, { fieldManager: 'test', force: true });
  }

  /** Creates or changes a deployment. */
  deploy(name: string, spec: object): Promise<KubeObject> {
    return this.apply(deploymentType, name, { spec });
  }

  tryGet(type: ResourceType, name: string): Promise<KubeObject | undefined> {
    return this.client.tryGet(type, { ...(type.namespaced && { namespace: this.namespace }), name });
  }

  names(type: ResourceType): Promise<string[]> {
    return namesOf(this, type, this.namespace);
  }

  runs(deployment: string): Promise<KubeObject[]> {
    return runsOf(this, deployment, this.namespace);
  }

  /** The run of this number once it is in this state. */
  async run(deployment: string, number: number, state: string, limitMs = 180_000): Promise<KubeObject> {
    let last: unknown;
    return await until(
      `run ${number} of ${deployment} is ${state}`,
      async () => {
        const runs = await this.runs(deployment);
        last = runs.map(({ status }) => [status?.number, status?.state, status?.percent, status?.message]);
        const found = runs.find(({ status }) => status?.number === number);
        if (found && found['status'].state !== state && /^(Failed|Cancelled|Succeeded)$/.test(found['status'].state))
          throw new Error(`run ${number} of ${deployment} is not ${state}`);
        return found?.['status'].state === state ? found : undefined;
      },
      limitMs,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; last ${JSON.stringify(last)}`);
    });
  }

  async ready(type: ResourceType, name: string, reason = 'Succeeded'): Promise<KubeObject> {
    let last: KubeObject | undefined;
    return await until(
      `${name} is ${reason}`,
      async () => {
        last = await this.tryGet(type, name);
        const found = condition(last);
        return found?.reason === reason && found.observedGeneration === last?.metadata.generation && last;
      },
      180_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; last ${JSON.stringify(last?.['status'])}`);
    });
  }

  /** Deletes an object, and waits until it is gone. */
  async remove(type: ResourceType, name: string, limitMs = 180_000): Promise<void> {
    const key = { ...(type.namespaced && { namespace: this.namespace }), name };
    await this.client.delete(type, key);
    await until(`${name} is gone`, async () => (await this.tryGet(type, name)) === undefined, limitMs);
  }

  /** Deletes a deployment. Its runs, which name it as their owner, go with it. */
  async removeDeployment(name: string, limitMs?: number): Promise<void> {
    const { uid } = (await this.tryGet(deploymentType, name))?.metadata ?? {};
    await this.remove(deploymentType, name, limitMs);
    const ofIt = async () => {
      const { items } = await this.client.list(runType, { namespace: this.namespace });
      return items.filter(({ spec }) => spec.deployment === name);
    };
    if (!this.#collectsGarbage) {
      const left = await ofIt();
      // The run of a location is owned by its run, which is owned by the deployment.
      const owners = [uid, ...left.map(({ metadata }) => metadata.uid)];
      for (const { metadata } of left) expect(owners).toContain(metadata.ownerReferences?.[0]?.uid);
      for (const { metadata } of left) await this.client.delete(runType, metadata);
    }
    await until('its runs are gone', async () => (await ofIt()).length === 0);
  }

  /** ARM ids, in lower case, of all that Azure has below a resource group; undefined where it has no such group. */
  async inAzure(group: string): Promise<string[] | undefined> {
    const id = `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}`;
    if ((await this.portal.arm('GET', id, '2021-04-01')).status === 404) return undefined;
    const { body } = await this.portal.arm('GET', `${id}/resources`, '2021-04-01');
    return body.value.map((each: { id: string }) => each.id.toLowerCase());
  }

  /** A scale set as Azure shows it. */
  async scaleSet(group: string, name: string) {
    const id = `/subscriptions/${this.azure.subscriptionId}/resourceGroups/${group}/providers/Microsoft.Compute`;
    return (await this.portal.arm('GET', `${id}/virtualMachineScaleSets/${name}`, '2024-07-01')).body;
  }

  async prepare(): Promise<void> {
    await this.apply({ ...core('namespaces', 'Namespace'), namespaced: false }, this.namespace, {});
  }

  async close(): Promise<void> {
    await this.portal.close();
  }
}
