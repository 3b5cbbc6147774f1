import { badQuery } from './query-errors.ts';

/** A word, a text, a number or a sign of a query; `at` is its place in the query. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'sign' | 'end';
  readonly value: string;
  readonly at: number;
}

const form =
  /\s+|\/\/[^\n]*|(?<number>\d+(?:\.\d+)?)|(?<word>[!]?[A-Za-z_$][\w$]*~?(?:-away|-keep|-rename|-reorder|-expand)?)|(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<sign>==|!=|=~|!~|<=|>=|<|>|=|\||,|\(|\)|\[|\]|\.|\+|-|\*|\/|%)/gy;

/** The tokens of a query, with an end. Throws a refusal that names a character that begins none. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  form.lastIndex = 0;
  while (form.lastIndex < query.length) {
    const at = form.lastIndex;
    const groups = form.exec(query)?.groups;
    if (!groups) throw badQuery(`the character '${query[at]}' at ${at} begins no token`);
    const [kind, value] = Object.entries(groups).find(([, part]) => part !== undefined) ?? [];
    if (kind === undefined || value === undefined) continue;
    tokens.push({ kind: kind as Token['kind'], value: kind === 'text' ? unescaped(value) : value, at });
  }
  return [...tokens, { kind: 'end', value: 'the end', at: query.length }];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

const unescaped = (quoted: string) =>
  quoted.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
