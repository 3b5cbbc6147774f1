import { at, objectOf, stringOf } from '../json.ts';
import type { SandboxState } from '../state.ts';

/** Which machine the metadata service is on. */
export interface MachineSettings {
  /**
   * Which identities this machine has: every identity of the sandbox, those that are listed (client ids), or those
   * assigned in ARM to a virtual machine, to a scale set or the set of an instance (its resource id). Those added by
   * `addIdentity` always are.
   */
  identities: 'all' | string[] | { machine: string };
  subscriptionId: string;
  location: string;
}

/** The machine of the metadata service. */
export interface Machine {
  /** ARM id of the machine or scale set whose identities it has; undefined where ARM has none. */
  readonly id?: string;
  readonly resourceId: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly subscriptionId: string;
  readonly location: string;
  readonly size: string;
  readonly vmId: string;
  /** ARM ids, without those of deleted identities. */
  readonly userAssigned: readonly string[];
}

/** The machine of the settings: a resource of ARM, or one that only the metadata service knows. */
export function machineOf({ identities, subscriptionId, location }: MachineSettings, state: SandboxState): Machine {
  const named = typeof identities === 'object' && !Array.isArray(identities) ? identities.machine : undefined;
  const resource = state.resources.get(named ?? '');
  const unnamed = {
    resourceId: `/subscriptions/${subscriptionId}/resourceGroups/sandbox/providers/Microsoft.Compute/virtualMachines/sandbox-vm`,
    name: 'sandbox-vm',
    resourceGroup: 'sandbox',
    subscriptionId,
    location,
    size: 'Standard_D2s_v3',
    vmId: '00000000-0000-4000-8000-000000000000',
    userAssigned: [],
  };
  if (!resource) return unnamed;
  const set = state.resources.get(resource.id.replace(/\/virtualmachines\/[^/]+$/i, ''));
  const owner = /\/virtualMachineScaleSets\/[^/]+\/virtualMachines\//i.test(resource.id) && set ? set : resource;
  return {
    ...unnamed,
    id: owner.id,
    resourceId: resource.id,
    name: resource.name,
    resourceGroup: resource.resourceGroup ?? '',
    subscriptionId: resource.subscriptionId,
    location: stringOf(owner.body['location']) || location,
    size: stringOf(at(owner.body, 'properties.hardwareProfile.vmSize') ?? at(owner.body, 'sku.name')) || unnamed.size,
    vmId: stringOf(resource.system['vmId']) || unnamed.vmId,
    userAssigned: Object.entries(objectOf(at(owner.body, 'identity.userAssignedIdentities'))).flatMap(([id, entry]) =>
      at(entry, 'clientId') === null ? [] : [id],
    ),
  };
}
