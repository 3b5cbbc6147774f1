import { type Exchange, jsonBody, type Reply } from '../../exchange.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { groupType } from '../resources/resource-path.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { isAllowed } from '../roles/access.ts';
import { runQuery } from './query.ts';
import { badQuery } from './query-errors.ts';

/** `Microsoft.ResourceGraph/resources`: the answer of a query over resources, groups and subscriptions. */
export function resourceGraph(exchange: Exchange, context: BehaviourContext, store: ResourceStore): Reply {
  const request = jsonBody(exchange);
  const options = objectOf(request['options']);
  const given = request['subscriptions'];
  const asked = Array.isArray(given) ? given.map((each) => stringOf(each).toLowerCase()) : undefined;
  const mine = ({ subscriptionId, id, type }: Json) => {
    if (asked && !asked.includes(stringOf(subscriptionId).toLowerCase())) return false;
    if (!context.settings.enforceRbac) return true;
    return isAllowed(context.state, exchange.entry.principalId ?? '', `${String(type)}/read`, stringOf(id));
  };
  const tables: Readonly<Record<string, () => Json[]>> = {
    resources: () => resources(context, store),
    resourcecontainers: () => containers(context),
  };
  const cache = new Map<string, Json[]>();
  const all = runQuery(stringOf(request['query']), (name) => {
    const rows = cache.get(name) ?? (Object.hasOwn(tables, name) ? tables[name]?.().filter(mine) : undefined);
    if (rows) cache.set(name, rows);
    return rows;
  });
  const start =
    Number(Buffer.from(stringOf(options['$skipToken']), 'base64url').toString()) || number(options, '$skip', 0);
  const size = Math.min(number(options, '$top', 100), 1000);
  const data = all.slice(start, start + size);
  const end = start + data.length;
  const more = end < all.length ? { $skipToken: Buffer.from(String(end)).toString('base64url') } : {};
  const asTable = stringOf(options['resultFormat']).toLowerCase() === 'table';
  const body = {
    totalRecords: all.length,
    count: data.length,
    data: asTable ? tableOf(data) : data,
    facets: [],
    resultTruncated: 'false',
    ...more,
  };
  return { status: 200, body };
}

function number(options: Json, name: string, usual: number): number {
  const value = options[name] ?? usual;
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
  throw badQuery(`the option ${name} is no whole number of at least 0`);
}

function tableOf(rows: readonly Json[]): Json {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const types: Readonly<Record<string, string>> = { number: 'integer', boolean: 'boolean', object: 'object' };
  const typeOf = (name: string) => types[typeof rows.find((row) => row[name] !== null)?.[name]] ?? 'string';
  const columns = names.map((name) => ({ name, type: typeOf(name) }));
  return { columns, rows: rows.map((row) => names.map((name) => row[name] ?? null)) };
}

/** Resource Graph shows types, groups and regions in lower case. */
function resources({ state, tenantId }: BehaviourContext, store: ResourceStore): Json[] {
  return [...state.resources]
    .filter(({ type, body }) => type !== groupType && body['location'] !== undefined)
    .map((resource) => {
      const { kind, location, sku, plan, properties, tags, identity, zones, managedBy } = store.view(resource);
      return {
        id: resource.id,
        name: resource.name,
        type: resource.type.toLowerCase(),
        tenantId,
        kind: kind ?? '',
        location: stringOf(location).toLowerCase(),
        resourceGroup: resource.resourceGroup?.toLowerCase() ?? '',
        subscriptionId: resource.subscriptionId,
        managedBy: managedBy ?? '',
        sku: sku ?? null,
        plan: plan ?? null,
        properties: properties ?? {},
        tags: tags ?? null,
        identity: identity ?? null,
        zones: zones ?? null,
        extendedLocation: null,
      };
    });
}

function containers({ state, tenantId }: BehaviourContext): Json[] {
  const subscriptions = Object.values(state.subscriptions).map(({ subscriptionId, displayName, tags = {} }) => ({
    id: `/subscriptions/${subscriptionId}`,
    name: displayName,
    type: 'microsoft.resources/subscriptions',
    tenantId,
    location: '',
    resourceGroup: '',
    subscriptionId,
    properties: { state: 'Enabled' },
    tags,
  }));
  const groups = state.resources.ofType(groupType).map(({ id, name, subscriptionId, body }) => ({
    id,
    name,
    type: 'microsoft.resources/subscriptions/resourcegroups',
    tenantId,
    location: stringOf(body['location']),
    resourceGroup: name.toLowerCase(),
    subscriptionId,
    properties: body['properties'] ?? {},
    tags: body['tags'] ?? null,
  }));
  return [...subscriptions, ...groups];
}
