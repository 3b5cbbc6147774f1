import { memberOf } from '../../json/json-node.ts';
import { parseJson } from '../../json/parse-json.ts';
import { Problems, TemplateError, TemplateStop } from '../../problems.ts';
import { isSecureType, typesOf } from './types.ts';

/** The names of a template's parameters of secure types, in lower case; none for a text that is no template. */
export function secureParameters(text: string): ReadonlySet<string> {
  const secure = new Set<string>();
  try {
    const node = parseJson(text, new Problems());
    const parameters = memberOf(node, 'parameters');
    if (!node || parameters?.kind !== 'object') return secure;
    const types = typesOf(node);
    for (const [name, parameter] of parameters.members)
      if (isSecureType(nameOf(() => types.nameOf(parameter)))) secure.add(name.toLowerCase());
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
