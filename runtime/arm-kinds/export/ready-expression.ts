import type { KubeObject } from '../../kube/client/types.ts';
import type { ArmModel } from '../model.ts';
import type { UserExpression } from './expressions.ts';

/** The CEL over ARM's answer that decides whether the resource is ready; undefined where its state alone does. */
export function readyExpression(model: ArmModel, object: KubeObject): UserExpression | undefined {
  const expression = model.readyWhen(object);
  return expression === undefined ? undefined : { expression, where: 'spec.readyWhen', seesSecrets: false };
}
