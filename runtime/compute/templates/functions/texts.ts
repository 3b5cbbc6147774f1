import type { TemplateValue } from '../values/value.ts';
import { type Call, fail } from './function-spec.ts';

/** A value as text: booleans as True and False, objects and arrays as compact JSON, null as nothing. */
export function textOf(value: TemplateValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** JSON with single quotes, as `format` shows objects and arrays. */
function quotedJson(value: TemplateValue): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(quotedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${quotedJson(name)}:${quotedJson(member)}`)
    .join(',')}}`;
}

/** A number in a .NET format of one letter and digits, or of zeros. */
function numberText(value: number, format: string, call: Call): string {
  const sign = value < 0 ? '-' : '';
  const digits = String(Math.abs(value));
  if (/^0{1,99}$/.test(format)) return sign + digits.padStart(format.length, '0');
  const [, letter = '', width = ''] = /^([DdXx])([0-9]{0,2})$/.exec(format) ?? [];
  if (!Number.isInteger(value) || letter === '' || (value < 0 && /x/i.test(letter))) {
    return fail(call, `the format '${format.slice(0, 20)}' is not supported; D, X and zeros are, for integers`);
  }
  if (letter === 'D' || letter === 'd') return sign + digits.padStart(Number(width), '0');
  const hex = value.toString(16).padStart(Number(width), '0');
  return letter === 'X' ? hex.toUpperCase() : hex;
}

function itemText(value: TemplateValue, format: string, call: Call): string {
  if (format !== '' && typeof value === 'number') return numberText(value, format, call);
  return typeof value === 'object' && value !== null ? quotedJson(value) : textOf(value);
}

/** .NET composite formatting: `{index[,width][:format]}`, with doubled braces for braces. */
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
      /^([0-9]{1,3})(?:,(-?[0-9]{1,4}))?(?::(.*))?$/.exec(hole ?? '') ?? [];
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

const tokens: Readonly<Record<string, (date: Date) => string>> = {
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  yy: (date) => String(date.getUTCFullYear() % 100).padStart(2, '0'),
  MM: (date) => String(date.getUTCMonth() + 1).padStart(2, '0'),
  M: (date) => String(date.getUTCMonth() + 1),
  dd: (date) => String(date.getUTCDate()).padStart(2, '0'),
  d: (date) => String(date.getUTCDate()),
  HH: (date) => String(date.getUTCHours()).padStart(2, '0'),
  mm: (date) => String(date.getUTCMinutes()).padStart(2, '0'),
  ss: (date) => String(date.getUTCSeconds()).padStart(2, '0'),
  fff: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
};

/** A moment in a .NET format of yyyy, MM, dd, HH, mm, ss and fff; `u` and `d` alone are the standard formats. */
export function timeText(now: number, format: string, call: Call): string {
  const date = new Date(now);
  const whole = format === 'd' ? 'M/d/yyyy' : format === 'u' ? 'yyyy-MM-dd HH:mm:ssZ' : format;
  const parts = whole.match(/[A-Za-z]+|[^A-Za-z]+/g) ?? [];
  const texts = parts.flatMap((part) => part.match(/yyyy|yy|MM|M|dd|d|HH|mm|ss|fff|T|Z|[^A-Za-z]+|[A-Za-z]/g) ?? []);
  return texts
    .map((text) => {
      if (text === 'T' || text === 'Z' || !/[A-Za-z]/.test(text)) return text;
      const token = Object.hasOwn(tokens, text) ? tokens[text] : undefined;
      return token
        ? token(date)
        : fail(call, `${text} is not supported in a format; yyyy, MM, dd, HH, mm, ss, fff are`);
    })
    .join('');
}
