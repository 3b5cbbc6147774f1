import { isObject } from '../../runtime/base/json.ts';
import { isHiddenName, isKnownName, isSecretName } from './hidden-names.ts';
import { Identifiers } from './identifiers.ts';

/** What is shown. plain: texts that look plain; unknown: structure, booleans, numbers; hidden: structure, booleans. */
type Level = 'plain' | 'unknown' | 'hidden';

/**
 * How much of a body is shown. open: members whose names are not those of secrets. resource: only `headMembers`, of the
 * body and of items in its lists. list: only `headMembers` of items, as a user may have chosen the other names.
 */
export type BodyKind = 'open' | 'resource' | 'list';

/** Where a value is in a body of which little is shown. */
type Place = 'top' | 'list' | 'item' | 'below';

const armId = /^\/(subscriptions|providers|tenants)(\/[\w.()\- ]+)*\/?$/i;
const plainText = /^[\w .,:;/()*+#'[\]&-]{0,200}$/;
const shownId = /^00000000-0000-0000-0000-[0-9a]{12}$/;
/** Members that a body may show where the others are hidden. */
const headMembers = /^(id|name|type|keyname|permissions|provisioningstate|status|location)$/i;
const queryParameters = /^(api-version|monitor|\$(expand|select|top|skip|orderby|filter)|force\w*|skipshutdown)$/i;
/** A text of OData, up to the end where its second quote is missing. */
const quotedText = /'(?:[^']|'')*(?:'|$)/g;
/** A shorter text would occur by chance. */
const leastSecret = 8;

/**
 * Takes out of a session what may identify or admit somebody. A text stays only in a member that a type of Azure has,
 * whose name is not that of a secret, and where it has the form of a name, a word, a time or an id. A secret that was
 * seen once is taken out everywhere.
 */
export class Redaction {
  readonly #identifiers = new Identifiers();
  readonly #secrets = new Set<string>();
  /** Names of resources, which may be of any form. */
  readonly #names = new Set<string>();

  /** Takes this text out of the whole session. */
  addSecret(text: string): void {
    const isWord = /^[A-Z]?[a-z]+$/.test(text) && text.length < 20;
    if (text.length >= leastSecret && !isWord) this.#secrets.add(text);
  }

  /** A decoded path. */
  path(path: string): string {
    for (const segment of path.split('/')) for (const piece of piecesOf(segment)) this.#names.add(piece);
    const segments = this.#identifiers.text(path).split('/');
    return segments.map((segment) => (webToken.test(segment) ? 'redacted' : segment)).join('/');
  }

  /** A query without `?`: parameters that Resource Manager itself has. */
  query(query: string): string {
    const shown = [...new URLSearchParams(query)].filter(([name]) => queryParameters.test(name));
    return shown.map(([name, value]) => `${name}=${this.#text(this.#filter(value), name, 'plain')}`).join('&');
  }

  /** The filter with its texts, which may name people, replaced; ids stay. */
  #filter(filter: string): string {
    return filter.replace(quotedText, (text) => {
      const shown = this.#identifiers.text(text.slice(1, -1));
      return armId.test(shown) || shownId.test(shown) ? text : "'redacted'";
    });
  }

  /** The path of a URL of an operation, or of a resource, with its api-version. */
  location(url: string): string {
    const { pathname, searchParams } = new URL(url, 'https://management.azure.com');
    const segments = this.#identifiers.text(pathname).split('/');
    const path = segments.map((segment) =>
      /^[\w.-]{0,90}$/.test(segment) && !this.#isRandom(segment) ? segment : 'op',
    );
    const version = searchParams.get('api-version');
    return `${path.join('/')}${version && /^[\w-]+$/.test(version) ? `?api-version=${version}` : ''}`;
  }

  etag(etag: string): string {
    return this.#identifiers.etag(etag);
  }

  /** A JSON body. */
  body(value: unknown, kind: BodyKind): unknown {
    return this.#value(value, '', kind === 'open' ? 'plain' : 'hidden', kind, 'top');
  }

  /** The value without the secrets that were seen in other places. */
  withoutSecrets(value: unknown): unknown {
    // A secret may be the beginning of a longer one.
    const longestFirst = [...this.#secrets].sort((a, b) => b.length - a.length);
    return without(value, longestFirst);
  }

  #value(value: unknown, name: string, level: Level, kind: BodyKind, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, name, level);
    if (typeof value === 'number') return level === 'hidden' ? 0 : value;
    if (Array.isArray(value)) {
      const inside = place === 'top' || place === 'list' ? 'item' : 'below';
      return value.map((item) => this.#value(item, name, level, kind, inside));
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([each, member]): [string, unknown] => {
      const inside = place === 'top' && Array.isArray(member) ? 'list' : 'below';
      const below = kind === 'open' ? openLevel(each, member, name, level) : headLevel(each, member, kind, place);
      return [this.#name(each), this.#value(member, each, below, kind, inside)];
    });
    return Object.fromEntries(entries);
  }

  #name(name: string): string {
    const shown = this.#identifiers.text(name);
    return armId.test(shown) || (plainText.test(shown) && !this.#isRandom(shown)) ? shown : 'redacted';
  }

  #text(text: string, name: string, level: Level): string {
    if (/^etag$/i.test(name)) return this.#identifiers.etag(text);
    const shown = this.#identifiers.text(text, name);
    if ((armId.test(shown) && !webToken.test(shown)) || shownId.test(shown) || shown === '') return shown;
    const address = level === 'plain' ? webAddress.exec(shown) : null;
    if (address && !this.#isRandom(address[0])) return shown === address[0] ? shown : `${address[0]}/redacted`;
    const isPlain = shown === 'user@example.com' || (plainText.test(shown) && !this.#isRandom(shown));
    if (level === 'plain' && isPlain) return shown;
    if (isSecretName(name) || (level === 'hidden' && !isPlain)) this.addSecret(text);
    return placeholder(text, name);
  }

  /** Whether a piece of the text looks made by chance, and is no name of a resource. */
  #isRandom(text: string): boolean {
    if (webToken.test(text)) return true;
    if (armId.test(text)) return false;
    return piecesOf(text).some((piece) => !this.#names.has(piece) && (random.test(piece) || piece.length >= 30));
  }
}

function without(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, 'redacted'), value);
  if (Array.isArray(value)) return value.map((item) => without(item, secrets));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [without(name, secrets), without(member, secrets)]);
  return Object.fromEntries(entries);
}

function openLevel(name: string, value: unknown, parent: string, level: Level): Level {
  if (level !== 'plain') return level;
  // The words of an access policy, by what they are about.
  if (/^permissions$/i.test(parent)) return 'plain';
  const isList = name.toLowerCase() === 'value' && Array.isArray(value) && value.every(isObject);
  if (!isList && isHiddenName(name)) return 'hidden';
  return isKnownName(name) || armId.test(name) ? 'plain' : 'unknown';
}

function headLevel(name: string, value: unknown, kind: BodyKind, place: Place): Level {
  const isHead = place === 'item' || (place === 'top' && kind === 'resource');
  return isHead && typeof value === 'string' && headMembers.test(name) ? 'plain' : 'hidden';
}

const random = /^(?=.*\d)(?=.*[a-z])[a-z0-9]{20,}$/i;
/** Scheme and host: what comes after them may admit somebody. */
const webAddress = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?(?:\/$|(?=[/?#]|$))/i;
const webToken = /eyJ[\w-]{8}/;
const piecesOf = (text: string) => text.split(/[^A-Za-z0-9]+/);

/** A value of the same form, which passes the checks of the sandbox. */
function placeholder(text: string, name: string): string {
  if (/pass|pwd/i.test(name)) return 'Redacted-1234!';
  return text.length >= 16 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
    ? 'cmVkYWN0ZWQ='
    : 'redacted';
}
