import { type Exchange, jsonBody, type Reply, refuse } from '../exchange.ts';
import { at, type Json, stringOf } from '../json.ts';
import type { Subscription } from '../state.ts';
import type { BehaviourContext } from './behaviour.ts';
import type { Behaviours } from './behaviours/index.ts';
import { endRegistration, registrationOf, startRegistration } from './features/provider-registration.ts';
import { activityLog, eventCategories } from './governance/activity-log.ts';
import { page } from './paging.ts';
import { resourceGraph } from './resource-graph/documents.ts';
import { groupType } from './resources/resource-path.ts';
import type { ResourceStore } from './resources/resource-store.ts';
import { webAppStacks } from './web/app-stacks.ts';
import { locations } from './write-checks.ts';

/** A request with the parts that its path holds in the places of `{}`; '' for a part that is absent. */
interface DocumentRequest {
  readonly exchange: Exchange;
  readonly parts: readonly string[];
  /** The subscription of the first part. */
  readonly subscription: Subscription;
  readonly context: BehaviourContext;
  readonly behaviours: Behaviours;
  readonly store: ResourceStore;
}

type Route = readonly [method: 'GET' | 'POST', path: RegExp, reply: (request: DocumentRequest) => Reply];

const routes: readonly Route[] = [
  route('GET', '/tenants', ({ exchange, context: { tenantId, settings } }) => {
    const tenant = { id: `/tenants/${tenantId}`, tenantId, displayName: 'Sandbox' };
    return page(exchange, [tenant], settings.pageSize);
  }),
  route('GET', '/subscriptions', (request) =>
    paged(request, Object.values(request.context.state.subscriptions).map(subscriptionView)),
  ),
  route('GET', '/providers', (request) => paged(request, providers(request))),
  route('GET', '/subscriptions/{}', ({ subscription }) => ({ status: 200, body: subscriptionView(subscription) })),
  route('GET', '/subscriptions/{}/locations', (request) =>
    paged(
      request,
      locations.map((name) => location(request.parts[0] ?? '', name)),
    ),
  ),
  route('GET', '/subscriptions/{}/resourcegroups', (request) => {
    const groups = request.store.list(groupType, `/subscriptions/${request.parts[0]}`);
    return paged(request, byTag(request.exchange, groups));
  }),
  route('GET', '/subscriptions/{}(?:/resourcegroups/{})?/resources', (request) => paged(request, resources(request))),
  route('GET', '/subscriptions/{}/providers', (request) => paged(request, providers(request, request.subscription))),
  route('POST', '/subscriptions/{}/providers/Microsoft.Subscription/cancel', ({ exchange, parts, subscription }) => {
    subscription.canceled = true;
    exchange.entry.effective = true;
    return { status: 200, body: { subscriptionId: parts[0] ?? '' } };
  }),
  route('GET', '/subscriptions/{}/providers/{}', registrationView),
  route('POST', '/subscriptions/{}/providers/{}/(register|unregister)', changeRegistration),
  route('POST', '(?:/subscriptions/{})?/providers/{}/checkNameAvailability', nameAvailability),
  route('POST', '/providers/Microsoft.ResourceGraph/resources', ({ exchange, context, store }) =>
    resourceGraph(exchange, context, store),
  ),
  route('GET', '/providers/Microsoft.Web(?:/locations/{})?/webAppStacks', (request) =>
    paged(request, webAppStacks(request.exchange.query.get('stackOsType'))),
  ),
  route('GET', '/providers/Microsoft.Insights/eventcategories', (request) => paged(request, eventCategories)),
  route('GET', '/subscriptions/{}/providers/Microsoft.Insights/eventtypes/management/values', (request) =>
    paged(request, activityLog(request.exchange, request.parts[0] ?? '', request.context)),
  ),
];

function route(method: Route[0], pattern: string, reply: Route[2]): Route {
  return [method, new RegExp(`^${pattern.replaceAll('{}', '([^/]+)')}$`, 'i'), reply];
}

/** Tenants, subscriptions, locations, providers, resource lists and name checks; undefined for any other path. */
export function subscriptionDocuments(
  exchange: Exchange,
  context: BehaviourContext,
  behaviours: Behaviours,
  store: ResourceStore,
): Reply | undefined {
  const path = `/${exchange.segments.join('/')}`;
  for (const [method, pattern, reply] of routes) {
    if (method !== exchange.method) continue;
    const match = pattern.exec(path);
    if (!match) continue;
    const parts = match.slice(1).map((part: string | undefined) => part ?? '');
    const subscription = context.state.subscriptions[parts[0]?.toLowerCase() ?? ''] as Subscription;
    return reply({ exchange, parts, subscription, context, behaviours, store });
  }
  return undefined;
}

function paged({ exchange, context }: DocumentRequest, items: Json[]): Reply {
  return page(exchange, items, context.settings.pageSize);
}

function providers({ behaviours, context }: DocumentRequest, subscription?: Subscription): Json[] {
  return behaviours.namespaces().map((name) => provider(name, behaviours, context, subscription));
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

function changeRegistration(request: DocumentRequest): Reply {
  const { exchange, parts, subscription, context } = request;
  const name = providerName(request);
  const register = parts[2]?.toLowerCase() === 'register';
  exchange.entry.effective = subscription.registered.includes(name.toLowerCase()) !== register;
  if (register) startRegistration(subscription, name, context.now);
  else endRegistration(subscription, name);
  return registrationView(request);
}

function registrationView(request: DocumentRequest): Reply {
  const { behaviours, context, subscription } = request;
  const name = providerName(request);
  const body = provider(name, behaviours, context, subscription);
  const resourceTypes = [...(body['resourceTypes'] as Json[]), ...otherTypes(request, name)];
  return { status: 200, body: { ...body, resourceTypes } };
}

/** The namespace of the path in its usual case. Throws 404 for a text that can be no namespace. */
function providerName({ behaviours, parts: [, given = ''] }: DocumentRequest): string {
  const name = behaviours.namespaces().find((known) => known.toLowerCase() === given.toLowerCase()) ?? given;
  if (/^[a-z0-9.]+$/i.test(name)) return name;
  throw refuse(404, 'InvalidResourceNamespace', `The resource namespace '${name}' is invalid.`);
}

/** Types without a behaviour of their own: the provider has those of which a resource exists. */
function otherTypes({ behaviours, context }: DocumentRequest, namespace: string): Json[] {
  const known = new Set(behaviours.ofNamespace(namespace).map(({ type }) => type.toLowerCase()));
  const stored = [...context.state.resources].map(({ type }) => type);
  return [...new Set(stored)]
    .filter((type) => type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`) && !known.has(type.toLowerCase()))
    .map((type) => typeView(type.slice(namespace.length + 1)));
}

/** The terms of a `$filter` such as `name eq 'a' and tagName eq 'b'`; refuses other forms and other names. */
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
function resources({ exchange, context, store, parts: [subscriptionId, group] }: DocumentRequest): Json[] {
  const wanted = filterTerms(exchange, ['resourceType', 'resourceGroup', 'name', 'location', 'tagName', 'tagValue']);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const fits = (value: unknown, term: string) => {
    const asked = wanted.get(term);
    return asked === undefined || same(stringOf(value), asked);
  };
  return [...context.state.resources]
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

/** Some providers take the type without their namespace, or mean their only one. */
function nameAvailability({ exchange, parts, context }: DocumentRequest): Reply {
  const { name, type } = jsonBody(exchange);
  const wanted = stringOf(name).toLowerCase();
  const named = stringOf(type) || 'namespaces';
  const fullType = named.includes('/') ? named : `${parts[1]}/${named}`;
  const used =
    context.state.resources.ofType(fullType).some((resource) => resource.name.toLowerCase() === wanted) ||
    context.state.deletedVaults[wanted] !== undefined;
  return {
    status: 200,
    body: used
      ? { nameAvailable: false, reason: 'AlreadyExists', message: `The name '${String(name)}' is already taken.` }
      : { nameAvailable: true },
  };
}
