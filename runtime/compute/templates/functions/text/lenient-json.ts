/** Texts in either quotes, comments, words, blanks, and every other character. */
const tokenForm =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*|[A-Za-z_$][A-Za-z0-9_$]*|\s+|[\s\S]/g;

/** A text in single quotes as JSON. */
function doubleQuoted(token: string): string {
  const body = token.slice(1, -1).replace(/\\'/g, "'").replace(/\\"|"/g, '\\"');
  return `"${body}"`;
}

/**
 * JSON as Newtonsoft reads it, as strict JSON: texts and names in single quotes, names without quotes, comments, and a comma
 * after the last item. Other mistakes stay, for the parser to report.
 */
export function strictJson(text: string): string {
  const tokens = text.match(tokenForm) ?? [];
  const strict = tokens.map((token, index) => {
    if (/^'[\s\S]*'$/.test(token) && token.length > 1) return doubleQuoted(token);
    if (token.startsWith('/*') || token.startsWith('//')) return ' ';
    if (/^[A-Za-z_$]/.test(token) && following(tokens, index) === ':') return `"${token}"`;
    return token === ',' && /^[\]}]/.test(following(tokens, index) ?? '') ? '' : token;
  });
  return strict.join('');
}

/** The next token that is neither blank nor a comment. */
function following(tokens: readonly string[], index: number): string | undefined {
  let at = index + 1;
  while (/^(?:\s|\/[/*])/.test(tokens[at] ?? '')) at++;
  return tokens[at];
}
