import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { denyReason, type UnmanageSettings } from '../../../api/deployments/stack-settings.ts';
import { tryKindOf } from '../../../api/kinds.ts';
import { annotations } from '../../../arm-kinds/names.ts';
import { annotationOf, type ReconcilePolicy } from '../../../arm-kinds/policy.ts';
import { formerPolicyAnnotation } from '../../../compute/deployments/labels.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import type { KubeObject } from '../../../kube/client/types.ts';

/** An object that is to go. */
export interface UnmanagedObject {
  readonly group: string;
  readonly kind: string;
  /** `spec.type` of an ArmResource, such as `Microsoft.Resources/resourceGroups@2021-04-01`. */
  readonly type?: unknown;
}

/** What happens to the resource of an object that left the template. @param settings Absent: all are deleted. */
export function unmanageAction(settings: UnmanageSettings | undefined, object: UnmanagedObject): 'delete' | 'detach' {
  if (!settings) return 'delete';
  const { resources, resourceGroups, managementGroups, resourcesWithoutDeleteSupport } = settings;
  if (resources !== 'delete') return 'detach';
  const arm = tryKindOf(object.group, object.kind)?.arm;
  const type = (arm?.armType ?? String(object.type ?? '').split('@')[0] ?? '').toLowerCase();
  if (type === 'microsoft.resources/resourcegroups') return resourceGroups ?? 'detach';
  if (type === 'microsoft.management/managementgroups') return managementGroups ?? 'detach';
  return arm?.deletable === false && resourcesWithoutDeleteSupport === 'detach' ? 'detach' : 'delete';
}

/** Annotations of an object whose resource stays in Azure when the object is deleted. */
export function detachedAnnotations({ metadata: { annotations: all = {} } }: KubeObject) {
  const detached: ReconcilePolicy = 'detach-on-delete';
  const policy = all[annotations.reconcilePolicy] ?? '';
  const former = policy === detached ? (all[formerPolicyAnnotation] ?? policy) : policy;
  return { [annotations.reconcilePolicy]: detached, [formerPolicyAnnotation]: former };
}

/** Whether the object was to be detached. If it is still there, the API server refused to delete it. */
export function isDetached({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[formerPolicyAnnotation] !== undefined;
}

/** Changes that take `detachedAnnotations` back. A policy that somebody wrote after them stays. */
export function attachedAnnotations(object: KubeObject): Record<string, string | null> {
  const former = object.metadata.annotations?.[formerPolicyAnnotation] || null;
  const isOurs = annotationOf(object, annotations.reconcilePolicy) === 'detach-on-delete';
  return { [formerPolicyAnnotation]: null, ...(isOurs && { [annotations.reconcilePolicy]: former }) };
}

/** Problems of the settings that API servers before 1.25 do not refuse. */
export function unmanageProblems({ actionOnUnmanage, denySettings }: Partial<ComputeDeploymentSpec>) {
  const problems: DeploymentProblem[] = [];
  if (denySettings && denySettings.mode !== 'none') problems.push({ path: 'spec.denySettings', message: denyReason });
  if (actionOnUnmanage?.resourceGroups === 'delete' && actionOnUnmanage.resources !== 'delete') {
    const message = 'delete takes all resources of a group along, which resources: detach is to keep: set one of them';
    problems.push({ path: 'spec.actionOnUnmanage.resourceGroups', message });
  }
  return problems;
}
