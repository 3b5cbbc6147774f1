import { isObject } from '../../../../../runtime/base/json.ts';
import { refuse } from '../../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../../json.ts';
import type { BehaviourContext, BehaviourRow, WriteContext } from '../../behaviour.ts';
import type { StoredResource } from '../../resources/stored-resources.ts';
import { makeCompanion } from './make-companion.ts';

/** The throughput of a Cosmos DB container that was made with one. */
function throughputWritten(resource: StoredResource, context: BehaviourContext): void {
  const options = objectOf(at(resource.system['request'], 'properties.options'));
  const settings = objectOf(options['autoscaleSettings']);
  const throughput = options['throughput'] ?? settings['maxThroughput'];
  if (throughput === undefined) return;
  const autoscale = options['throughput'] === undefined ? { autoscaleSettings: settings } : {};
  const shown = { throughput: Number(throughput), minimumThroughput: '400', offerReplacePending: '', ...autoscale };
  makeCompanion(`${resource.id}/throughputSettings/default`, { properties: { resource: shown } }, context);
}

const throughputTypes = [
  'sqlDatabases',
  'sqlDatabases/containers',
  'mongodbDatabases',
  'mongodbDatabases/collections',
  'tables',
  'gremlinDatabases',
  'gremlinDatabases/graphs',
  'cassandraKeyspaces',
  'cassandraKeyspaces/tables',
].map((type) => ({ type: `Microsoft.DocumentDB/databaseAccounts/${type}`, written: throughputWritten }));

/** The caches of a link: each shows the other one. */
function otherLink({ id, body }: StoredResource): string {
  const [cache = ''] = id.split(/\/linkedServers\//i);
  return `${stringOf(at(body, 'properties.linkedRedisCacheId'))}/linkedServers/${cache.split('/').at(-1)}`;
}

function linkWritten(link: StoredResource, context: BehaviourContext): void {
  const [cache = ''] = link.id.split(/\/linkedServers\//i);
  const isPrimary = at(link.body, 'properties.serverRole') === 'Primary';
  const properties = {
    linkedRedisCacheId: cache,
    linkedRedisCacheLocation: stringOf(context.state.resources.get(cache)?.body['location']),
    serverRole: isPrimary ? 'Secondary' : 'Primary',
    provisioningState: 'Succeeded',
  };
  makeCompanion(otherLink(link), { properties }, context);
}

/** The ids that a failover group has on its partner servers. */
function partnerGroups({ name, body }: StoredResource): string[] {
  const partners = at(body, 'properties.partnerServers');
  return (Array.isArray(partners) ? partners.filter(isObject) : []).map(
    ({ id }) => `${String(id)}/failoverGroups/${name}`,
  );
}

function failoverWritten(group: StoredResource, context: BehaviourContext): void {
  const [server = ''] = group.id.split(/\/failoverGroups\//i);
  const databases = at(group.body, 'properties.databases');
  for (const partner of partnerGroups(group)) {
    const properties = {
      ...objectOf(group.body['properties']),
      replicationRole: 'Secondary',
      partnerServers: [{ id: server, replicationRole: 'Primary' }],
    };
    makeCompanion(partner, { ...group.body, properties }, context);
    for (const id of Array.isArray(databases) ? databases.map(String) : []) {
      const copy = `${partner.split(/\/failoverGroups\//i)[0]}/databases/${id.split('/').at(-1)}`;
      const database = context.state.resources.get(id);
      if (database) makeCompanion(copy, structuredClone(database.body), context);
    }
  }
}

const cacheSkus = ['basic', 'standard', 'premium'];

/** A cache keeps its sku or gets a higher one. */
function checkCacheSku({ request, existing }: WriteContext): void {
  const [now, before] = [request, existing?.system['request']].map((body) =>
    cacheSkus.indexOf(stringOf(at(body, 'properties.sku.name')).toLowerCase()),
  ) as [number, number];
  if (now >= before || now < 0) return;
  const name = stringOf(at(request, 'properties.sku.name'));
  throw refuse(400, 'BadRequest', `Invalid update request: properties.sku.name cannot be updated to ${name}.`);
}

/** The regions of an account with their endpoints; the one with the lowest priority takes writes. */
function regionsOf({ request, path }: WriteContext): Json {
  const listed = at(request, 'properties.locations');
  const regions = (Array.isArray(listed) ? listed.filter(isObject) : []).map((region, index) => {
    const locationName = stringOf(region['locationName']);
    const id = `${path.name.toLowerCase()}-${locationName.toLowerCase().replaceAll(' ', '')}`;
    const failoverPriority = Number(region['failoverPriority'] ?? index);
    return { id, locationName, failoverPriority, isZoneRedundant: region['isZoneRedundant'] === true };
  });
  if (regions.length === 0) return {};
  const sorted = regions.sort((a, b) => a.failoverPriority - b.failoverPriority);
  const shown = sorted.map((region) => ({
    ...region,
    documentEndpoint: `https://${region.id}.documents.azure.com:443/`,
    provisioningState: 'Succeeded',
  }));
  const isMultiple = at(request, 'properties.enableMultipleWriteLocations') === true;
  return {
    properties: {
      locations: shown,
      readLocations: shown,
      writeLocations: isMultiple ? shown : shown.slice(0, 1),
      failoverPolicies: sorted.map(({ id, locationName, failoverPriority }) => ({
        id,
        locationName,
        failoverPriority,
      })),
    },
  };
}

/** A database in a pool has the edition of the pool. */
function editionOfPool({ path, request, state }: WriteContext): Json {
  const name = stringOf(at(request, 'properties.elasticPoolName'));
  const edition = name && at(state.resources.get(`${path.parentId}/elasticPools/${name}`)?.body, 'properties.edition');
  if (!edition) return {};
  return { properties: { edition, readScale: edition === 'Premium' ? 'Enabled' : 'Disabled' } };
}

/** Microsoft.Sql, Microsoft.DocumentDB and Microsoft.Cache: what they make beside the resource of a request. */
export const databaseBehaviours: readonly BehaviourRow[] = [
  ...throughputTypes,
  { type: 'Microsoft.DocumentDB/databaseAccounts', computed: regionsOf },
  { type: 'Microsoft.Sql/servers/databases', computed: editionOfPool },
  {
    type: 'Microsoft.Sql/servers/databases/transparentDataEncryption',
    implicit: ({ name }) =>
      name.toLowerCase() === 'current' ? { properties: { state: 'Enabled', status: 'Enabled' } } : undefined,
  },
  {
    type: 'Microsoft.Sql/servers/failoverGroups',
    written: failoverWritten,
    removed: (group, { state }) => {
      for (const id of partnerGroups(group)) state.resources.delete(id);
    },
  },
  { type: 'Microsoft.Cache/redis', validate: checkCacheSku },
  {
    type: 'Microsoft.Cache/redis/linkedServers',
    written: linkWritten,
    removed: (link, { state }) => state.resources.delete(otherLink(link)),
  },
  {
    type: 'Microsoft.Cache/redis/patchSchedules',
    emptyList: ({ name }) =>
      refuse(404, 'ResourceNotFound', `There are no patch schedules found for redis cache '${name}'.`),
  },
];
