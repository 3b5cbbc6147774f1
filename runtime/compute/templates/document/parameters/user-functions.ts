import type { UserFunction } from '../../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { type Problems, quoted } from '../../problems.ts';
import type { TemplateValue } from '../../values/value.ts';
import type { Types } from './types.ts';

/** The functions that a template defines, by `namespace.name` in lower case. */
export function declareFunctions(
  section: JsonNode | undefined,
  types: Types,
  problems: Problems,
): ReadonlyMap<string, UserFunction> {
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
      const made = userFunction(node, types);
      if (made) found.set(`${namespace.value}.${name}`.toLowerCase(), made);
      else
        problems.add('Structure', node, 'A function needs an output with a value, and parameters with names and types');
    }
  }
  return found;
}

function userFunction(node: JsonNode, types: Types): UserFunction | undefined {
  const value = memberOf(memberOf(node, 'output'), 'value');
  const parameters = memberOf(node, 'parameters');
  if (!value || (parameters && parameters.kind !== 'array')) return undefined;
  const declared: UserFunction['parameters'][number][] = [];
  for (const each of parameters?.items ?? []) {
    const name = memberOf(each, 'name');
    if (name?.kind !== 'string' || !(memberOf(each, 'type') ?? memberOf(each, '$ref'))) return undefined;
    const problem = (given: TemplateValue) => {
      const [wrong] = types.problems(given, each, name.value);
      return wrong && `${quoted(wrong.path)} ${wrong.text}`;
    };
    declared.push({ name: name.value, problem });
  }
  return { parameters: declared, value, mayCall: types.isExtended };
}
