import { type BehaviourRow, synchronous } from '../../behaviour.ts';
import { makeCompanion } from './make-companion.ts';

/** The record that every private zone has, with the values of Azure's reference. */
const startOfAuthority = {
  email: 'azureprivatedns-host.microsoft.com',
  expireTime: 2_419_200,
  host: 'azureprivatedns.net',
  minimumTtl: 10,
  refreshTime: 3600,
  retryTime: 300,
  serialNumber: 1,
};

/** Where a public zone is served. */
const nameServers = [
  'ns1-01.azure-dns.com.',
  'ns2-01.azure-dns.net.',
  'ns3-01.azure-dns.org.',
  'ns4-01.azure-dns.info.',
];

/** The records that Azure makes with a public zone, by their types. */
const publicRecords = {
  SOA: {
    TTL: 3600,
    SOARecord: {
      email: 'azuredns-hostmaster.microsoft.com',
      expireTime: 2_419_200,
      host: nameServers[0],
      minimumTTL: 300,
      refreshTime: 3600,
      retryTime: 300,
      serialNumber: 1,
    },
  },
  NS: { TTL: 172_800, NSRecords: nameServers.map((nsdname) => ({ nsdname })) },
};

const recordTypes = ['SOA', 'A', 'AAAA', 'CNAME', 'MX', 'PTR', 'SRV', 'TXT'];

/** Private DNS accepts each write, and looks at its If-Match only in the operation. */
export const dnsBehaviours: readonly BehaviourRow[] = [
  {
    type: 'Microsoft.Network/privateDnsZones',
    matchesLate: true,
    collections: { all: recordTypes },
    written: ({ id, name }, context) => {
      const properties = { fqdn: `${name}.`, isAutoRegistered: false, ttl: 3600, soaRecord: startOfAuthority };
      makeCompanion(`${id}/SOA/@`, { properties }, context);
    },
  },
  {
    type: 'Microsoft.Network/dnsZones',
    computed: () => ({ properties: { nameServers } }),
    written: ({ id, name }, context) => {
      for (const [type, record] of Object.entries(publicRecords)) {
        const properties = { fqdn: `${name}.`, targetResource: {}, provisioningState: 'Succeeded', ...record };
        makeCompanion(`${id}/${type}/@`, { properties }, context);
      }
    },
  },
  { type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks', matchesLate: true },
  ...['privateDnsZones/SOA', 'dnsZones/SOA'].map((type) => ({
    ...synchronous,
    type: `Microsoft.Network/${type}`,
    succeeded: '',
    etag: 'plain' as const,
    remove: { status: 405 as const },
  })),
];
