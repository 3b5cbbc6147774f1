import { type ComputeDeploymentSpec, computeDeployment } from '../../api/deployments/compute-deployment.ts';
import { resourceOf } from '../../api/kinds.ts';
import { groupOf } from '../../compute/deployments/references.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';

import { unmanageAction } from '../deployments/runs/unmanage.ts';

/**
 * Why the resource of an object stays in Azure while its ComputeDeployment is deleted; undefined where it goes. In a
 * foreground deletion the garbage collector deletes the objects, perhaps before the deployment's reconciler detaches them.
 */
export async function detachReason(
  client: KubeClient,
  { apiVersion = '', kind = '', metadata, spec }: KubeObject & { readonly spec?: { readonly type?: unknown } },
  signal: AbortSignal,
): Promise<string | undefined> {
  const type = resourceOf(computeDeployment);
  const { namespace = '', ownerReferences = [] } = metadata;
  const controller = ownerReferences.find((owner) => owner.controller);
  if (controller?.kind !== type.kind || groupOf(controller.apiVersion) !== type.group) return undefined;
  const deployment = await client.tryGet(type, { namespace, name: controller.name }, signal);
  if (deployment?.metadata.uid !== controller.uid || !deployment.metadata.deletionTimestamp) return undefined;
  const { actionOnUnmanage } = (deployment['spec'] ?? {}) as Partial<ComputeDeploymentSpec>;
  const action = unmanageAction(actionOnUnmanage, { group: groupOf(apiVersion), kind, type: spec?.type });
  return action === 'detach' ? `actionOnUnmanage of ComputeDeployment ${controller.name} detaches it` : undefined;
}
