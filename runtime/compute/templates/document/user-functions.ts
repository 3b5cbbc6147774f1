import type { UserFunction } from '../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import type { Problems } from '../problems.ts';

/** The functions that a template defines, by `namespace.name` in lower case. */
export function declareFunctions(section: JsonNode | undefined, problems: Problems): ReadonlyMap<string, UserFunction> {
  const found = new Map<string, UserFunction>();
  if (!section) return found;
  if (section.kind !== 'array') {
    problems.add('Structure', section, 'functions must be an array of namespaces');
    return found;
  }
  for (const group of section.items) {
    const namespace = memberOf(group, 'namespace');
    const members = memberOf(group, 'members');
    if (namespace?.kind !== 'string' || members?.kind !== 'object') {
      problems.add('Structure', group, 'A group of functions needs a namespace and members');
      continue;
    }
    for (const [name, node] of members.members) {
      const made = userFunction(node);
      if (made) found.set(`${namespace.value}.${name}`.toLowerCase(), made);
      else
        problems.add('Structure', node, 'A function needs an output with a value, and parameters with names and types');
    }
  }
  return found;
}

function userFunction(node: JsonNode): UserFunction | undefined {
  const value = memberOf(memberOf(node, 'output'), 'value');
  const parameters = memberOf(node, 'parameters');
  if (!value || (parameters && parameters.kind !== 'array')) return undefined;
  const declared: { name: string; type: string }[] = [];
  for (const each of parameters?.items ?? []) {
    const name = memberOf(each, 'name');
    const type = memberOf(each, 'type');
    if (name?.kind !== 'string' || type?.kind !== 'string') return undefined;
    declared.push({ name: name.value, type: type.value });
  }
  return { parameters: declared, value };
}
