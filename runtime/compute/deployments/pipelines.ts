import type { PipelineName } from '../../api/deployments/compute-run.ts';
import { machinesGroup } from '../../api/machines/common.ts';

const kinds: Readonly<Record<string, PipelineName>> = {
  'VirtualMachine.compute.azure.com': 'vm',
  'VirtualMachinesExtension.compute.azure.com': 'vm',
  'VirtualMachineScaleSet.compute.azure.com': 'scaleSet',
  'VirtualMachineScaleSetsExtension.compute.azure.com': 'scaleSet',
  [`ManagedSecret.${machinesGroup}`]: 'secrets',
};
const groups: Readonly<Record<string, PipelineName>> = {
  'network.azure.com': 'network',
  'network.frontdoor.azure.com': 'network',
  'keyvault.azure.com': 'secrets',
  'managedidentity.azure.com': 'secrets',
};

/** ARM types by the first one that a type begins with, in lower case. */
const armTypes: readonly (readonly [string, PipelineName])[] = [
  ['microsoft.compute/virtualmachinescalesets', 'scaleSet'],
  ['microsoft.compute/virtualmachines', 'vm'],
  ['microsoft.network/', 'network'],
  ['microsoft.keyvault/', 'secrets'],
  ['microsoft.managedidentity/', 'secrets'],
];

/** The pipeline of a resource; `armType` counts for an ArmResource. */
export function pipelineOf(group: string, kind: string, armType?: string): PipelineName {
  const lower = armType?.toLowerCase();
  if (lower !== undefined) return armTypes.find(([prefix]) => lower.startsWith(prefix))?.[1] ?? 'other';
  return kinds[`${kind}.${group}`] ?? groups[group] ?? 'other';
}
