import { type Exchange, jsonBody, type Reply, refuse } from '../exchange.ts';
import { at, type Json, stringOf } from '../json.ts';
import type { Subscription } from '../state.ts';
import type { BehaviourContext } from './behaviour.ts';
import type { Behaviours } from './behaviours/index.ts';
import { endRegistration, registrationOf, startRegistration } from './features/provider-registration.ts';
import { page } from './paging.ts';
import { groupType } from './resources/resource-path.ts';
import type { ResourceStore } from './resources/resource-store.ts';
import { locations } from './write-checks.ts';

/** Tenants, subscriptions, locations, providers, resource lists and name checks; undefined for any other path. */
export function subscriptionDocuments(
  exchange: Exchange,
  context: BehaviourContext,
  behaviours: Behaviours,
  store: ResourceStore,
): Reply | undefined {
  const path = `/${exchange.segments.join('/')}`;
  const match = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('{}', '([^/]+)')}$`, 'i').exec(path)?.slice(1) as string[] | undefined;
  const subscription = (id: string | undefined) => context.state.subscriptions[id?.toLowerCase() ?? ''] as Subscription;
  const size = context.settings.pageSize;
  const get = exchange.method === 'GET';
  if (get && match('/tenants')) {
    return page(
      exchange,
      [{ id: `/tenants/${context.tenantId}`, tenantId: context.tenantId, displayName: 'Sandbox' }],
      size,
    );
  }
  if (get && match('/subscriptions')) {
    return page(exchange, Object.values(context.state.subscriptions).map(subscriptionView), size);
  }
  if (get && match('/providers'))
    return page(
      exchange,
      behaviours.namespaces().map((name) => provider(name, behaviours, context)),
      size,
    );
  let parts = match('/subscriptions/{}');
  if (get && parts) return { status: 200, body: subscriptionView(subscription(parts[0])) };
  parts = match('/subscriptions/{}/locations');
  if (get && parts)
    return page(
      exchange,
      locations.map((name) => location(parts?.[0] ?? '', name)),
      size,
    );
  parts = match('/subscriptions/{}/resourcegroups');
  if (get && parts) return page(exchange, byTag(exchange, store.list(groupType, `/subscriptions/${parts[0]}`)), size);
  parts = match('/subscriptions/{}(?:/resourcegroups/{})?/resources');
  if (get && parts) return page(exchange, resources(exchange, context, store, parts), size);
  parts = match('/subscriptions/{}/providers');
  if (get && parts) {
    const own = subscription(parts[0]);
    return page(
      exchange,
      behaviours.namespaces().map((name) => provider(name, behaviours, context, own)),
      size,
    );
  }
  parts = match('/subscriptions/{}/providers/Microsoft.Subscription/cancel');
  if (exchange.method === 'POST' && parts) {
    subscription(parts[0]).canceled = true;
    exchange.entry.effective = true;
    return { status: 200, body: { subscriptionId: parts[0] } };
  }
  parts = match('/subscriptions/{}/providers/{}(?:/(register|unregister))?');
  if (parts) return registration(exchange, subscription(parts[0]), parts[1] ?? '', parts[2], behaviours, context);
  parts = match('/subscriptions/{}/providers/(Microsoft.Storage|Microsoft.KeyVault)/checkNameAvailability');
  if (exchange.method === 'POST' && parts) return nameAvailability(exchange, context);
  return undefined;
}

const subscriptionView = ({ subscriptionId, tenantId, displayName, canceled = false }: Subscription): Json => ({
  id: `/subscriptions/${subscriptionId}`,
  authorizationSource: 'RoleBased',
  managedByTenants: [],
  subscriptionId,
  tenantId,
  displayName,
  state: canceled ? 'Disabled' : 'Enabled',
  subscriptionPolicies: {
    locationPlacementId: 'Public_2014-09-01',
    quotaId: 'PayAsYouGo_2014-09-01',
    spendingLimit: 'Off',
  },
});

const location = (subscriptionId: string, name: string): Json => ({
  id: `/subscriptions/${subscriptionId}/locations/${name}`,
  name,
  type: 'Region',
  displayName: name,
  regionalDisplayName: name,
  metadata: { regionType: 'Physical', regionCategory: 'Recommended' },
});

function provider(
  namespace: string,
  behaviours: Behaviours,
  { now, settings }: BehaviourContext,
  subscription?: Subscription,
): Json {
  const registration = subscription && registrationOf(subscription, namespace, now, settings);
  return {
    ...(subscription ? { id: `/subscriptions/${subscription.subscriptionId}/providers/${namespace}` } : {}),
    namespace,
    ...(registration ? { registrationPolicy: 'RegistrationRequired', registrationState: registration.state } : {}),
    resourceTypes: behaviours
      .ofNamespace(namespace)
      .map(({ type, apiVersions }) => typeView(type.slice(namespace.length + 1), apiVersions, registration?.locations)),
  };
}

const typeView = (
  resourceType: string,
  apiVersions: readonly string[] = ['2020-06-01'],
  usable: readonly string[] = locations,
): Json => ({
  resourceType,
  locations: usable,
  apiVersions: apiVersions.toReversed(),
  capabilities: 'SupportsTags, SupportsLocation',
});

function registration(
  exchange: Exchange,
  subscription: Subscription,
  namespace: string,
  verb: string | undefined,
  behaviours: Behaviours,
  context: BehaviourContext,
): Reply | undefined {
  if (verb === undefined && exchange.method !== 'GET') return undefined;
  if (verb !== undefined && exchange.method !== 'POST') return undefined;
  const name = behaviours.namespaces().find((known) => known.toLowerCase() === namespace.toLowerCase()) ?? namespace;
  if (!/^[a-z0-9.]+$/i.test(name))
    throw refuse(404, 'InvalidResourceNamespace', `The resource namespace '${name}' is invalid.`);
  const before = subscription.registered.includes(name.toLowerCase());
  if (verb) {
    if (verb.toLowerCase() === 'register') startRegistration(subscription, name, context.now);
    else endRegistration(subscription, name);
    exchange.entry.effective = before !== (verb.toLowerCase() === 'register');
  }
  const body = provider(name, behaviours, context, subscription);
  return { status: 200, body: { ...body, resourceTypes: [...(body['resourceTypes'] as Json[]), ...otherTypes(name)] } };

  /** Types that have no behaviour of their own are made by the first resource of them. */
  function otherTypes(namespace: string): Json[] {
    const known = new Set(behaviours.ofNamespace(namespace).map(({ type }) => type.toLowerCase()));
    const stored = Object.values(context.state.resources).map(({ type }) => type);
    return [...new Set(stored)]
      .filter((type) => type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`) && !known.has(type.toLowerCase()))
      .map((type) => typeView(type.slice(namespace.length + 1)));
  }
}

/** The terms of a `$filter` such as `name eq 'a' and tagName eq 'b'`; refuses what is neither that nor allowed here. */
function filterTerms(exchange: Exchange, allowed: readonly string[]): ReadonlyMap<string, string> {
  const filter = exchange.query.get('$filter');
  const terms = new Map<string, string>();
  for (const part of filter ? filter.split(/ and /i) : []) {
    const [, given = '', value = ''] = /^\s*(\w+) eq '([^']*)'\s*$/i.exec(part) ?? [];
    const name = allowed.find((each) => each.toLowerCase() === given.toLowerCase());
    if (name === undefined) {
      throw refuse(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`);
    }
    terms.set(name, value);
  }
  return terms;
}

/** Whether the item has the tag that the terms `tagName` and `tagValue` ask for. */
function isTagged(item: Json, terms: ReadonlyMap<string, string>): boolean {
  const name = terms.get('tagName');
  if (name === undefined) return true;
  const tags = (at(item, 'tags') ?? {}) as Json;
  return name in tags && (!terms.has('tagValue') || tags[name] === terms.get('tagValue'));
}

/** The one filter that lists of resource groups know. */
function byTag(exchange: Exchange, items: Json[]): Json[] {
  const terms = filterTerms(exchange, ['tagName', 'tagValue']);
  return items.filter((item) => isTagged(item, terms));
}

/** Top-level resources without their properties, as ARM's generic list gives them. */
function resources(
  exchange: Exchange,
  context: BehaviourContext,
  store: ResourceStore,
  [subscriptionId, group]: string[],
): Json[] {
  const wanted = filterTerms(exchange, ['resourceType', 'resourceGroup', 'name', 'location', 'tagName', 'tagValue']);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const fits = (value: unknown, term: string) => {
    const asked = wanted.get(term);
    return asked === undefined || same(stringOf(value), asked);
  };
  return Object.values(context.state.resources)
    .filter(({ type, body }) => type !== groupType && body['location'] !== undefined)
    .filter((resource) => same(resource.subscriptionId, subscriptionId ?? ''))
    .filter((resource) => !group || same(resource.resourceGroup ?? '', group))
    .filter(({ type, name }) => fits(type, 'resourceType') && fits(name, 'name'))
    .filter(
      ({ resourceGroup, body }) => fits(resourceGroup ?? '', 'resourceGroup') && fits(body['location'], 'location'),
    )
    .map((resource) => store.view(resource))
    .filter((item) => isTagged(item, wanted))
    .map(({ id, name: own, type: kind, location: where, tags, sku, kind: flavour, identity }) => ({
      id,
      name: own,
      type: kind,
      location: where,
      ...(tags === undefined ? {} : { tags }),
      ...(sku === undefined ? {} : { sku }),
      ...(flavour === undefined ? {} : { kind: flavour }),
      ...(identity === undefined ? {} : { identity }),
    }));
}

function nameAvailability(exchange: Exchange, context: BehaviourContext): Reply {
  const { name, type } = jsonBody(exchange);
  const wanted = stringOf(name).toLowerCase();
  const used =
    Object.values(context.state.resources).some(
      (resource) =>
        resource.type.toLowerCase() === stringOf(type).toLowerCase() && resource.name.toLowerCase() === wanted,
    ) || context.state.deletedVaults[wanted] !== undefined;
  return {
    status: 200,
    body: used
      ? { nameAvailable: false, reason: 'AlreadyExists', message: `The name '${String(name)}' is already taken.` }
      : { nameAvailable: true },
  };
}
