import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { parseJson } from '../../json/parse-json.ts';
import { Problems, TemplateError, TemplateStop } from '../../problems.ts';
import { isSecureType, typesOf } from './types.ts';

/** The parameters of secure types of a template, and whether each has a default that is a secret. None for another text. */
export function secureParameters(text: string): ReadonlyMap<string, boolean> {
  const secure = new Map<string, boolean>();
  try {
    const node = parseJson(text, new Problems());
    const parameters = memberOf(node, 'parameters');
    if (!node || parameters?.kind !== 'object') return secure;
    const types = typesOf(node);
    for (const [name, parameter] of parameters.members)
      if (isSecureType(nameOf(() => types.nameOf(parameter))))
        secure.set(name, hasValue(memberOf(parameter, 'defaultValue')));
  } catch (error) {
    if (!(error instanceof TemplateStop)) throw error;
  }
  return secure;
}

/** '' for a type that is wrong, which the expansion reports. */
function nameOf(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof TemplateError) return '';
    throw error;
  }
}

/** Whether a default is there, and no empty text or object. */
function hasValue(node: JsonNode | undefined): boolean {
  if (node?.kind === 'string') return node.value !== '';
  return node?.kind === 'object' && node.members.size > 0;
}
