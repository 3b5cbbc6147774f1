import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { tryKindOf } from '../../runtime/api/kinds.ts';
import { addNamedKinds } from '../../runtime/api/named-kinds.ts';

/**
 * The kinds of Azure resources that the objects of an app need, as `group/Kind`, each with the path of the first
 * construct that names it. `inside` is any construct of the app.
 */
export function namedByApp(inside: IConstruct): Map<string, string> {
  const found = new Map<string, string>();
  for (const construct of inside.node.root.node.findAll()) {
    if (!(construct instanceof ApiObject)) continue;
    const { apiGroup, kind } = construct;
    // Only objects of our own kinds name others, and the rest of an app is not worth a second synthesis.
    if (!tryKindOf(apiGroup, kind)) continue;
    const named = new Set<string>();
    addNamedKinds(construct.toJson(), named);
    for (const each of [...named].sort()) if (!found.has(each)) found.set(each, construct.node.path);
  }
  return found;
}
