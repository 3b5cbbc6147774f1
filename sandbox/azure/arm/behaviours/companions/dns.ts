import { type BehaviourRow, synchronous } from '../../behaviour.ts';
import { makeCompanion } from './make-companion.ts';

/** The record that every zone has, with the values of Azure's reference. */
const startOfAuthority = {
  email: 'azureprivatedns-host.microsoft.com',
  expireTime: 2_419_200,
  host: 'azureprivatedns.net',
  minimumTtl: 10,
  refreshTime: 3600,
  retryTime: 300,
  serialNumber: 1,
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
  { type: 'Microsoft.Network/privateDnsZones/virtualNetworkLinks', matchesLate: true },
  {
    ...synchronous,
    type: 'Microsoft.Network/privateDnsZones/SOA',
    succeeded: '',
    etag: 'plain',
    remove: { status: 405 },
  },
];
