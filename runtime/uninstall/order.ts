import { operatorKinds } from '../api/kinds.ts';
import { ownerOf } from '../view/model/forest.ts';
import type { Item } from './inventory.ts';

const podIdentity = 'aadpodidentity.k8s.io';
const azureKinds: ReadonlySet<string> = new Set(operatorKinds.map(({ group, kind }) => `${group}/${kind}`));

/** Whether the operator makes a resource in Azure for the object. */
export function isAzureResource({ row }: Item): boolean {
  return azureKinds.has(`${row.group}/${row.kind}`);
}

/** Whether the policy of the object or of its namespace keeps its resource in Azure. */
export function isKept({ policy }: Item): boolean {
  return policy !== 'manage';
}

/** Whether the controller alone deletes objects of the kind, once no binding asks for them. */
export const isAssigned = (kind: string): boolean => kind === 'AzureAssignedIdentity';

/**
 * The stage of an object; an object goes once no object of a lower stage is left.
 * 0: deployments, which would make their objects again. 1: bindings, after which the controller detaches every identity
 * from its machine. 2: all other objects without a resource in Azure: the secrets that it keeps in vaults, for example.
 * 3: Azure resources.
 */
function stageOf(item: Item): number {
  const { group, kind } = item.row;
  if (kind === 'ComputeDeployment') return 0;
  if (group === podIdentity) return kind === 'AzureIdentityBinding' || isAssigned(kind) ? 1 : 2;
  return isAzureResource(item) ? 3 : 2;
}

/** Whether pods can have identities on machines while the object is there. */
export function isBeforeDetachment(item: Item): boolean {
  return stageOf(item) <= 1;
}

/**
 * The objects to delete now, given all that are left; those that are being deleted already are not among them. Lists of
 * objects that go one list after the other: owned objects go before their owner, so that the operator sees that each
 * deletion was asked for.
 */
export function deletableNow(left: readonly Item[], mode: 'keep-azure' | 'delete'): Item[][] {
  const stage = Math.min(...left.map(stageOf));
  const now = left.filter((item) => stageOf(item) === stage);
  const chosen = stage === 3 && mode === 'delete' ? unreferenced(now) : now;
  const owners = ownersOf(left);
  const depths = new Map<number, Item[]>();
  for (const item of chosen) {
    // The controller deletes them itself.
    if (item.object.metadata.deletionTimestamp !== undefined || isAssigned(item.row.kind)) continue;
    const depth = owners.chain(item).length;
    depths.set(depth, [...(depths.get(depth) ?? []), item]);
  }
  return [...depths].sort(([a], [b]) => b - a).map(([, items]) => items);
}

/**
 * The objects that no other one needs. An owner goes with all that it owns, because Azure deletes a resource together with
 * its content. An owner whose resource stays goes after its objects: the operator would take the deletion of the rest
 * for a garbage collection. Where objects need each other, all are given.
 */
function unreferenced(items: readonly Item[]): readonly Item[] {
  const owners = ownersOf(items);
  const rootOf = (item: Item): Item => {
    let root = item;
    for (const owner of owners.chain(item)) {
      if (isKept(owner)) break;
      root = owner;
    }
    return root;
  };
  const roots = new Map(items.map((item) => [item.row.id, rootOf(item)]));
  const needed = new Set<Item>();
  for (const item of items) {
    const root = roots.get(item.row.id);
    for (const { to } of item.row.links) {
      const other = roots.get(to);
      if (other && other !== root) needed.add(other);
    }
  }
  const free = items.filter((item) => !needed.has(roots.get(item.row.id) ?? item));
  return free.length > 0 ? free : items;
}

function ownersOf(items: readonly Item[]) {
  const byId = new Map(items.map((item) => [item.row.id, item]));
  const find = (id: string) => byId.get(id)?.row;
  return {
    /** The owners that exist, the nearest first; a circle, which a tenant can write, ends at its first object. */
    chain(item: Item): Item[] {
      const ordered: Item[] = [];
      const seen = new Set([item.row.id]);
      for (let row = ownerOf(item.row, find); row && !seen.has(row.id); row = ownerOf(row, find)) {
        seen.add(row.id);
        const owner = byId.get(row.id);
        if (owner) ordered.push(owner);
      }
      return ordered;
    },
  };
}
