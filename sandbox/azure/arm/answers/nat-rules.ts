import { isObject } from '../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import { instancesOf } from '../compute/scale-set-model.ts';

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Members that the rules of a pool take over from it. */
const ofPool = [
  'frontendIPConfiguration',
  'protocol',
  'backendPort',
  'enableFloatingIP',
  'enableTcpReset',
  'idleTimeoutInMinutes',
  'enableDestinationServiceEndpoint',
  'allowBackendPortConflict',
];

/** Adds to a load balancer the NAT rules that Azure makes for the instances of scale sets in its NAT pools. */
export function addNatRules(shown: Json, id: string, state: SandboxState): void {
  const pools = listOf(at(shown, 'properties.inboundNatPools'));
  if (pools.length === 0) return;
  const rules = pools.flatMap((pool) => rulesOf(pool, id, state));
  const properties = objectOf(shown['properties']);
  shown['properties'] = { ...properties, inboundNatRules: [...listOf(properties['inboundNatRules']), ...rules] };
}

function rulesOf(pool: Json, id: string, state: SandboxState): Json[] {
  const poolId = `${id}/inboundNatPools/${stringOf(pool['name'])}`;
  const properties = objectOf(pool['properties']);
  const shared = Object.fromEntries(
    ofPool.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
  return state.resources.ofType('Microsoft.Compute/virtualMachineScaleSets').flatMap((set) => {
    const place = placeOf(set.body, poolId);
    if (place === undefined) return [];
    return instancesOf(set, state).map((instance, index) => {
      const name = `${stringOf(pool['name'])}.${instance.name}`;
      return {
        name,
        id: `${id}/inboundNatRules/${name}`,
        type: 'Microsoft.Network/loadBalancers/inboundNatRules',
        etag: pool['etag'],
        properties: {
          provisioningState: 'Succeeded',
          ...shared,
          frontendPort: Number(properties['frontendPortRangeStart'] ?? 0) + index,
          backendIPConfiguration: { id: `${instance.id}/${place}` },
        },
      };
    });
  });
}

/** The IP configuration of a scale set's model that is in the pool, as the end of an instance's id. */
function placeOf(set: Json, poolId: string): string | undefined {
  const path = 'properties.virtualMachineProfile.networkProfile.networkInterfaceConfigurations';
  for (const nic of listOf(at(set, path))) {
    for (const configuration of listOf(at(nic, 'properties.ipConfigurations'))) {
      const named = listOf(at(configuration, 'properties.loadBalancerInboundNatPools')).map((each) =>
        stringOf(each['id']),
      );
      if (named.some((each) => each.toLowerCase() === poolId.toLowerCase())) {
        return `networkInterfaces/${stringOf(nic['name'])}/ipConfigurations/${stringOf(configuration['name'])}`;
      }
    }
  }
  return undefined;
}
