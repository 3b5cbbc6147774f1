import { isNumber, isTemplateArray, type TemplateObject, type TemplateValue } from '../../values/value.ts';
import { infoOf } from '../../values/value-info.ts';
import { type Call, fail } from '../function-spec.ts';
import { formatNumber } from './number-format.ts';

/** A value as text: booleans as True and False, objects and arrays as compact JSON, null as nothing. */
export function textOf(value: TemplateValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isNumber(value) ? String(value) : jsonOf(value);
}

/** Compact JSON, with integers of 64 bits as they are. */
export function jsonOf(value: TemplateValue): string {
  if (!infoOf(value).wide) return JSON.stringify(value);
  if (typeof value === 'bigint') return String(value);
  if (isTemplateArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  const members = Object.entries(value as TemplateObject);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join(',')}}`;
}

/** JSON with single quotes, as `format` shows objects and arrays. */
function quotedJson(value: TemplateValue): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(quotedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return isNumber(value) ? String(value) : JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${quotedJson(name)}:${quotedJson(member)}`)
    .join(',')}}`;
}

function itemText(value: TemplateValue, format: string, call: Call): string {
  if (format !== '' && isNumber(value)) {
    return formatNumber(value, format) ?? fail(call, `the format '${format.slice(0, 20)}' does not fit ${value}`);
  }
  return typeof value === 'object' && value !== null ? quotedJson(value) : textOf(value);
}

/** .NET composite formatting: `{index[,width][:format]}`, blanks after index, comma and width, doubled braces for braces. */
export function compositeFormat(pattern: string, items: readonly TemplateValue[], call: Call): string {
  const parts: string[] = [];
  let at = 0;
  while (at < pattern.length) {
    const found = nextBrace(pattern, at);
    parts.push(pattern.slice(at, found));
    if (found >= pattern.length) break;
    const brace = pattern[found] as string;
    if (pattern[found + 1] === brace) {
      parts.push(brace);
      at = found + 2;
      continue;
    }
    const end = brace === '{' ? pattern.indexOf('}', found) : -1;
    const hole = end === -1 || end - found > 64 ? undefined : pattern.slice(found + 1, end);
    const [, index = '', width = '0', format = ''] =
      /^([0-9]{1,3}) {0,9}(?:, {0,9}(-?[0-9]{1,4}) {0,9})?(?::(.*))?$/.exec(hole ?? '') ?? [];
    if (index === '') fail(call, `at character ${found + 1} stands no {index} of a value; write braces twice`);
    if (Number(index) >= items.length) fail(call, `{${index}} has no value; there are ${items.length}`);
    const text = itemText(items[Number(index)] as TemplateValue, format, call);
    const padded = Number(width) < 0 ? text.padEnd(-Number(width)) : text.padStart(Number(width));
    call.run.budget.produce(padded.length);
    parts.push(padded);
    at = (end as number) + 1;
  }
  return parts.join('');
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  return at;
}
