import { at, type Json, objectOf, stringOf } from '../../json.ts';
import { freeAddress } from '../answers/private-addresses.ts';
import type { Behaviour, WriteContext } from '../behaviour.ts';

const write = { poll: 'status', word: 'Updating', retryAfterSeconds: 3, minimalStatus: true } as const;

/** Microsoft.Network: 201 or 200 with Azure-AsyncOperation, status documents of one member, weak etags. */
const network = {
  create: { status: 201, ...write },
  update: { status: 200, ...write },
  remove: { status: 202, poll: 'both', retryAfterSeconds: 10, final: 204 },
  etag: true,
} as const satisfies Partial<Behaviour>;

/** One write at a time to the resource and its children; others get 429. */
const oneAtATime = {
  busyWithChildren: 'provisioningState',
  busy: {
    status: 429,
    code: 'AnotherOperationInProgress',
    message: 'Another operation on this or dependent resource is in progress.',
  },
} as const satisfies Partial<Behaviour>;

const guid: Behaviour['computed'] = ({ system, ids }) => {
  system['resourceGuid'] ??= ids.uuid();
  return { properties: { resourceGuid: system['resourceGuid'] } };
};

/** The interface that Azure makes for a private endpoint, with the address it gave out. */
function endpointInterface({ path, state, now, request }: WriteContext): string {
  const id = `${path.scope}/providers/Microsoft.Network/networkInterfaces/${path.name}.nic`;
  if (state.resources.get(id)) return id;
  const subnet = at(request, 'properties.subnet');
  const address = freeAddress(stringOf(at(subnet, 'id')), state.resources) ?? '10.0.0.4';
  const properties = { primary: true, privateIPAddress: address, privateIPAllocationMethod: 'Dynamic', subnet };
  state.resources.set({
    id,
    name: `${path.name}.nic`,
    type: 'Microsoft.Network/networkInterfaces',
    subscriptionId: path.subscriptionId ?? '',
    ...(path.resourceGroup ? { resourceGroup: path.resourceGroup } : {}),
    body: {
      location: request['location'],
      properties: {
        provisioningState: 'Succeeded',
        ipConfigurations: [{ name: 'privateEndpointIpConfig', properties }],
        privateEndpoint: { id: path.id },
      },
    },
    system: {},
    createdAt: now,
    changedAt: now,
  });
  return id;
}

/** Connections to somebody else's service wait for that one's approval. */
function manualConnections({ request, existing }: WriteContext): Json[] {
  const path = 'properties.manualPrivateLinkServiceConnections';
  const before = (at(existing?.body, path) ?? []) as Json[];
  return ((at(request, path) ?? []) as Json[]).map((connection) => {
    const old = before.find(({ name }) => name === connection['name']);
    const state = { status: 'Pending', description: 'Awaiting approval', actionsRequired: 'None' };
    const known = objectOf(at(old, 'properties.privateLinkServiceConnectionState'));
    const sent = objectOf(at(connection, 'properties.privateLinkServiceConnectionState'));
    const properties = {
      ...objectOf(connection['properties']),
      privateLinkServiceConnectionState: { ...state, ...known, ...sent },
    };
    return { ...connection, properties };
  });
}

/** Microsoft.Network. */
export const networkBehaviours: readonly Behaviour[] = [
  {
    ...network,
    ...oneAtATime,
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
    ...oneAtATime,
    type: 'Microsoft.Network/networkSecurityGroups',
    embeds: [{ member: 'securityRules', childType: 'securityRules' }],
    computed: guid,
  },
  { ...network, type: 'Microsoft.Network/networkSecurityGroups/securityRules' },
  {
    ...network,
    ...oneAtATime,
    type: 'Microsoft.Network/routeTables',
    embeds: [{ member: 'routes', childType: 'routes' }],
    computed: guid,
  },
  { ...network, type: 'Microsoft.Network/routeTables/routes' },
  {
    ...network,
    ...oneAtATime,
    type: 'Microsoft.Network/loadBalancers',
    embeds: [{ member: 'inboundNatRules', childType: 'inboundNatRules' }],
    computed: guid,
  },
  { ...network, type: 'Microsoft.Network/loadBalancers/inboundNatRules' },
  {
    ...network,
    type: 'Microsoft.Network/privateEndpoints',
    computed: (context) => ({
      properties: {
        networkInterfaces: [{ id: endpointInterface(context) }],
        manualPrivateLinkServiceConnections: manualConnections(context),
      },
    }),
    removed: ({ body }, { state }) => {
      for (const { id } of (at(body, 'properties.networkInterfaces') ?? []) as { id: string }[]) {
        state.resources.delete(id);
      }
    },
  },
];
