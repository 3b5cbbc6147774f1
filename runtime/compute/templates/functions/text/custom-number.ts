/** Custom formats of .NET for numbers, such as `#,##0.00;(0)`. */
import { type Decimal, rounded, split } from './decimal.ts';

type Token = { readonly kind: 'digit' | 'literal' | 'point' | 'exponent'; readonly text: string };

/** The parts of one section of a custom format. */
function tokens(section: string): Token[] {
  const found: Token[] = [];
  const pattern = /\\([\s\S])|'([^']*)'?|"([^"]*)"?|([0#])|(\.)|(,)|([eE][-+]?0+)|([\s\S])/g;
  for (const [whole, escaped, single, double, digit, point, comma, exponent, other] of section.matchAll(pattern)) {
    if (digit) found.push({ kind: 'digit', text: digit });
    else if (point) found.push({ kind: 'point', text: '.' });
    else if (exponent) found.push({ kind: 'exponent', text: exponent });
    else if (comma) found.push({ kind: 'literal', text: '' });
    else if (whole !== '') found.push({ kind: 'literal', text: escaped ?? single ?? double ?? other ?? '' });
  }
  return found;
}

function sectionsOf(format: string): string[] {
  const parts = format.match(/(?:\\[\s\S]|'[^']*'?|"[^"]*"?|[^;])+|;/g) ?? [''];
  const sections = [''];
  for (const part of parts) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] = part;
  }
  return sections;
}

/** A number in a custom format of up to three sections. */
export function customNumber(value: Decimal, format: string): string {
  const sections = sectionsOf(format);
  const [positive = '', below, zero] = sections;
  const pick = (section: string, sign: boolean, of: Decimal) => customSection(of, section, sign);
  if (value.digits === '' && zero) return pick(zero, false, value);
  if (value.negative && below) return pick(below, false, { ...value, negative: false });
  return pick(positive, true, value);
}

/** Commas after the last digit before the point, each of which divides by a thousand. */
function scaleOf(before: string): number {
  const last = Math.max(before.lastIndexOf('0'), before.lastIndexOf('#'));
  return last === -1 ? 0 : before.slice(last + 1).split(',').length - 1;
}

function customSection(value: Decimal, section: string, showSign: boolean): string {
  const bare = section.replace(/\\[\s\S]|'[^']*'?|"[^"]*"?/g, '');
  const [before = ''] = bare.split('.');
  const scale = scaleOf(before);
  const groups = /[0#],+[0#]/.test(before);
  const shift = 2 * (bare.match(/%/g)?.length ?? 0) + 3 * (bare.match(/‰/g)?.length ?? 0) - 3 * scale;
  const list = tokens(section);
  const point = list.findIndex(({ kind }) => kind === 'point');
  const digitsAfter = point === -1 ? [] : list.slice(point).filter(({ kind }) => kind === 'digit');
  const digitsBefore = (point === -1 ? list : list.slice(0, point)).filter(({ kind }) => kind === 'digit');
  const exponentToken = list.find(({ kind }) => kind === 'exponent')?.text;
  const scaled = { ...value, exponent: value.digits === '' ? 0 : value.exponent + shift };
  const whole =
    exponentToken === undefined ? scaled : { ...scaled, exponent: value.digits === '' ? 0 : digitsBefore.length };
  const near = rounded(whole, digitsAfter.length);
  const power = value.digits === '' ? 0 : scaled.exponent - digitsBefore.length;
  const text = laidOut(list, near, digitsBefore, digitsAfter, groups, power);
  return showSign && near.negative && near.digits !== '' ? `-${text}` : text;
}

function laidOut(
  list: readonly Token[],
  value: Decimal,
  before: readonly Token[],
  after: readonly Token[],
  groups: boolean,
  power: number,
): string {
  const [whole, fraction] = split(value);
  const firstZero = before.findIndex(({ text }) => text === '0');
  const least = firstZero === -1 ? 0 : before.length - firstZero;
  const padded = whole.padStart(least, '0');
  const cells = cellsOf(padded, before.length, groups);
  const lastZero = after.findLastIndex(({ text }) => text === '0');
  const shownFraction = fraction.padEnd(lastZero + 1, '0');
  let [index, at, isAfter] = [0, 0, false];
  const texts = list.map(({ kind, text }) => {
    if (kind === 'literal') return text;
    if (kind === 'exponent') return exponentText(text, power);
    if (kind === 'point') {
      if (isAfter) return '';
      isAfter = true;
      return shownFraction === '' ? '' : '.';
    }
    return isAfter ? (shownFraction[at++] ?? '') : (cells[index++] ?? '');
  });
  return texts.join('');
}

/** The digits before the point by their place in the format: the first place has all that are too many. */
function cellsOf(digits: string, places: number, groups: boolean): string[] {
  const cells: string[] = [];
  for (const [index, digit] of [...digits].entries()) {
    const rest = digits.length - 1 - index;
    const cell = groups && rest > 0 && rest % 3 === 0 ? `${digit},` : digit;
    const place = Math.max(0, places - 1 - rest);
    cells[place] = (cells[place] ?? '') + cell;
  }
  return cells;
}

function exponentText(token: string, power: number): string {
  const [, letter = 'E', sign = '', zeros = '0'] = /^([eE])([-+]?)(0+)$/.exec(token) ?? [];
  const shown = power < 0 ? '-' : sign === '+' ? '+' : '';
  return letter + shown + String(Math.abs(power)).padStart(zeros.length, '0');
}
