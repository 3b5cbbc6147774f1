import type { JsonNode } from '../json/json-node.ts';
import { type TemplateValue, templateObject } from '../values/value.ts';

const made = new WeakMap<JsonNode, TemplateValue>();

/**
 * The value of a node as it stands: strings with brackets are no expressions. A node has one value: a template inside of
 * another one is part of the value of both.
 */
export function nodeValue(node: JsonNode): TemplateValue {
  if (node.kind === 'null') return null;
  if (node.kind !== 'object' && node.kind !== 'array') return node.value;
  const before = made.get(node);
  if (before !== undefined) return before;
  const value =
    node.kind === 'array'
      ? node.items.map(nodeValue)
      : templateObject([...node.members].map(([name, member]) => [name, nodeValue(member)]));
  made.set(node, value);
  return value;
}
