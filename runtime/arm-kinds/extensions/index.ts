import { terminalStates } from '../../azure/arm/operations/provisioning-state.ts';
import { uniqueGroupName } from '../data-plane/group-names.ts';
import { backupInstance } from './backup-instance.ts';
import { carryExisting } from './carry-existing.ts';
import type { KindExtension } from './extension.ts';
import { scaleSetExtension } from './scale-set.ts';
import { uuidNamed, uuidNamedBefore } from './uuid-named.ts';
import { vaultExtension } from './vault.ts';
import { waitForTerminalState } from './wait-for-terminal-state.ts';

const cluster = { path: 'properties.provisioningState', states: terminalStates };
const postgres = { path: 'properties.state', states: [...terminalStates, 'ready'] };
const succeeded = { path: 'properties.provisioningState', states: ['succeeded'] };
const notDeleting = { path: 'properties.provisioningState', states: ['deleting'], not: true } as const;
const approved = `!has(self.properties.manualPrivateLinkServiceConnections) ||
  self.properties.manualPrivateLinkServiceConnections.all(each,
    each.properties.privateLinkServiceConnectionState.status == "Approved")`;

/** By group and kind; a kind without an entry has data only. */
const extensions: Readonly<Record<string, KindExtension>> = {
  'authorization.azure.com/RoleAssignment': uuidNamed,
  'authorization.azure.com/RoleDefinition': uuidNamed,
  'compute.azure.com/VirtualMachineScaleSet': scaleSetExtension,
  'cdn.azure.com/Rule': { status: { conditionsIn: 'ruleconditions' } },
  'containerservice.azure.com/ManagedCluster': {
    ...waitForTerminalState({ resource: cluster }),
    sharedList: 'properties.agentPoolProfiles',
  },
  'containerservice.azure.com/ManagedClustersAgentPool': waitForTerminalState({ resource: cluster, owner: cluster }),
  'dataprotection.azure.com/BackupVaultsBackupInstance': backupInstance,
  'dbformariadb.azure.com/Server': {
    status: { spread: true, keptIn: ['privateEndpointConnections'], oneOfs: false },
  },
  'dbforpostgresql.azure.com/FlexibleServer': waitForTerminalState({ resource: postgres }),
  'dbforpostgresql.azure.com/FlexibleServersDatabase': waitForTerminalState({ owner: postgres }),
  'dbforpostgresql.azure.com/FlexibleServersFirewallRule': waitForTerminalState({ owner: postgres }),
  'documentdb.azure.com/CassandraDataCenter': waitForTerminalState({ owner: succeeded }),
  'documentdb.azure.com/SqlRoleAssignment': uuidNamedBefore,
  'entra.azure.com/SecurityGroup': { defaultName: uniqueGroupName },
  'keyvault.azure.com/Vault': vaultExtension,
  'kusto.azure.com/Cluster': waitForTerminalState({ resource: cluster }),
  'kusto.azure.com/Database': waitForTerminalState({ owner: cluster }),
  'network.azure.com/LoadBalancer': carryExisting('properties.inboundNatRules', 'name'),
  'network.azure.com/NetworkSecurityGroup': carryExisting('properties.securityRules', 'whole'),
  'network.azure.com/PrivateEndpoint': { readyWhen: approved, wellKnownNames: 'as given' },
  'network.azure.com/RouteTable': carryExisting('properties.routes', 'whole'),
  'network.azure.com/VirtualNetwork': carryExisting('properties.subnets', 'whole'),
  'redhatopenshift.azure.com/HcpOpenShiftCluster': waitForTerminalState({ resource: notDeleting }),
  'resources.azure.com/ResourceGroup': { status: { spread: false } },
  'sql.azure.com/Server': { status: { keptIn: ['privateEndpointConnections'] } },
};

/** The extension of a kind; an empty one for a kind without rules. */
export function extensionOf(group: string, kind: string): KindExtension {
  return extensions[`${group}/${kind}`] ?? {};
}
