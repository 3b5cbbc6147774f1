import type { JsonNode } from '../json/json-node.ts';
import { type TemplateValue, templateObject } from '../values/value.ts';

/** The value of a node as it stands: strings with brackets are no expressions. */
export function nodeValue(node: JsonNode): TemplateValue {
  if (node.kind === 'null') return null;
  if (node.kind === 'array') return node.items.map(nodeValue);
  if (node.kind !== 'object') return node.value;
  return templateObject([...node.members].map(([name, member]) => [name, nodeValue(member)]));
}
