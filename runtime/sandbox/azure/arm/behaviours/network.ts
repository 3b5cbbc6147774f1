import { stringOf } from '../../json.ts';
import type { Behaviour } from '../behaviour.ts';

const write = { poll: 'status', word: 'Updating', retryAfterSeconds: 3, minimalStatus: true } as const;

/** Microsoft.Network: 201 or 200 with Azure-AsyncOperation, status documents of one member, weak etags. */
const network = {
  create: { status: 201, ...write },
  update: { status: 200, ...write },
  remove: { status: 202, poll: 'both', retryAfterSeconds: 10, final: 204 },
  etag: true,
} as const satisfies Partial<Behaviour>;

const guid: Behaviour['computed'] = ({ system, ids }) => {
  system['resourceGuid'] ??= ids.uuid();
  return { properties: { resourceGuid: system['resourceGuid'] } };
};

export const networkBehaviours: readonly Behaviour[] = [
  {
    ...network,
    type: 'Microsoft.Network/virtualNetworks',
    embeds: [{ member: 'subnets', childType: 'subnets' }],
    defaults: () => ({
      properties: { virtualNetworkPeerings: [], enableDdosProtection: false, privateEndpointVNetPolicies: 'Disabled' },
    }),
    computed: guid,
  },
  {
    ...network,
    type: 'Microsoft.Network/virtualNetworks/subnets',
    defaults: () => ({
      properties: {
        delegations: [],
        privateEndpointNetworkPolicies: 'Disabled',
        privateLinkServiceNetworkPolicies: 'Enabled',
      },
    }),
  },
  {
    ...network,
    type: 'Microsoft.Network/networkInterfaces',
    create: { status: 201 },
    update: { status: 200 },
    defaults: () => ({
      properties: {
        dnsSettings: { dnsServers: [], appliedDnsServers: [] },
        enableAcceleratedNetworking: false,
        enableIPForwarding: false,
      },
    }),
    computed: guid,
  },
  {
    ...network,
    type: 'Microsoft.Network/publicIPAddresses',
    defaults: ({ request }) => ({
      sku: { name: 'Basic', tier: 'Regional' },
      properties: {
        publicIPAddressVersion: 'IPv4',
        publicIPAllocationMethod: 'Dynamic',
        idleTimeoutInMinutes: 4,
        ipTags: [],
      },
      location: stringOf(request['location']),
    }),
    computed: guid,
  },
  {
    ...network,
    type: 'Microsoft.Network/networkSecurityGroups',
    embeds: [{ member: 'securityRules', childType: 'securityRules' }],
    computed: guid,
  },
  { ...network, type: 'Microsoft.Network/networkSecurityGroups/securityRules' },
];
