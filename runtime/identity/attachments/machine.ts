import { resourceGroupPath, resourcePath, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { Node } from '../objects.ts';

/** A virtual machine or scale set, which can have identities. */
export interface Machine {
  /** ARM id as in the node's providerID, except the type, which has the provider's letter case. */
  readonly id: string;
  readonly kind: 'vm' | 'vmss';
}

/** Where to find the virtual machine with the node's name, for nodes without a providerID. */
export interface MachineFallback {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

const types = {
  'microsoft.compute/virtualmachines': { kind: 'vm', type: 'virtualMachines' },
  'microsoft.compute/virtualmachinescalesets': { kind: 'vmss', type: 'virtualMachineScaleSets' },
} as const;

/**
 * The machine of a providerID, `azure:///subscriptions/…`, in any letter case. For an instance of a scale set, or
 * another child of a machine, the machine. Undefined for every other text.
 */
export function machineOf(providerId: string): Machine | undefined {
  const id = /^azure:\/\/(\/.*)$/i.exec(providerId.trim())?.[1];
  const parsed = id === undefined ? undefined : tryParseResourceId(id);
  if (!parsed?.resourceGroup || !parsed.subscriptionId || parsed.scope !== undefined) return undefined;
  const [provider = '', type = ''] = parsed.type.toLowerCase().split('/');
  const machineType = types[`${provider}/${type}` as keyof typeof types];
  const name = parsed.names[0];
  if (!machineType || name === undefined) return undefined;
  return machine(parsed.subscriptionId, parsed.resourceGroup, machineType, name);
}

/** The machine of a node; undefined where the node has no providerID (yet). */
export function machineOfNode(node: Node, fallback?: MachineFallback): Machine | undefined {
  const { providerID } = node.spec ?? {};
  if (providerID) return machineOf(providerID);
  return fallback && machine(fallback.subscriptionId, fallback.resourceGroup, types[vm], node.metadata.name);
}

const vm = 'microsoft.compute/virtualmachines';

function machine(
  subscriptionId: string,
  group: string,
  { kind, type }: (typeof types)[keyof typeof types],
  name: string,
) {
  const id = resourcePath(resourceGroupPath(subscriptionId, group), `Microsoft.Compute/${type}`, name);
  return { id, kind };
}
