import { at, type Json, objectOf } from '../../json.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';

/** A member of `properties` that counts other resources; what was recorded of it counts the parts without a write. */
interface Count {
  readonly member: string;
  /** Types of children, or the types whose `by` names the resource. */
  readonly types: readonly string[];
  /** Dotted path of the reference. */
  readonly by?: string;
  /** Dotted path of a boolean that those counted have. */
  readonly only?: string;
}

const records = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'PTR', 'SRV', 'TXT'];
const privateZone = 'Microsoft.Network/privateDnsZones';
const links = [`${privateZone}/virtualNetworkLinks`];

/** By the type that shows the member, in lower case. */
const counts: Readonly<Record<string, readonly Count[]>> = {
  'microsoft.network/dnszones': [
    { member: 'numberOfRecordSets', types: records.map((type) => `Microsoft.Network/dnsZones/${type}`) },
  ],
  'microsoft.network/privatednszones': [
    { member: 'numberOfRecordSets', types: records.map((type) => `${privateZone}/${type}`) },
    { member: 'numberOfVirtualNetworkLinks', types: links },
    {
      member: 'numberOfVirtualNetworkLinksWithRegistration',
      types: links,
      only: 'properties.registrationEnabled',
    },
  ],
  'microsoft.servicebus/namespaces/topics': [
    { member: 'subscriptionCount', types: ['Microsoft.ServiceBus/namespaces/topics/subscriptions'] },
  ],
  'microsoft.web/serverfarms': [
    {
      member: 'numberOfSites',
      types: ['Microsoft.Web/sites', 'Microsoft.Web/sites/slots'],
      by: 'properties.serverFarmId',
    },
  ],
};

/** Counts the children of a resource, and the resources that refer to it, in the members for these counts. */
export function addCounts(
  shown: Json,
  { id, type }: Pick<StoredResource, 'id' | 'type'>,
  resources: StoredResources,
): void {
  for (const { member, types, by, only } of counts[type.toLowerCase()] ?? []) {
    const before = at(shown, `properties.${member}`);
    if (typeof before !== 'number') continue;
    const key = id.toLowerCase();
    const counted = types
      .flatMap((each) => resources.ofType(each))
      .filter(({ id: child, body }) =>
        by === undefined ? child.toLowerCase().startsWith(`${key}/`) : String(at(body, by)).toLowerCase() === key,
      )
      .filter(({ body }) => only === undefined || at(body, only) === true);
    shown['properties'] = { ...objectOf(shown['properties']), [member]: before + counted.length };
  }
}
