import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { parseJson } from '../../json/parse-json.ts';
import { Problems, TemplateError, TemplateStop } from '../../problems.ts';
import { isSecureType, typesOf } from './types.ts';

/** A parameter as a template declares it. */
interface DeclaredParameter {
  readonly name: string;
  /** In lower case; '' for a type that is wrong, which the expansion reports. */
  readonly type: string;
  readonly node: JsonNode;
}

/** The parameters of secure types of a template, and whether each has a default that is a secret. None for another text. */
export function secureParameters(text: string): ReadonlyMap<string, boolean> {
  const secure = declaredParameters(text).filter(({ type }) => isSecureType(type));
  return new Map(secure.map(({ name, node }) => [name, hasValue(memberOf(node, 'defaultValue'))]));
}

/** The types of the parameters of a template, by name in lower case. None for another text. */
export function parameterTypes(text: string): ReadonlyMap<string, string> {
  return new Map(declaredParameters(text).map(({ name, type }) => [name.toLowerCase(), type]));
}

function declaredParameters(text: string): DeclaredParameter[] {
  try {
    const node = parseJson(text, new Problems());
    const parameters = memberOf(node, 'parameters');
    if (!node || parameters?.kind !== 'object') return [];
    const types = typesOf(node);
    return [...parameters.members].map(([name, parameter]) => {
      return { name, type: nameOf(() => types.nameOf(parameter)), node: parameter };
    });
  } catch (error) {
    if (!(error instanceof TemplateStop)) throw error;
    return [];
  }
}

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
