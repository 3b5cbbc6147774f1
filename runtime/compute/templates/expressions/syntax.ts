/**
 * The template language: `[concat('a', parameters('b').c[0])]`. A parser by hand, in linear time; chains of members are lists, so
 * that the depth of the tree is the depth of the calls and brackets.
 */
import { templateLimits } from '../limits.ts';
import { quoted, TemplateError } from '../problems.ts';
import { integer } from '../values/value.ts';

/** A parsed expression. `text` is its part of the source. */
export type Expression = { readonly text: string } & (
  | { readonly kind: 'literal'; readonly value: string | number | bigint }
  | {
      readonly kind: 'call';
      /** Of a function of the template itself. */
      readonly namespace: string | undefined;
      /** As the template writes it. */
      readonly name: string;
      readonly args: readonly Expression[];
    }
  /** `base.name` and `base[index]`, in order. */
  | { readonly kind: 'access'; readonly base: Expression; readonly members: readonly (string | Expression)[] }
);

/** Whether a string of the template is an expression. */
export function isExpression(text: string): boolean {
  return text.startsWith('[') && text.endsWith(']') && text[1] !== '[';
}

/** Whether a string is an expression or another escaped string with one more bracket. */
export const isEscaped = (text: string): boolean => text.startsWith('[[') && text.endsWith(']');

/** The text of a string that is no expression: `[[x]` is `[x]`. */
export const literalText = (text: string): string => (isEscaped(text) ? text.slice(1) : text);

/** Parses the text of an expression with its brackets. Throws TemplateError with the character that is wrong. */
export function parseExpression(source: string): Expression {
  const { expressionCharacters: most } = templateLimits;
  if (source.length > most) {
    const message = `The expression has ${source.length} characters, at most ${most} are allowed: use variables`;
    throw new TemplateError('Limit', message);
  }
  return new ExpressionParser(source).whole();
}

const isDigit = (character: string) => character >= '0' && character <= '9';
const isLetter = (character: string) => /^[A-Za-z_$]$/.test(character);

class ExpressionParser {
  readonly #source: string;
  readonly #end: number;
  #at = 1;

  constructor(source: string) {
    this.#source = source;
    this.#end = source.length - 1;
  }

  whole(): Expression {
    const expression = this.#expression(0);
    if (this.#at < this.#end) throw this.#error(`${quoted(this.#peek())} is not expected here`);
    return expression;
  }

  #peek(): string {
    return this.#at < this.#end ? (this.#source[this.#at] as string) : '';
  }

  #error(message: string): TemplateError {
    const place = `character ${this.#at + 1} of ${quoted(this.#source)}`;
    return new TemplateError('Expression', `The expression is not valid at ${place}: ${message}`);
  }

  #blanks(): void {
    while (this.#at < this.#end && /\s/.test(this.#peek())) this.#at++;
  }

  #expect(character: string): void {
    this.#blanks();
    if (this.#peek() !== character) throw this.#error(`${quoted(character)} is expected`);
    this.#at++;
  }

  #expression(depth: number): Expression {
    if (depth > templateLimits.expressionDepth) {
      throw this.#error(`calls are nested more than ${templateLimits.expressionDepth} deep: use variables`);
    }
    this.#blanks();
    const start = this.#at;
    const base = this.#term(depth);
    const members: (string | Expression)[] = [];
    let end = this.#at;
    for (;;) {
      this.#blanks();
      if (this.#peek() === '.') {
        this.#at++;
        this.#blanks();
        members.push(this.#word());
      } else if (this.#peek() === '[') {
        this.#at++;
        members.push(this.#expression(depth + 1));
        this.#expect(']');
      } else break;
      end = this.#at;
    }
    return members.length === 0 ? base : { kind: 'access', base, members, text: this.#source.slice(start, end) };
  }

  #term(depth: number): Expression {
    const start = this.#at;
    const character = this.#peek();
    if (character === "'") return { kind: 'literal', value: this.#string(), text: this.#source.slice(start, this.#at) };
    if (isDigit(character) || character === '-' || character === '+') return this.#number(start);
    let name = this.#word();
    let namespace: string | undefined;
    this.#blanks();
    if (this.#peek() === '.') {
      this.#at++;
      this.#blanks();
      namespace = name;
      name = this.#word();
    }
    const args = this.#arguments(depth, name);
    return { kind: 'call', namespace, name, args, text: this.#source.slice(start, this.#at) };
  }

  #arguments(depth: number, name: string): Expression[] {
    this.#blanks();
    if (this.#peek() !== '(') throw this.#error(`${quoted(name)} has no ( after it; a text needs single quotes`);
    this.#at++;
    const args: Expression[] = [];
    this.#blanks();
    if (this.#peek() !== ')') {
      for (;;) {
        args.push(this.#expression(depth + 1));
        this.#blanks();
        if (this.#peek() !== ',') break;
        this.#at++;
      }
    }
    this.#expect(')');
    return args;
  }

  #word(): string {
    const start = this.#at;
    if (isLetter(this.#peek())) {
      while (isLetter(this.#peek()) || isDigit(this.#peek())) this.#at++;
    }
    if (this.#at > start) return this.#source.slice(start, this.#at);
    const found = this.#peek() === '' ? 'it ends too early' : `${quoted(this.#peek())} is not expected here`;
    throw this.#error(found);
  }

  #string(): string {
    const parts: string[] = [];
    let from = ++this.#at;
    for (;;) {
      if (this.#at >= this.#end) throw this.#error("a text has no end: add '");
      if (this.#source[this.#at++] !== "'") continue;
      if (this.#peek() !== "'") break;
      parts.push(this.#source.slice(from, this.#at));
      from = ++this.#at;
    }
    parts.push(this.#source.slice(from, this.#at - 1));
    return parts.join('');
  }

  #number(start: number): Expression {
    this.#at++;
    while (isDigit(this.#peek())) this.#at++;
    const text = this.#source.slice(start, this.#at);
    const value = isDigit(text.at(-1) ?? '') && text.length <= 40 ? BigInt(text.replace('+', '')) : undefined;
    if (value === undefined || BigInt.asIntN(64, value) !== value) {
      throw this.#error(`${quoted(text)} is no integer, or has more than 64 bits`);
    }
    return { kind: 'literal', value: integer(value), text };
  }
}
