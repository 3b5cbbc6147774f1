import { normalizeResourceId, parentId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';

/** A type whose resources take one write at a time, to themselves and to their children. */
export interface SerializedType {
  readonly type: string;
  /** Last segments of the child types whose writes Azure takes at the same time. @default none */
  readonly except?: readonly string[];
  /** The code of the refusal, or the reason where a concurrent write would be lost instead. */
  readonly because: string;
}

const busy = 'AnotherOperationInProgress';

/** The types, by provider. A child type in it without an entry of its own belongs to its parent. */
export const serializedTypes: readonly SerializedType[] = [
  { type: 'Microsoft.Cache/redis', because: 'Conflict' },
  { type: 'Microsoft.CognitiveServices/accounts', because: 'RequestConflict' },
  { type: 'Microsoft.Compute/virtualMachineScaleSets', because: 'a PUT of the scale set carries its extensions' },
  { type: 'Microsoft.ContainerService/managedClusters', because: 'OperationNotAllowed' },
  { type: 'Microsoft.DBforMariaDB/servers', because: 'ServerIsBusy' },
  { type: 'Microsoft.DBforMySQL/flexibleServers', except: ['users'], because: 'ServerIsBusy' },
  { type: 'Microsoft.DBforPostgreSQL/flexibleServers', except: ['users'], because: 'ServerIsBusy' },
  { type: 'Microsoft.Kusto/clusters', because: 'ServiceIsInMaintenance' },
  {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    because: 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  },
  { type: 'Microsoft.Network/dnsForwardingRulesets', because: busy },
  { type: 'Microsoft.Network/dnsResolvers', because: busy },
  { type: 'Microsoft.Network/dnsZones', because: 'Conflict' },
  { type: 'Microsoft.Network/firewallPolicies', because: busy },
  { type: 'Microsoft.Network/loadBalancers', because: busy },
  { type: 'Microsoft.Network/networkSecurityGroups', because: busy },
  { type: 'Microsoft.Network/privateDnsZones', because: 'Conflict' },
  { type: 'Microsoft.Network/privateEndpoints', because: busy },
  { type: 'Microsoft.Network/routeTables', because: busy },
  { type: 'Microsoft.Network/trafficmanagerprofiles', because: 'Conflict' },
  { type: 'Microsoft.Network/virtualNetworks', because: busy },
  { type: 'Microsoft.RedHatOpenShift/hcpOpenShiftClusters', because: 'Conflict' },
  // Databases and pools take minutes, and Azure makes several of them at the same time.
  { type: 'Microsoft.Sql/servers', except: ['databases', 'elasticPools'], because: 'ConflictingServerOperation' },
  { type: 'Microsoft.Sql/servers/databases', except: ['users'], because: 'ServerSecurityAlertPolicyInProgress' },
];

const byType = new Map(serializedTypes.map((row) => [row.type.toLowerCase(), row]));

/**
 * The resource, this one or its parent, whose writes are serialized with those of its children; undefined for others.
 */
export function serializedResource(resourceId: string): string | undefined {
  const id = tryParseResourceId(resourceId);
  if (!id) return undefined;
  const parent = parentId(resourceId);
  const parentType = parent === undefined ? undefined : tryParseResourceId(parent)?.type.toLowerCase();
  const segment = id.type.split('/').at(-1)?.toLowerCase();
  const row = parentType === undefined ? undefined : byType.get(parentType);
  const isChild = parentType !== undefined && id.type.toLowerCase() === `${parentType}/${segment}`;
  if (row && parent !== undefined && isChild && !row.except?.some((each) => each.toLowerCase() === segment)) {
    return normalizeResourceId(parent);
  }
  return byType.has(id.type.toLowerCase()) ? normalizeResourceId(resourceId) : undefined;
}
