import { expected } from '../../base/errors.ts';

/**
 * A parsed ARM id. Levels: tenant (`/providers/…`), subscription, resource group, resource; a second `/providers/` makes
 * an extension resource of everything before it. Names keep their spelling; ids compare without regard to case.
 */
export interface ResourceId {
  readonly id: string;
  readonly subscriptionId: string | undefined;
  readonly resourceGroup: string | undefined;
  /** Microsoft.Network/virtualNetworks/subnets; Microsoft.Resources/subscriptions or …/resourceGroups for those. */
  readonly type: string;
  /** Microsoft.Network */
  readonly provider: string;
  /** One name per type segment. */
  readonly names: readonly string[];
  /** The last name; the subscription's id for a subscription. */
  readonly name: string;
  /** ARM id of the resource that an extension resource extends; undefined otherwise. */
  readonly scope: string | undefined;
}

/** Characters of an ARM id, as in the CRDs; a longer text is no ARM id. */
export const maxResourceIdLength = 2048;

/** Parses an id; throws AZ_CONFIG_INVALID, with the mistake in it. The tenant itself ('/') is no resource. */
export function parseResourceId(id: string): ResourceId {
  const parsed = parse(id);
  if (typeof parsed !== 'string') return parsed;
  const form = `like /subscriptions/…/resourceGroups/…/providers/<namespace>/<type>/<name> (${parsed})`;
  throw expected('resource id', form, shown(id));
}

/** Undefined for everything that is not understood in full: see `unusableIn`. Linear in the length of the id. */
export function tryParseResourceId(id: string): ResourceId | undefined {
  const parsed = parse(id);
  return typeof parsed === 'string' ? undefined : parsed;
}

/**
 * The path that a text is, without a slash at its end and in lower case; undefined for one that `unusableIn` refuses. '' for `/`.
 * Whether one path lies in another follows from these alone; the path of an id, of something below it, or of a part of it.
 */
export function tryNormalizePath(text: string): string | undefined {
  if (text === '/') return '';
  const segments = segmentsOf(text);
  return typeof segments === 'string' ? undefined : `/${segments.join('/')}`.toLowerCase();
}

/** The segments, or the mistake in the text. */
function segmentsOf(text: string): readonly string[] | string {
  if (text.length > maxResourceIdLength) return `it has ${text.length} of at most ${maxResourceIdLength} characters`;
  if (!text.startsWith('/')) return 'it does not begin with /';
  const segments = withoutSlash(text).slice(1).split('/');
  for (const each of segments) {
    const problem = unusableIn(each);
    if (problem !== undefined) return problem;
  }
  return segments;
}

/** The id, or the mistake in it. */
function parse(id: string): ResourceId | string {
  const segments = segmentsOf(id);
  if (typeof segments === 'string') return segments;
  const is = (index: number, word: string) => segments[index]?.toLowerCase() === word;

  const subscriptionId = is(0, 'subscriptions') ? segments[1] : undefined;
  if (subscriptionId !== undefined && !subscriptionForm.test(subscriptionId)) {
    return `\`${shown(subscriptionId)}\` is no id of a subscription`;
  }
  const resourceGroup = subscriptionId && is(2, 'resourcegroups') ? segments[3] : undefined;
  const scopeLength = resourceGroup ? 4 : subscriptionId ? 2 : 0;
  const common = { id: `/${segments.join('/')}`, subscriptionId, resourceGroup };
  if (segments.length === scopeLength && scopeLength > 0) {
    const name = (resourceGroup ?? subscriptionId) as string;
    const type = `Microsoft.Resources/${resourceGroup ? 'resourceGroups' : 'subscriptions'}`;
    return { ...common, type, provider: 'Microsoft.Resources', names: [name], name, scope: undefined };
  }
  if (!is(scopeLength, 'providers')) return 'it names no provider after the subscription or resource group';
  // Left to right, so that each level is read once: pairs of type and name, then another /providers/ or the end.
  let at = scopeLength;
  for (let next = at; next !== -1; next = nextProvider(segments, at)) {
    at = next;
    const problem = wrongLevel(segments, at);
    if (problem !== undefined) return problem;
  }
  const [provider, ...rest] = segments.slice(at + 1) as [string, ...string[]];
  const names = rest.filter((_, index) => index % 2 === 1);
  return {
    ...common,
    type: [provider, ...rest.filter((_, index) => index % 2 === 0)].join('/'),
    provider,
    names,
    name: names.at(-1) as string,
    scope: at > scopeLength ? `/${segments.slice(0, at).join('/')}` : undefined,
  };
}

/** Where the next level begins, after the one that begins at `at`; -1 at the last one. */
function nextProvider(segments: readonly string[], at: number): number {
  return segments.findIndex((segment, index) => index > at && segment.toLowerCase() === 'providers');
}

/** The problem of the level whose `providers` is at this index. */
function wrongLevel(segments: readonly string[], at: number): string | undefined {
  const next = nextProvider(segments, at);
  const [provider, ...rest] = segments.slice(at + 1, next === -1 ? undefined : next);
  if (provider === undefined || rest.length === 0 || rest.length % 2 !== 0) {
    return 'it does not have one name for each type';
  }
  const odd = [provider, ...rest.filter((_, index) => index % 2 === 0)].find((word) => !typeForm.test(word));
  return odd === undefined ? undefined : `\`${shown(odd)}\` is no namespace or type`;
}

const subscriptionForm = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;
const tenantForm = /^[0-9A-Za-z][0-9A-Za-z.-]{0,252}$/;
const typeForm = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/;

/**
 * The reason that a text is no segment of a path; undefined if it is one. Refused are characters with a meaning in a
 * URL (`?`, `#`, `%`, `\`, dots alone), characters that a URL drops (controls, spaces at the ends), and letters that
 * turn into ASCII in lower case, as two ids that Azure distinguishes would be one here.
 */
function unusableIn(segment: string): string | undefined {
  if (segment === '') return 'it has an empty segment';
  if (segment === '.' || segment === '..') return `it has the segment \`${segment}\``;
  const [found] = /[?#%\\/\p{C}\p{Zl}\p{Zp}\u0130\u212a]|[^\S ]/u.exec(segment) ?? [];
  if (found !== undefined) return `it contains ${JSON.stringify(found)}`;
  return segment !== segment.trim() ? 'it has a space at an end of a segment' : undefined;
}

/** Enough of a value for a message. */
function shown(value: string): string {
  return value.length > 300 ? `${value.slice(0, 300)}…` : value;
}

/** The id of a subscription, as it is; throws AZ_CONFIG_INVALID for a text that cannot be one. */
export function subscriptionIdOf(text: string, what = 'subscription'): string {
  if (subscriptionForm.test(text)) return text;
  throw expected(what, 'the id of a subscription: letters, digits and dashes', shown(text));
}

/** The id or domain of a tenant, as it is; throws AZ_CONFIG_INVALID for a text that cannot be one. */
export function tenantIdOf(text: string, what = 'tenant'): string {
  if (tenantForm.test(text)) return text;
  throw expected(what, 'the id or a domain of a tenant: letters, digits, dots and dashes', shown(text));
}

/** The ARM id of a subscription. Throws AZ_CONFIG_INVALID for no subscription id. */
export function subscriptionPath(subscriptionId: string): string {
  return `/subscriptions/${subscriptionIdOf(subscriptionId)}`;
}

/** The ARM id of a resource group. Throws AZ_CONFIG_INVALID for a part that no ARM id can have. */
export function resourceGroupPath(subscriptionId: string, resourceGroup: string): string {
  return `${subscriptionPath(subscriptionId)}/resourceGroups/${segment('resource group', resourceGroup)}`;
}

/**
 * The id of `type` with `names` under `scope`: a resource group or subscription for ordinary resources, '' for tenant
 * level, any resource's id for extension resources.
 */
export function resourcePath(scope: string, type: string, ...names: readonly string[]): string {
  const [provider, ...types] = type.split('/');
  if (!provider || types.length === 0 || types.length !== names.length) {
    throw expected('resource type', `a namespace and one type per name (${names.length})`, type);
  }
  const pairs = types.map((part, index) => `/${part}/${segment('resource name', names[index] ?? '')}`);
  return parseResourceId(`${withoutSlash(scope)}/providers/${provider}${pairs.join('')}`).id;
}

/** The id of a resource that is a child, of this type and name, of another resource. */
export function childPath(parent: string, type: string, name: string): string {
  return parseResourceId(`${withoutSlash(parent)}/${type}/${segment('resource name', name)}`).id;
}

/** Path of an action on a resource: `listKeys`, `config/appsettings/list`. Throws AZ_CONFIG_INVALID otherwise. */
export function actionPath(id: string, action: string): string {
  for (const each of action.split('/')) segment('action of a resource', each, action);
  return `${parseResourceId(id).id}/${action}`;
}

function withoutSlash(id: string): string {
  return id.endsWith('/') ? id.slice(0, -1) : id;
}

/** The id of the resource, extended resource, resource group or subscription above; undefined at the top. */
export function parentId(id: string): string | undefined {
  const parsed = parseResourceId(id);
  if (parsed.type === 'Microsoft.Resources/subscriptions') return undefined;
  if (parsed.names.length > 1 || /\/resourcegroups\/[^/]+$/i.test(parsed.id)) {
    return parsed.id.split('/').slice(0, -2).join('/');
  }
  return parsed.id.split('/').slice(0, -4).join('/') || undefined;
}

/** Whether two ids name one resource: case and a trailing slash do not count. */
export function sameResourceId(a: string, b: string): boolean {
  return normalizeResourceId(a) === normalizeResourceId(b);
}

/** The form to use as a key, of any text that is to be an id: it refuses nothing. Linear, unlike a pattern for the slashes. */
export function normalizeResourceId(id: string): string {
  let end = id.length;
  while (end > 0 && id[end - 1] === '/') end--;
  return id.slice(0, end).toLowerCase();
}

/** Names come from users and become path segments: one that could change the path is refused. */
function segment(what: string, value: string, whole = value): string {
  const problem = unusableIn(value);
  if (problem === undefined && value.toLowerCase() !== 'providers') return value;
  throw expected(
    what,
    `a name that can be one segment of a path (${problem ?? 'ARM reads it as a keyword'})`,
    shown(whole),
  );
}
