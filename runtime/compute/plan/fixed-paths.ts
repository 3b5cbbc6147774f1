import { kindOf } from '../../api/kinds.ts';
import { validate } from '../../api/validate.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import type { PathChange } from './change.ts';

/** Azure moves no resource to another region, whatever its kind. */
const alwaysFixed: ReadonlySet<string> = new Set(['spec.location']);

/**
 * The changes, with a sign at those that Azure does not make on a resource that exists: its region, and the fields
 * that the rules of the kind's schema keep (owner, azureName, the vault of a ManagedSecret).
 */
export function fixedPaths(
  { group, kind, manifest }: GoalNode,
  present: KubeObject,
  changes: readonly PathChange[],
): PathChange[] {
  if (changes.length === 0) return [];
  const definition = kindOf(group, kind);
  // The rules compare with the object as the API server has it, whose version may be another one.
  const wanted = { ...manifest, apiVersion: present.apiVersion, status: present['status'] };
  const broken = validate(definition, manifestOver(present, wanted), { old: present });
  const fixed = broken.flatMap(({ expected }) => /^spec\.\w+/.exec(expected)?.[0] ?? []);
  const status: unknown = present['status'];
  const isInAzure = isObject(status) && typeof status['id'] === 'string';
  return changes.map((change) => {
    const isFixed =
      (isInAzure && alwaysFixed.has(change.path)) ||
      fixed.some((path) => change.path === path || change.path.startsWith(`${path}.`));
    return isFixed ? { ...change, isFixed } : change;
  });
}

function manifestOver(
  { metadata, ...present }: KubeObject,
  { metadata: _, ...wanted }: object & { metadata?: unknown },
) {
  return { ...present, ...wanted, metadata };
}
