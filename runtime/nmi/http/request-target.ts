/**
 * Chooses the route of a request from its target. Rules and order are upstream's. Upstream forwarded some odd
 * spellings of guarded paths to the metadata endpoint; this daemon refuses them.
 */

/** Which part of the daemon handles a request. */
export type Route = 'token' | 'info' | 'unknown' | 'host' | 'invalid' | 'forbidden' | 'passthrough';

/** A parsed request target. `path`: decoded, as sent for `passthrough`. */
export type Target =
  | { readonly route: Route; readonly path: string; readonly query: URLSearchParams }
  /** The path is not in its simplest form; the daemon redirects the client to the simplest one. */
  | { readonly route: 'redirect'; readonly location: string };

/** Most nested `%25…` decodings before the daemon refuses a target. */
const maxDecodings = 4;

/** Reads a request target (RFC 9112 section 3.2): origin form, or absolute form, whose authority is ignored. */
export function readTarget(raw: string, blockInstance: boolean): Target {
  const origin = /^https?:\/\/[^/?#]*/i.exec(raw)?.[0] ?? '';
  const [rawPath = '', ...rest] = raw.slice(origin.length).split('#')[0]?.split('?') ?? [];
  const query = new URLSearchParams(rest.join('?'));
  const invalid = { route: 'invalid', path: rawPath, query } as const;
  const path = tryDecode(rawPath === '' && origin !== '' ? '/' : rawPath);
  if (path === undefined || !path.startsWith('/')) return invalid;

  const cleaned = clean(path);
  if (cleaned !== path) {
    const search = rest.length > 0 ? `?${rest.join('?')}` : '';
    return { route: 'redirect', location: encodeURI(cleaned).replaceAll(/[?#]/g, encodeURIComponent) + search };
  }
  if (/^\/metadata\/identity\/oauth2\/token/.test(lowerMetadata(path))) return { route: 'token', path, query };
  const folded = fold(path);
  // No path of the metadata endpoint has a back-slash, which some servers read as a slash.
  if (folded === undefined || path.includes('\\') || asksForToken(folded)) return invalid;
  if (path.startsWith('/host/token')) return { route: 'host', path, query };
  if (folded.includes('/host/token')) return invalid;
  // The machine's own identities: the daemon forwards none of these paths, whatever --metadata-paths has.
  if (/^\/metadata\/identity(\/|$)/.test(folded))
    return { route: folded === '/metadata/identity/info' ? 'info' : 'unknown', path, query };
  if (blockInstance && /\/metadata\/instance/.test(folded)) return { route: 'forbidden', path, query };
  return { route: 'passthrough', path: rawPath, query };
}

function lowerMetadata(path: string): string {
  return path.replace(/^\/metadata(?=\/)/i, '/metadata');
}

/** As a lenient server might read it: any depth of encoding, back-slashes, empty segments, parameters, letter case. */
function fold(path: string): string | undefined {
  let text = path;
  for (let depth = 0; /%[0-9a-f]{2}/i.test(text); depth++) {
    const decoded = depth < maxDecodings ? tryDecode(text) : undefined;
    if (decoded === undefined) return undefined;
    text = decoded;
  }
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
    .replaceAll(/[\x00-\x20\x7f]/g, '')
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '');
  return clean(plain);
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Without empty, `.` and `..` segments; a slash at the end stays. */
function clean(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const open = path.endsWith('/') && segments.length > 0;
  return `/${segments.join('/')}${open ? '/' : ''}`;
}

/** Whether `token` follows `oauth2` somewhere in the path. */
function asksForToken(folded: string): boolean {
  const at = folded.indexOf('oauth2');
  return at !== -1 && folded.includes('token', at);
}
