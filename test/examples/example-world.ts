/** One embedded cluster and Azure for all examples, with the operator and the identity controller. */

import { kindsOf } from '../../constructs/kind-choice.ts';
import { versionsOf } from '../../constructs/version-choice.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { Applier } from '../../runtime/cli/demo/apply.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { customResourceDefinitions, namespaces } from '../conformance/resources.ts';
import { FakePostgres } from '../databases/fake-postgres.ts';
import { startController } from '../identity/in-process-controller.ts';
import { conditionOf } from '../operator/machines/machine-world.ts';
import { startWorld, until, type World } from '../operator/support.ts';
import { objectsOf } from './examples.ts';

/** Stands for the reader's subscription and tenant in manifests. */
const zeros = '00000000-0000-0000-0000-000000000000';
const limitMs = 120_000;

export class ExampleWorld {
  readonly world: World;
  readonly postgres = new FakePostgres();
  readonly #applier: Applier;
  readonly #ends = new AsyncDisposableStack();

  private constructor(world: World) {
    this.world = world;
    this.#applier = new Applier(world.client);
  }

  static async start(): Promise<ExampleWorld> {
    const world = await startWorld({
      kinds: kindsOf('used:examples'),
      versions: versionsOf('used:examples'),
      machineSecrets: true,
      deployments: true,
    });
    const made = new ExampleWorld(world);
    for (const kind of podIdentityKinds)
      await world.client.create(customResourceDefinitions, crdManifest(kind) as unknown as KubeObject);
    await world.startOperator({}, { databases: { connect: made.postgres.connect } });
    const client = createKubeClient(loadKubeConnection({ kubeconfig: world.kubeconfigFile }));
    const controller = startController(world.azure, client, { namespace: 'default' });
    made.#ends.defer(() => controller.stop());
    return made;
  }

  /** Applies objects in a new namespace, where they name none. */
  async apply(namespace: string, objects: readonly KubeObject[]): Promise<void> {
    await this.world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const object of objects) await this.applyOne(namespace, object);
  }

  async applyOne(namespace: string, object: KubeObject): Promise<void> {
    const { subscriptionId, tenantId } = this.world.azure;
    const text = JSON.stringify(object)
      .replaceAll(`/subscriptions/${zeros}`, `/subscriptions/${subscriptionId}`)
      .replaceAll(`"subscription":"${zeros}"`, `"subscription":"${subscriptionId}"`)
      .replaceAll(zeros, tenantId);
    const mine: KubeObject = JSON.parse(text);
    const { namespaced } = await this.#applier.typeOf(mine);
    await this.#applier.apply({ ...mine, metadata: { ...(namespaced && { namespace }), ...mine.metadata } });
  }

  /** The objects of a file in `examples/`. */
  objects(file: string): KubeObject[] {
    return objectsOf(`examples/${file}`);
  }

  /** Lets the operator write secrets and certificates in a vault. */
  allowInVault(group: string, vault: string): void {
    const { azure } = this.world;
    const scope = `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${vault}`;
    for (const role of ['Key Vault Secrets Officer', 'Key Vault Certificates Officer'])
      azure.assignRole(azure.defaultApp.objectId, role, scope);
  }

  /** Waits until a condition of each object of Azimuth's kinds is True; their kinds and names. */
  async ready(namespace: string, objects: readonly KubeObject[], type = 'Ready'): Promise<string[]> {
    const waited = objects.filter(({ apiVersion }) => /azure\.com\/|azimuth\.dev\/|aadpodidentity/.test(apiVersion));
    for (const object of waited) {
      const kind = await this.#applier.typeOf(object);
      const key = { ...(kind.namespaced && { namespace }), name: object.metadata.name };
      const isReady = async () => conditionOf(await this.world.client.tryGet(kind, key), type)?.status === 'True';
      await until(`${object.kind} ${key.name} is ${type}`, isReady, limitMs);
    }
    return waited.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  }

  async close(): Promise<void> {
    await this.#ends.disposeAsync();
    await this.world.close();
  }
}
