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

function translate(pattern: string): { source: string; flags: string } {
  let source = '';
  let flags = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const rest = pattern.slice(i);
    const character = pattern[i] as string;
    if (character === '\\') {
      const next = pattern[i + 1];
      if (next === undefined)
        throw new SyntaxError('error parsing regexp: trailing backslash at end of expression: ``');
      if (!inClass && next === 'A') source += '^';
      else if (!inClass && next === 'z') source += '$(?![\\s\\S])';
      else if (next === 'Q') {
        const end = pattern.indexOf('\\E', i + 2);
        const literal = pattern.slice(i + 2, end < 0 ? undefined : end);
        source += literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
        i += literal.length + (end < 0 ? 1 : 3);
        continue;
      } else if (/[1-9]/.test(next) || next === 'Z' || next === 'k') {
        throw new SyntaxError(`error parsing regexp: invalid escape sequence: \`\\${next}\``);
      } else source += character + next;
      i += 1;
    } else if (inClass) {
      const named = /^\[:(\^?)([a-z]+):\]/.exec(rest);
      const set = named && posix[named[2] ?? ''];
      if (named && set && named[1] === '') {
        source += set;
        i += named[0].length - 1;
      } else {
        if (character === ']') inClass = false;
        source += character === '[' ? '\\[' : character;
      }
    } else if (character === '[') {
      inClass = true;
      source += character;
      const first = /^\[\^?\]/.exec(rest);
      if (first) {
        source += first[0].length === 3 ? '^\\]' : '\\]';
        i += first[0].length - 1;
      } else if (rest[1] === '^') {
        source += '^';
        i += 1;
      }
    } else if (rest.startsWith('(?')) {
      const lookAround = /^\(\?(?:[=!]|<[=!]|>)/.exec(rest);
      if (lookAround) {
        throw new SyntaxError(`error parsing regexp: invalid or unsupported Perl syntax: \`${lookAround[0]}\``);
      }
      const inline = /^\(\?([ims]+)\)/.exec(rest);
      if (rest.startsWith('(?P<')) {
        source += '(?<';
        i += 3;
      } else if (inline && source === '') {
        flags += [...new Set(inline[1])].join('');
        i += inline[0].length - 1;
      } else if (rest.startsWith('(?U')) {
        throw new SyntaxError('error parsing regexp: ungreedy mode is not supported by the sandbox: `(?U`');
      } else source += character;
    } else source += character;
  }
  return { source, flags };
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
