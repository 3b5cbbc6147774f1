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
  /** What an extension resource extends; undefined otherwise. */
  readonly scope: string | undefined;
}

/** Parses an id; throws AZ_CONFIG_INVALID when it is none. The tenant itself ('/') is no resource. */
export function parseResourceId(id: string): ResourceId {
  const parsed = tryParseResourceId(id);
  if (!parsed)
    throw expected('resource id', 'like /subscriptions/…/resourceGroups/…/providers/<namespace>/<type>/<name>', id);
  return parsed;
}

export function tryParseResourceId(id: string): ResourceId | undefined {
  if (!id.startsWith('/') || /[?#\\\p{Cc}]|\/\.{1,2}(\/|$)/u.test(id)) return undefined;
  const segments = id.replace(/\/$/, '').slice(1).split('/');
  if (segments.some((segment) => segment === '')) return undefined;
  const is = (index: number, word: string) => segments[index]?.toLowerCase() === word;

  const subscriptionId = is(0, 'subscriptions') ? segments[1] : undefined;
  const resourceGroup = subscriptionId && is(2, 'resourcegroups') ? segments[3] : undefined;
  const scopeLength = resourceGroup ? 4 : subscriptionId ? 2 : 0;
  const common = { id: `/${segments.join('/')}`, subscriptionId, resourceGroup };
  if (segments.length === scopeLength && scopeLength > 0) {
    const name = (resourceGroup ?? subscriptionId) as string;
    const type = `Microsoft.Resources/${resourceGroup ? 'resourceGroups' : 'subscriptions'}`;
    return { ...common, type, provider: 'Microsoft.Resources', names: [name], name, scope: undefined };
  }
  const last = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  if (last < scopeLength) return undefined;
  if (!is(scopeLength, 'providers')) return undefined;
  const [provider, ...rest] = segments.slice(last + 1);
  if (!provider || rest.length === 0 || rest.length % 2 !== 0) return undefined;
  if (last > scopeLength && !tryParseResourceId(`/${segments.slice(0, last).join('/')}`)) return undefined;
  const names = rest.filter((_, index) => index % 2 === 1);
  return {
    ...common,
    type: [provider, ...rest.filter((_, index) => index % 2 === 0)].join('/'),
    provider,
    names,
    name: names.at(-1) as string,
    scope: last > scopeLength ? `/${segments.slice(0, last).join('/')}` : undefined,
  };
}

export function subscriptionPath(subscriptionId: string): string {
  return `/subscriptions/${segment('subscription', subscriptionId)}`;
}

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
  return `${scope.replace(/\/$/, '')}/providers/${provider}${pairs.join('')}`;
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

/** The form to use as a key. */
export function normalizeResourceId(id: string): string {
  let end = id.length;
  while (end > 0 && id[end - 1] === '/') end--;
  return id.slice(0, end).toLowerCase();
}

/** Names come from users and become path segments: one that could change the path is refused. */
function segment(what: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || /[/?#\\%\p{Cc}]/u.test(value)) {
    throw expected(what, 'a name that can be one segment of a path', value);
  }
  return value;
}
