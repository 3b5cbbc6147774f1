import type { KubeObject } from '../kube/types.ts';
import type { UserExpression } from './expressions.ts';
import type { ArmModel } from './model.ts';

/** The CEL over ARM's answer that says whether the resource is ready; undefined where its state alone does. */
export function readyExpression(model: ArmModel, object: KubeObject): UserExpression | undefined {
  const expression = model.readyWhen(object);
  return expression === undefined ? undefined : { expression, where: 'spec.readyWhen', seesSecrets: false };
}
