import { tryKindOf } from '../../api/kinds.ts';
import { machineTypes } from '../../api/machines/secret-references.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import { bodyProblems } from '../machines/machine-checks.ts';
import { objectIn } from '../machines/machine-model.ts';
import { machineOf } from '../machines/machine-of.ts';
import { observedTextProblems } from '../machines/vault-extension.ts';
import type { ComputeProblem } from '../problems/compute-problem.ts';
import { modelOf } from './needs.ts';

/** Stands for a subscription that is known in Azure only; all placeholders have it. */
const subscriptionId = '00000000-0000-0000-0000-000000000000';

/** Whether an ARM type is that of virtual machines or scale sets. */
export function isMachineType(armType: string): boolean {
  return machineTypes.some((each) => each.toLowerCase() === armType.toLowerCase());
}

/** Whether a node is a virtual machine or a scale set. */
export function isMachineNode({ group, kind, manifest }: GoalNode): boolean {
  return isMachineType(modelOf(group, kind)?.armType(manifest as unknown as KubeObject) ?? '');
}

/** Problems of the body of a machine, a scale set or an extension of one that Azure finds late. None for other kinds. */
export function machineProblems({ group, kind, manifest }: GoalNode): ComputeProblem[] {
  const model = modelOf(group, kind);
  const object = manifest as unknown as KubeObject;
  const armType = model?.armType(object) ?? '';
  const isExtension = isMachineType(armType.replace(/\/extensions$/i, '')) && !isMachineType(armType);
  if (!model || !(isMachineType(armType) || isExtension)) return [];
  const inputs = new Map<string, unknown>();
  for (const input of model.inputs(object)) {
    if (input.type === 'reference') {
      const { armId, group: other = '', kind: otherKind = '', name = '' } = input.reference;
      const type = tryKindOf(other, otherKind)?.arm?.armType ?? 'Microsoft.Resources/unknown';
      inputs.set(input.path, armId ?? `/subscriptions/${subscriptionId}/resourceGroups/plan/providers/${type}/${name}`);
    } else if (input.type === 'secret') inputs.set(input.path, new SecretValue(undefined));
  }
  const body = model.body(object, inputs);
  if (isExtension) return observedTextProblems({ name: '', properties: objectIn(body, 'properties') }, 'properties');
  // The subscription of a machine is known in Azure only: a vault by its ARM id may be in it.
  const context = { subscriptionId: '', exists: false, secretUrl: undefined };
  return bodyProblems(machineOf(armType, body, context));
}
