import { type ExportPlan, expressionsIn } from '../../../arm-kinds/export/export-plan.ts';
import type { UserExpression } from '../../../arm-kinds/export/expressions.ts';
import { readyExpression } from '../../../arm-kinds/export/ready-expression.ts';
import type { AdminCredentials } from '../../../arm-kinds/generated-admin-secret.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isDeeperThan } from '../../../base/json.ts';
import type { Edge } from '../../../engine/index.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { edgesOf } from '../../references/resolve.ts';

/** The plan without the Secret of an administrator that is not generated yet: no other export creates that Secret. */
export function withoutPendingAdmin(plan: ExportPlan, admin: AdminCredentials | undefined): ExportPlan {
  if (admin?.task !== 'generate') return plan;
  const items = plan.items.filter(({ target, to }) => target !== 'Secret' || to.name !== admin.input.name);
  return { ...plan, items };
}

/** The expressions of the object's exports and of its readiness, which must be a bool. */
export function expressionsOf(model: ArmModel, object: KubeObject, { items }: ExportPlan): UserExpression[] {
  const exported = items.flatMap(expressionsIn);
  const ready = readyExpression(model, object);
  return ready ? [...exported, { ...ready, yields: 'bool' }] : exported;
}

/** Azure's documents have about twelve levels; thousands would overflow the stack of recursive functions. */
const MAX_LEVELS = 100;

/** Whether the spec is nested too deep to read. */
function isSpecTooDeep(object: KubeObject): boolean {
  return isDeeperThan(object['spec'], MAX_LEVELS);
}

/** Throws AZ_TERMINAL for a spec that is nested too deep. */
export function checkSpecDepth(object: KubeObject): void {
  if (!isSpecTooDeep(object)) return;
  throw new AzimuthError('AZ_TERMINAL', `The spec is nested deeper than ${MAX_LEVELS} levels: make it flatter`);
}

/** Objects that one object may name: each costs a read of a run, and memory while the object exists. */
const mostLinks = 1000;

/** The edges to the objects that the spec names, each once. Throws AZ_TERMINAL for more than 1,000. */
export function checkedEdges(model: ArmModel, object: KubeObject): Edge[] {
  const edges = distinctEdges(model, object);
  if (edges.length <= mostLinks) return edges;
  throw new AzimuthError(
    'AZ_TERMINAL',
    `The spec names ${edges.length} objects, and one object may name ${mostLinks}: split it, or name resources by armId`,
  );
}

/** The edges of an object that is being deleted, which needs no more than the first 1,000. */
export function edgesOfDeletion(model: ArmModel, object: KubeObject): Edge[] {
  return isSpecTooDeep(object) ? [] : distinctEdges(model, object).slice(0, mostLinks);
}

function distinctEdges(model: ArmModel, object: KubeObject): Edge[] {
  return [...new Map(edgesOf(model, object).map((edge) => [`${edge.kind} ${edge.to}`, edge])).values()];
}
