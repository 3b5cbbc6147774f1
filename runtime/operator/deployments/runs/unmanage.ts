import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { denyReason, type UnmanageSettings } from '../../../api/deployments/stack-settings.ts';
import { tryKindOf } from '../../../api/kinds.ts';
import { annotations } from '../../../arm-kinds/names.ts';
import { annotationOf, type ReconcilePolicy } from '../../../arm-kinds/policy.ts';
import { deploymentsManager, formerPolicyAnnotation } from '../../../compute/deployments/labels.ts';
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

/** Before a former policy that the template gave the object. */
const ofTemplate = 'template/';

/**
 * Annotations of an object whose resource stays in Azure when the object is deleted.
 *
 * @param object As the API server has it now, with its managed fields.
 */
export function detachedAnnotations({ metadata }: KubeObject) {
  const { annotations: all = {} } = metadata;
  const detached: ReconcilePolicy = 'detach-on-delete';
  const policy = all[annotations.reconcilePolicy] ?? '';
  const before = policy === detached ? all[formerPolicyAnnotation] : undefined;
  const former = before ?? `${isAppliedPolicy(metadata) ? ofTemplate : ''}${policy}`;
  return { [annotations.reconcilePolicy]: detached, [formerPolicyAnnotation]: former };
}

/** Whether the policy came with the last manifest of the template. */
function isAppliedPolicy({ managedFields = [] }: KubeObject['metadata']): boolean {
  return managedFields.some((entry) => {
    const { manager, operation, fieldsV1 } = entry as {
      readonly manager?: string;
      readonly operation?: string;
      readonly fieldsV1?: { readonly 'f:metadata'?: { readonly 'f:annotations'?: object } };
    };
    const fields = fieldsV1?.['f:metadata']?.['f:annotations'] ?? {};
    return manager === deploymentsManager && operation === 'Apply' && `f:${annotations.reconcilePolicy}` in fields;
  });
}

/** Whether the object was to be detached. If it is still there, the API server refused to delete it. */
export function isDetached({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[formerPolicyAnnotation] !== undefined;
}

/**
 * Changes that take `detachedAnnotations` back. A policy that somebody wrote after them stays.
 *
 * @param next What happens to the object after that: `applied` without a policy in the template, which had given it the
 * former one and dropped it, `deleted` with the former one, or nothing more: its template has `given` it a policy.
 */
export function attachedAnnotations(object: KubeObject, next: 'applied' | 'deleted' | 'given') {
  const text = object.metadata.annotations?.[formerPolicyAnnotation] ?? '';
  const isOfTemplate = text.startsWith(ofTemplate);
  const former = isOfTemplate ? text.slice(ofTemplate.length) : text;
  const isDropped = next === 'applied' && isOfTemplate;
  const isOurs = next !== 'given' && annotationOf(object, annotations.reconcilePolicy) === 'detach-on-delete';
  return {
    [formerPolicyAnnotation]: null,
    ...(isOurs && { [annotations.reconcilePolicy]: isDropped ? null : former || null }),
  };
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
