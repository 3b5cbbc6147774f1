/**
 * RE2 patterns, as the API server takes them, on the regular expressions of JavaScript. Syntax of both is passed on;
 * inline flags, POSIX classes, \A, \z, \Q..\E and (?P<name>) are translated; look-around and back-references, which
 * RE2 refuses, are refused. Left different: case folding of non-ASCII letters and the leftmost-longest corner cases.
 */
const posix: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const cache = new Map<string, RegExp>();

/** Throws a SyntaxError in Go's wording for a pattern that RE2 refuses. */
export function compileRe2(pattern: string): RegExp {
  const known = cache.get(pattern);
  if (known) return known;
  const { source, flags } = translate(pattern);
  let compiled: RegExp;
  try {
    compiled = new RegExp(source, `u${flags}`);
  } catch {
    try {
      // Identity escapes such as `\-` or `\_` are fine in RE2 and only outside JavaScript's unicode mode.
      compiled = new RegExp(source, flags);
    } catch (error) {
      throw new SyntaxError(`error parsing regexp: ${reason(error, pattern)}`);
    }
  }
  if (cache.size > 2000) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

/** A piece of a pattern in JavaScript's syntax, and the length of the piece in RE2's. */
interface Piece {
  readonly length: number;
  readonly source: string;
  readonly flags?: string;
}

function translate(pattern: string): { source: string; flags: string } {
  let source = '';
  let flags = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; ) {
    const rest = pattern.slice(i);
    const character = rest[0] as string;
    let piece: Piece = { length: 1, source: character };
    if (character === '\\') piece = escaped(rest, inClass);
    else if (inClass) {
      piece = inCharacterClass(rest);
      if (character === ']') inClass = false;
    } else if (character === '[') {
      inClass = true;
      piece = classStart(rest);
    } else if (rest.startsWith('(?')) piece = group(rest, source === '');
    source += piece.source;
    flags += piece.flags ?? '';
    i += piece.length;
  }
  return { source, flags };
}

function escaped(rest: string, inClass: boolean): Piece {
  const next = rest[1];
  if (next === undefined) throw new SyntaxError('error parsing regexp: trailing backslash at end of expression: ``');
  if (!inClass && next === 'A') return { length: 2, source: '^' };
  if (!inClass && next === 'z') return { length: 2, source: '$(?![\\s\\S])' };
  if (next === 'Q') {
    const end = rest.indexOf('\\E', 2);
    const literal = rest.slice(2, end < 0 ? undefined : end);
    const source = literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return { length: literal.length + (end < 0 ? 2 : 4), source };
  }
  if (/[1-9]/.test(next) || next === 'Z' || next === 'k') {
    throw new SyntaxError(`error parsing regexp: invalid escape sequence: \`\\${next}\``);
  }
  return { length: 2, source: `\\${next}` };
}

/** A POSIX class, such as `[:alpha:]`, or one character. */
function inCharacterClass(rest: string): Piece {
  const named = /^\[:(\^?)([a-z]+):\]/.exec(rest);
  const set = named && posix[named[2] ?? ''];
  if (named && set && named[1] === '') return { length: named[0].length, source: set };
  const character = rest[0] as string;
  return { length: 1, source: character === '[' ? '\\[' : character };
}

/** `[`, with `^` and with a first `]`, which is a character of the class. */
function classStart(rest: string): Piece {
  const first = /^\[\^?\]/.exec(rest);
  if (!first) return { length: 1, source: '[' };
  return { length: first[0].length, source: first[0].length === 3 ? '[^\\]' : '[\\]' };
}

function group(rest: string, isFirst: boolean): Piece {
  const lookAround = /^\(\?(?:[=!]|<[=!]|>)/.exec(rest);
  if (lookAround) {
    throw new SyntaxError(`error parsing regexp: invalid or unsupported Perl syntax: \`${lookAround[0]}\``);
  }
  if (rest.startsWith('(?P<')) return { length: 4, source: '(?<' };
  const inline = /^\(\?([ims]+)\)/.exec(rest);
  if (inline && isFirst) return { length: inline[0].length, source: '', flags: [...new Set(inline[1])].join('') };
  if (rest.startsWith('(?U')) {
    throw new SyntaxError('error parsing regexp: ungreedy mode is not supported by the sandbox: `(?U`');
  }
  return { length: 1, source: '(' };
}

function reason(error: unknown, pattern: string): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/missing \]|Unterminated character class/.test(text)) {
    return `missing closing ]: \`${pattern.slice(pattern.lastIndexOf('['))}\``;
  }
  if (/Unterminated group/.test(text)) return `missing closing ): \`${pattern}\``;
  if (/Unmatched '\)'/.test(text)) return `unexpected ): \`${pattern}\``;
  if (/[Nn]othing to repeat/.test(text)) return `missing argument to repetition operator: \`${pattern}\``;
  return `${text.replace(/^Invalid regular expression: /, '')}: \`${pattern}\``;
}
