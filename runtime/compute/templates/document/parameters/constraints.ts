import { sameAs } from '../../functions/logic.ts';
import { nodeValue } from '../../functions/node-value.ts';
import { jsonOf } from '../../functions/text/texts.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { quoted } from '../../problems.ts';
import { isNumber, isTemplateArray, isTemplateObject, type TemplateValue, typeOf } from '../../values/value.ts';
import { infoOf, revealSecrets } from '../../values/value-info.ts';

/** One thing that is wrong with a value: the path of the part, and the end of a sentence about it. */
export interface TypeProblem {
  readonly path: string;
  readonly text: string;
}

/** Whether a value has a type of the language, by its name in lower case. */
export function hasBaseType(value: TemplateValue, type: string): boolean {
  if (type === 'array') return isTemplateArray(value);
  if (type === 'object' || type === 'secureobject') return isTemplateObject(value);
  if (type === 'string' || type === 'securestring') return typeof value === 'string';
  return type === typeOf(value);
}

/** Which constraints of one type a value breaks. */
export function constraintProblems(
  value: TemplateValue,
  node: JsonNode,
  path: string,
  isSecret: boolean,
): TypeProblem[] {
  const allowed = memberOf(node, 'allowedValues');
  const { unknown, secret } = infoOf(value);
  const isHidden = isSecret || secret;
  if (allowed?.kind === 'array' && !unknown && !isAllowed(value, allowed.items.map(nodeValue))) {
    const values = allowed.items.slice(0, 50).map((item) => jsonOf(nodeValue(item)).slice(0, 100));
    const provided = isHidden ? 'it' : quoted(jsonOf(value));
    return [
      {
        path,
        text: `is not valid: ${provided} is not one of the allowed value(s)${isHidden ? '' : `: '${values.join(',')}'`}`,
      },
    ];
  }
  const length = typeof value === 'string' || isTemplateArray(value) ? value.length : undefined;
  const number = isNumber(value) ? value : undefined;
  return ['minValue', 'maxValue', 'minLength', 'maxLength'].flatMap((constraint) => {
    const limit = memberOf(node, constraint);
    const measured = constraint.endsWith('Length') ? length : number;
    if (limit?.kind !== 'number' || measured === undefined) return [];
    if (constraint.startsWith('min') ? measured >= limit.value : measured <= limit.value) return [];
    const shown = constraint.endsWith('Length') || !isHidden ? ` and is ${measured}` : '';
    return [{ path, text: `is outside its ${constraint}, which is ${limit.value}${shown}` }];
  });
}

/** Whether a value is one of the allowed ones, ignoring the case of texts; of an array each item may be. */
function isAllowed(value: TemplateValue, allowed: readonly TemplateValue[]): boolean {
  const open = revealSecrets(value);
  const texts = new Set(allowed.flatMap((each) => (typeof each === 'string' ? each.toLowerCase() : [])));
  const is = (each: TemplateValue) =>
    typeof each === 'string' ? texts.has(each.toLowerCase()) : allowed.some(sameAs(each));
  return is(open) || (isTemplateArray(open) && open.every(is));
}
