import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { quoted, TemplateError } from '../../problems.ts';

/** The definition, or the part of one, that a `$ref` names. Throws TemplateError for none. */
export function definitionOf(section: JsonNode | undefined, reference: JsonNode): JsonNode {
  const text = reference.kind === 'string' ? reference.value : '';
  const [name = '', ...inside] = /^#\/definitions\/(.{1,1000})$/.exec(text)?.[1]?.split('/') ?? [];
  let found = memberOf(section, decoded(name));
  // Bicep writes the path of a part of a type: of a property, of the items, or of one item.
  for (const part of inside.map(decoded)) {
    found = found?.kind === 'array' && /^\d{1,4}$/.test(part) ? found.items[Number(part)] : memberOf(found, part);
  }
  if (found?.kind === 'object') return found;
  const definitions = section?.kind === 'object' ? section.members.keys() : [];
  throw new TemplateError('Structure', `${quoted(text)} is no definition of the template: $ref is #/definitions/NAME`, {
    near: [text, [...definitions].map((each) => `#/definitions/${each}`)],
  });
}

/** A name in a JSON pointer, which Bicep escapes as in a URI too. */
function decoded(name: string): string {
  let plain = name;
  try {
    plain = decodeURIComponent(name);
  } catch {
    // No escape of a URI: the name has it as it is.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}
