import type { Unstructured } from '../types.ts';
import { FieldSet, type Step } from './field-set.ts';
import { type FieldType, shapeOf } from './field-type.ts';
import { fieldsOf } from './field-walk.ts';
import type { Owners } from './managed-fields.ts';

/**
 * Brings ownership in line with the schema of today: whoever owns a map or list as a whole that is granular now owns
 * what is in it, whoever owns parts of one that is atomic now owns the whole. The API server does so before each write;
 * it also shows when somebody owns an empty map that others have filled since.
 */
export function reconcileOwners(owners: Owners, live: Unstructured, type: FieldType): void {
  const present = fieldsOf(live, type);
  for (const [key, owner] of owners) {
    const fields = reconcile(owner.fields, present, type);
    if (fields !== owner.fields) owners.set(key, { ...owner, fields });
  }
}

function reconcile(fields: FieldSet, present: FieldSet, root: FieldType): FieldSet {
  const removed = new FieldSet();
  const added = new FieldSet();
  const visit = (
    owned: FieldSet | undefined,
    there: FieldSet | undefined,
    type: FieldType,
    path: readonly Step[],
    whole: boolean,
  ) => {
    const shape = shapeOf(type);
    if (type.of !== 'schema' || shape.is === 'scalar') return;
    // Deduced maps know neither atomic nor granular.
    if (shape.is === 'map' && shape.free) return;
    if (shape.atomic) {
      if (!whole && path.length > 0) {
        removed.insert(path);
        added.insert(path);
      }
      return;
    }
    if (whole) {
      added.insert(path);
      for (const inner of there?.paths(path) ?? []) added.insert(inner);
    }
    if (!owned) return;
    for (const step of new Set([...owned.members, ...owned.children.keys()])) {
      const child = owned.children.get(step);
      const inner = shape.is === 'list' ? shape.items : shape.member(step.slice(2));
      visit(child, there?.children.get(step), inner, [...path, step], child === undefined);
    }
  };
  visit(fields, present, root, [], false);
  return removed.empty && added.empty ? fields : fields.recursiveDifference(removed).union(added);
}
