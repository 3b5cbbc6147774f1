import { policyOf } from '../../runtime/arm-kinds/policy.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import type { Item } from '../../runtime/uninstall/inventory.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';
import { rowOf } from '../view/support.ts';

/** An object as the command reads it, in a namespace without a policy. */
export function itemOf(found: KubeObject): Item {
  const row = rowOf(found);
  const kind = viewKinds.find(({ type }) => type.group === row.group && type.kind === row.kind);
  if (!kind) throw new Error(`${found.kind} is no kind of the view`);
  return { type: kind.type, object: found, row, policy: policyOf(found, undefined, 'manage') };
}
