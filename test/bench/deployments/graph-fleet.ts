import type { BucketUse } from '../../../runtime/base/scheduling/token-bucket.ts';
import { bucketsOfWrite } from '../../../runtime/compute/limits/throttling.ts';
import type { DesiredGraph, GraphAction, GraphNode } from '../../../runtime/engine/graph/index.ts';
import { Random } from '../../faults/random.ts';

/** A node with what the engine does not know of it. */
export interface FleetNode extends GraphNode {
  readonly type: string;
  readonly region: string;
  /** Milliseconds that its effect takes. */
  readonly durationMs: number;
}

/** A goal whose nodes have types and durations. */
export interface Fleet {
  readonly goal: DesiredGraph;
  readonly nodes: ReadonlyMap<string, FleetNode>;
}

const compute = 'Microsoft.Compute';
/** Seconds that Azure usually takes; a node takes between half and one and a half times as long. */
const usual = { virtualNetworks: 8, subnets: 6, secrets: 2, networkInterfaces: 4, virtualMachines: 90 } as const;
const usualScaleSet = 150;

/** Parts of a fleet. */
export interface FleetOptions {
  readonly nodes: number;
  readonly regions: readonly string[];
  readonly seed: number;
  /** All durations times this. @default 1 */
  readonly speed?: number;
  /** Machines of one hundred nodes that are scale sets. @default 2 */
  readonly scaleSets?: number;
  /** Further nodes, each of which needs the one before. @default 0 */
  readonly chain?: number;
  /** Whether the weights are the durations, as after earlier runs, and not the usual durations. @default false */
  readonly known?: boolean;
  readonly rest?: Partial<DesiredGraph>;
}

/** Regions with a network, subnets, secrets, and machines that need one of each. */
export function fleet(options: FleetOptions): Fleet {
  const { nodes: count, regions, seed, speed = 1, scaleSets = 2, chain = 0, known = false, rest = {} } = options;
  const random = new Random(seed);
  const nodes = new Map<string, FleetNode>();
  const add = (region: string, type: string, name: string, seconds: number, after: readonly string[]) => {
    const key = `${region}/${type}/${name}`;
    const durationMs = Math.round(seconds * speed * 1000 * (0.5 + random.next()));
    const weight = known ? durationMs : seconds;
    nodes.set(key, { key, hash: 'v1', after, group: region, weight, type, region, durationMs });
    return key;
  };
  for (let at = 0; at < chain; at++) {
    const before = at === 0 ? [] : [`chain/Microsoft.Network/dnsZones/${at - 1}`];
    add('chain', 'Microsoft.Network/dnsZones', String(at), usual.virtualNetworks, before);
  }
  const share = Math.floor((count - chain) / regions.length);
  for (const region of regions) {
    const first = nodes.size;
    const vnet = add(region, 'Microsoft.Network/virtualNetworks', 'net', usual.virtualNetworks, []);
    const subnets = Array.from({ length: Math.max(1, share / 100) }, (_, at) =>
      add(region, 'Microsoft.Network/virtualNetworks/subnets', `s${at}`, usual.subnets, [vnet]),
    );
    const secret = add(region, 'Microsoft.KeyVault/vaults/secrets', 'admin', usual.secrets, []);
    for (let at = 0; nodes.size - first < share; at++) {
      const subnet = subnets[at % subnets.length] ?? vnet;
      if (at % 100 < scaleSets) {
        add(region, `${compute}/virtualMachineScaleSets`, `set${at}`, usualScaleSet, [subnet, secret]);
        continue;
      }
      const nic = add(region, 'Microsoft.Network/networkInterfaces', `nic${at}`, usual.networkInterfaces, [subnet]);
      if (nodes.size - first >= share) break;
      add(region, `${compute}/virtualMachines`, `vm${at}`, usual.virtualMachines, [nic, secret]);
    }
  }
  return { goal: { id: 'g1', nodes: [...nodes.values()], ...rest }, nodes };
}

/** Azure's buckets of a node's write. */
export function bucketsOf({ nodes }: Fleet, key: string, action: GraphAction): BucketUse[] {
  const node = nodes.get(key);
  return node ? bucketsOfWrite(node.type, action, { subscriptionId: 's', region: node.region, resourceId: key }) : [];
}
