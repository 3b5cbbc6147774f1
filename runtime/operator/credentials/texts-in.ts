import { tryParseJson } from '../../base/json.ts';

/** Rounds of decoding; each opens the escapes of every kind that are then in the text. */
const mostRounds = 4;

/** Entities of XML, in which policies are written, for the characters of ids and addresses. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  sol: '/',
  period: '.',
  colon: ':',
  hyphen: '-',
  lbrace: '{',
  lcub: '{',
  rcub: '}',
  rbrace: '}',
};

/** Every text within a value, also the keys of maps and JSON within texts. The texts in a SecretValue are left out. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  // No recursion: a value may be nested as deep as it is long.
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') {
      texts.push(next);
      rest.push(tryJson(next));
    } else if (next !== null && typeof next === 'object') {
      for (const [name, member] of Object.entries(next)) rest.push(name, member);
    }
  }
  return texts;
}

/** A text, and what readers make of it that open its escapes: of URLs, of JSON and of XML, also within each other. */
export function readingsOf(text: string): readonly string[] {
  const readings = [text];
  for (let round = 0; round < mostRounds; round++) {
    const last = readings.at(-1) ?? '';
    const decoded = decode(last);
    if (decoded === last) break;
    readings.push(decoded);
  }
  return readings;
}

function decode(text: string): string {
  return text
    .replaceAll(/%(?:25)*([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\\\+/g, '\\')
    .replaceAll(/\\u00([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')
    .replaceAll(/&#(?:x0*([0-7]?[0-9a-f])|0*(\d{1,3}));/gi, (all, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code < 128 ? String.fromCharCode(code) : all;
    })
    .replaceAll(/&([a-z]{3,6});/gi, (all, name: string) => entities[name.toLowerCase()] ?? all);
}

const tryJson = (text: string) => (/^\s*[{["]/.test(text) ? tryParseJson(text) : undefined);
