import { badQuery } from './query-errors.ts';
import { type Token, tokensOf } from './tokens.ts';

const maxLength = 20_000;
const maxDepth = 50;

/** Reads a query from its first token to its end. */
export class QueryReader {
  readonly #query: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(query: string) {
    if (query.length > maxLength) throw badQuery(`it is longer than ${maxLength} characters`);
    this.#query = query;
    this.#tokens = tokensOf(query);
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== 'end') this.#at += 1;
    return token;
  }

  /** Takes one of the signs; undefined where another token is next. */
  takeSign(...signs: readonly string[]): string | undefined {
    if (this.next.kind !== 'sign' || !signs.includes(this.next.value)) return undefined;
    return this.take().value;
  }

  /** Takes the word, in any case of letters; whether it was next. */
  takeWord(word: string): boolean {
    const is = this.next.kind === 'word' && this.next.value.toLowerCase() === word;
    if (is) this.take();
    return is;
  }

  takeName(): string {
    const token = this.take();
    if (token.kind !== 'word') throw badQuery(`a name is expected in the place of '${token.value}' at ${token.at}`);
    return token.value;
  }

  /** Takes `name =`; undefined where something else is next. */
  takeAssigned(): string | undefined {
    const after = this.#tokens[this.#at + 1];
    if (this.next.kind !== 'word' || after?.kind !== 'sign' || after.value !== '=') return undefined;
    const name = this.take().value;
    this.take();
    return name;
  }

  /** Whether the operator ends here. */
  isAtEnd(): boolean {
    const { kind, value } = this.next;
    return kind === 'end' || (kind === 'sign' && (value === '|' || value === ')'));
  }

  /** The query from a place to the next token. */
  textFrom(start: number): string {
    return this.#query.slice(start, this.next.at).trim();
  }

  expect(sign: string): void {
    if (this.takeSign(sign) === undefined)
      throw badQuery(`'${sign}' is expected in the place of '${this.next.value}' at ${this.next.at}`);
  }

  /** Reads something that may contain itself. */
  nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw badQuery(`it has more than ${maxDepth} levels`);
    const value = read();
    this.#depth -= 1;
    return value;
  }
}
