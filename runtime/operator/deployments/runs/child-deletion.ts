import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { deploymentsManager } from '../../../compute/deployments/labels.ts';
import { groupOf } from '../../../compute/deployments/references.ts';
import { isNotFound } from '../../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../kube/client/types.ts';
import { objectKeyOf } from '../../../kube/controller/mappers.ts';
import type { KindCaches } from '../../objects/kind-caches.ts';
import type { ChildAccess } from '../child-access.ts';
import { attachedAnnotations, detachedAnnotations, isDetached, unmanageAction } from './unmanage.ts';

/** Deletes and detaches the objects of deployments. Throws AZ_ACCESS_DENIED where the service account may not do it. */
export class ChildDeletion {
  readonly #client: KubeClient;
  readonly #caches: KindCaches;
  readonly #access: Pick<ChildAccess, 'check'>;

  constructor(client: KubeClient, caches: KindCaches, access: Pick<ChildAccess, 'check'>) {
    this.#client = client;
    this.#caches = caches;
    this.#access = access;
  }

  /** Deletes or detaches an object that left the template, as the deployment says. */
  async remove(object: KubeObject, deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const { actionOnUnmanage } = (deployment['spec'] ?? {}) as Partial<ComputeDeploymentSpec>;
    const { apiVersion, kind, spec } = object;
    const action = unmanageAction(actionOnUnmanage, { group: groupOf(apiVersion), kind, type: spec?.type });
    await this[action](object, deployment, signal);
  }

  /** Deletes an object of a deployment; one that is gone is fine. */
  async delete(object: KubeObject, deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const type = this.#typeOf(object);
    if (!type) return;
    const { name, uid = '' } = object.metadata;
    await this.#access.check(deployment, { verb: 'delete', type, name }, signal);
    if (isDetached(object)) await this.#access.check(deployment, { verb: 'patch', type, name }, signal);
    const key = objectKeyOf(object);
    try {
      const stored = isDetached(object) ? await this.#client.tryGet(type, key, signal) : undefined;
      if (stored?.metadata.uid === uid) await this.attach(type, stored, 'deleted', signal);
      await this.#client.delete(type, key, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /**
   * Deletes an object of a deployment, and keeps its resource in Azure and the objects that it owns. The annotation is
   * stored before the object is deleted, so that no stop between the two deletes the resource.
   */
  async detach(object: KubeObject, deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const type = this.#typeOf(object);
    if (!type || object.metadata.deletionTimestamp !== undefined) return;
    const { name, uid = '' } = object.metadata;
    for (const verb of ['patch', 'delete'] as const) await this.#access.check(deployment, { verb, type, name }, signal);
    const key = objectKeyOf(object);
    try {
      const stored = await this.#client.tryGet(type, key, signal);
      if (stored?.metadata.uid !== uid) return;
      const { resourceVersion } = stored.metadata;
      const body = { metadata: { uid, resourceVersion, annotations: detachedAnnotations(stored) } };
      await this.#client.patch(type, key, { type: 'merge', body }, { fieldManager: deploymentsManager, signal });
      await this.#client.delete(type, key, { preconditions: { uid }, propagationPolicy: 'Orphan', signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /**
   * Takes back what a detachment wrote whose deletion the API server refused: the deployment has the object again.
   *
   * @param object As the API server has it now. The caller has checked the right to patch it.
   * @param next As for `attachedAnnotations`.
   */
  async attach(
    type: ResourceType,
    object: KubeObject,
    next: Parameters<typeof attachedAnnotations>[1],
    signal: AbortSignal,
  ): Promise<void> {
    if (!isDetached(object)) return;
    const { uid = '', resourceVersion } = object.metadata;
    const body = { metadata: { uid, resourceVersion, annotations: attachedAnnotations(object, next) } };
    const options = { fieldManager: deploymentsManager, signal };
    await this.#client.patch(type, objectKeyOf(object), { type: 'merge', body }, options);
  }

  #typeOf({ apiVersion, kind }: KubeObject): ResourceType | undefined {
    return this.#caches.of(groupOf(apiVersion), kind)?.type;
  }
}
