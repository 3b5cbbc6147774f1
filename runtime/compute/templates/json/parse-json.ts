import { templateLimits } from '../limits.ts';
import { type Position, type Problems, quoted } from '../problems.ts';
import { integer } from '../values/value.ts';
import { type JsonNode, memberPath } from './json-node.ts';

/**
 * Parses JSON with `//` and block comments, in linear time. A trailing comma is a problem. Undefined after the first problem
 * of syntax; names that appear twice are problems too, and the last one counts. `file`: the name of a linked template.
 */
export function parseJson(text: string, problems: Problems, file = ''): JsonNode | undefined {
  if (text.length > templateLimits.templateCharacters) {
    const { templateCharacters: most } = templateLimits;
    const message = `The template has ${text.length} characters, at most ${most} are allowed: split it into several`;
    problems.add('Limit', { path: '', line: 1, column: 1 }, message);
    return undefined;
  }
  const parser = new JsonParser(text, problems, file);
  try {
    return parser.document();
  } catch (error) {
    if (error instanceof Syntax) problems.add(error.limit ? 'Limit' : 'Json', error.position, error.message);
    else throw error;
    return undefined;
  }
}

class Syntax extends Error {
  readonly position: Position;
  readonly limit: boolean;

  constructor(position: Position, message: string, limit = false) {
    super(message);
    this.position = position;
    this.limit = limit;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonParser {
  readonly #text: string;
  readonly #problems: Problems;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #values = 0;
  readonly #root: string;

  constructor(text: string, problems: Problems, file: string) {
    this.#text = text;
    // Paths of a linked template begin with its name.
    this.#root = file === '' ? '' : `${file.slice(-100)}:`;
    this.#problems = problems;
    if (text.startsWith('\ufeff')) this.#at = 1;
  }

  document(): JsonNode {
    const node = this.#value(this.#root, 0);
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#error('', 'there is text after the end of the JSON: remove it');
    return node;
  }

  #position(path: string): Position {
    return { path, line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  #error(path: string, message: string): Syntax {
    return new Syntax(this.#position(path), `The JSON is not valid: ${message}`);
  }

  #newline(): void {
    this.#line++;
    this.#lineStart = this.#at;
  }

  /** Skips white space and comments. */
  #blanks(): void {
    const text = this.#text;
    for (;;) {
      const character = text[this.#at];
      if (character === '\n') {
        this.#at++;
        this.#newline();
      } else if (character === ' ' || character === '\t' || character === '\r') this.#at++;
      else if (character === '/' && text[this.#at + 1] === '/') {
        const end = text.indexOf('\n', this.#at);
        this.#at = end === -1 ? text.length : end;
      } else if (character === '/' && text[this.#at + 1] === '*') this.#blockComment();
      else return;
    }
  }

  #blockComment(): void {
    const end = this.#text.indexOf('*/', this.#at + 2);
    if (end === -1) throw this.#error('', 'a comment has no end: add */');
    while (this.#at < end) if (this.#text[this.#at++] === '\n') this.#newline();
    this.#at = end + 2;
  }

  #value(path: string, depth: number): JsonNode {
    this.#blanks();
    const position = this.#position(path);
    if (++this.#values > templateLimits.jsonValues) {
      const message = `The template has more than ${templateLimits.jsonValues} values: split it into several`;
      throw new Syntax(position, message, true);
    }
    const character = this.#text[this.#at];
    if (character === '{' || character === '[') {
      if (depth >= templateLimits.jsonDepth) {
        const message = `Objects and arrays are nested more than ${templateLimits.jsonDepth} deep: flatten them`;
        throw new Syntax(position, message, true);
      }
      return character === '{' ? this.#object(position, depth) : this.#array(position, depth);
    }
    if (character === '"') return { ...position, kind: 'string', value: this.#string(path) };
    if (character === '-' || (character !== undefined && character >= '0' && character <= '9')) {
      return { ...position, kind: 'number', value: this.#number(path) };
    }
    for (const word of ['true', 'false', 'null'] as const) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return word === 'null' ? { ...position, kind: 'null' } : { ...position, kind: 'boolean', value: word === 'true' };
    }
    throw this.#error(path, character === undefined ? 'the text ends too early' : `${quoted(character)} is no value`);
  }

  #object(position: Position, depth: number): JsonNode {
    const members = new Map<string, JsonNode>();
    this.#at++;
    for (;;) {
      this.#blanks();
      if (this.#text[this.#at] === '}' && members.size === 0) break;
      if (this.#text[this.#at] !== '"') throw this.#error(position.path, 'a name in double quotes is expected');
      const at = this.#position(position.path);
      const name = this.#string(position.path);
      if (members.has(name)) {
        this.#problems.add('Json', at, `The name ${quoted(name)} appears twice in an object: remove one`);
      }
      this.#blanks();
      if (this.#text[this.#at] !== ':') throw this.#error(position.path, `a colon is expected after ${quoted(name)}`);
      this.#at++;
      members.set(name, this.#value(memberPath(position.path, name), depth + 1));
      this.#blanks();
      if (this.#text[this.#at] === '}') break;
      if (this.#text[this.#at] !== ',') throw this.#error(position.path, 'a comma or } is expected');
      this.#at++;
    }
    this.#at++;
    return { ...position, kind: 'object', members };
  }

  #array(position: Position, depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.#at++;
    for (;;) {
      this.#blanks();
      if (this.#text[this.#at] === ']' && items.length === 0) break;
      items.push(this.#value(`${position.path}[${items.length}]`, depth + 1));
      this.#blanks();
      if (this.#text[this.#at] === ']') break;
      if (this.#text[this.#at] !== ',') throw this.#error(position.path, 'a comma or ] is expected');
      this.#at++;
    }
    this.#at++;
    return { ...position, kind: 'array', items };
  }

  /** Templates have expressions over several lines, so that line feeds in strings are no problem. */
  #string(path: string): string {
    const text = this.#text;
    const parts: string[] = [];
    let from = ++this.#at;
    for (;;) {
      const character = text[this.#at];
      if (character === undefined) throw this.#error(path, 'a string has no end: add a double quote');
      this.#at++;
      if (character === '\n') this.#newline();
      if (character === '"') break;
      if (character !== '\\') continue;
      parts.push(text.slice(from, this.#at - 1), this.#escape(path));
      from = this.#at;
    }
    parts.push(text.slice(from, this.#at - 1));
    return parts.join('');
  }

  #escape(path: string): string {
    const character = this.#text[this.#at++] ?? '';
    const plain = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
    if (plain !== undefined) return plain;
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (character !== 'u' || !/^[0-9A-Fa-f]{4}$/.test(digits)) {
      throw this.#error(path, `${quoted(`\\${character}`)} is no escape: write \\\\ for a backslash`);
    }
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(path: string): number | bigint {
    const start = this.#at;
    while (/[-+0-9.eE]/.test(this.#text[this.#at] ?? '')) this.#at++;
    const digits = this.#text.slice(start, this.#at);
    if (digits.length <= 40 && /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(digits)) {
      const value = Number(digits);
      if (/^-?[0-9]+$/.test(digits)) {
        const whole = BigInt(digits);
        if (BigInt.asIntN(64, whole) === whole) return integer(whole);
      }
      const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
      if (isExact) return value;
    }
    throw this.#error(path, `${quoted(digits)} is no number, or has too many digits`);
  }
}
