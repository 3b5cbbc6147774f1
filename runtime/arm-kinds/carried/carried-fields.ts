/** A place of an ARM body that other clients and other objects write too: a PUT repeats what they made there. */
export interface CarriedField {
  /** Group and kind, as `network.azure.com/NetworkInterface`; or every kind. */
  readonly kinds: readonly string[] | 'all';
  /** `[]` stands for each declared item of a list, known by its name. */
  readonly path: string;
  /**
   * Others make single entries: members of a map (`keys`), or items of a list, known by this member. @default the value
   * as a whole
   */
  readonly entries?: 'keys' | { readonly by: string };
  readonly why: string;
}

const nic = ['network.azure.com/NetworkInterface'];
const subnet = ['network.azure.com/VirtualNetworksSubnet'];
const network = ['network.azure.com/VirtualNetwork'];
const machines = ['compute.azure.com/VirtualMachine', 'compute.azure.com/VirtualMachineScaleSet'];
const ofConfiguration = 'properties.ipConfigurations[].properties';
const association = 'another team or policy attaches it';
const membership = 'pools, rules and groups get members one by one';
const ddos = 'a security team attaches a plan';

/** The places by kind. */
export const carriedFields: readonly CarriedField[] = [
  { kinds: 'all', path: 'tags', entries: 'keys', why: 'policies, cost tools and services tag resources' },
  { kinds: subnet, path: 'properties.networkSecurityGroup', why: association },
  { kinds: subnet, path: 'properties.routeTable', why: association },
  { kinds: subnet, path: 'properties.natGateway', why: association },
  {
    kinds: subnet,
    path: 'properties.serviceEndpoints',
    entries: { by: 'service' },
    why: 'services add their endpoint where they get a network rule',
  },
  {
    kinds: subnet,
    path: 'properties.serviceEndpointPolicies',
    entries: { by: 'id' },
    why: association,
  },
  {
    kinds: subnet,
    path: 'properties.delegations',
    entries: { by: 'name' },
    why: 'services delegate the subnet to themselves when they are put into it',
  },
  { kinds: network, path: 'properties.ddosProtectionPlan', why: ddos },
  { kinds: network, path: 'properties.enableDdosProtection', why: ddos },
  { kinds: nic, path: 'properties.networkSecurityGroup', why: association },
  { kinds: nic, path: `${ofConfiguration}.publicIPAddress`, why: association },
  ...[
    'loadBalancerBackendAddressPools',
    'loadBalancerInboundNatRules',
    'applicationGatewayBackendAddressPools',
    'applicationSecurityGroups',
  ].map(
    (name): CarriedField => ({
      kinds: nic,
      path: `${ofConfiguration}.${name}`,
      entries: { by: 'id' },
      why: membership,
    }),
  ),
  {
    kinds: ['network.azure.com/PublicIPAddress', 'network.azure.com/PublicIPPrefix'],
    path: 'properties.natGateway',
    why: 'a gateway takes addresses',
  },
  {
    kinds: ['compute.azure.com/VirtualMachine'],
    path: 'properties.storageProfile.dataDisks',
    entries: { by: 'lun' },
    why: 'volume drivers attach disks',
  },
  {
    kinds: machines,
    path: 'identity.userAssignedIdentities',
    entries: 'keys',
    why: 'the identity controller attaches the identities of pods',
  },
  {
    kinds: ['containerservice.azure.com/ManagedCluster'],
    path: 'properties.addonProfiles',
    entries: 'keys',
    why: 'policies and `az aks enable-addons` enable add-ons',
  },
  {
    kinds: ['keyvault.azure.com/Vault'],
    path: 'properties.accessPolicies',
    why: 'people and services grant themselves access; a declared list is complete',
  },
];
