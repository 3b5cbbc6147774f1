/**
 * The token buckets of Microsoft.Compute: the bucket of each request. Azure counts by subscription and
 * region, and by machine or scale set. Figures of Azure's compute-throttling-limits page of 2024-05-27, per minute.
 */
import { parentId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { BucketSize, BucketUse } from '../../base/scheduling/token-bucket.ts';

const perMinute = (refill: number, capacity: number): BucketSize => ({ capacity, refillPerSecond: refill / 60 });

interface Policy {
  /** The bucket of one machine or scale set. */
  readonly resource?: BucketSize;
  /** The bucket of a subscription in a region. */
  readonly subscription: BucketSize;
}

/** Azure's policies by name. Requests of one policy share its buckets. */
export const computePolicies = {
  PutVM: { resource: perMinute(4, 12), subscription: perMinute(500, 1500) },
  /** PATCH, restart, reimage, extensions, run command. */
  UpdateVM: { resource: perMinute(4, 12), subscription: perMinute(500, 1500) },
  DeleteVM: { resource: perMinute(4, 12), subscription: perMinute(500, 1500) },
  GetVM: { resource: perMinute(12, 36), subscription: perMinute(8000, 24_000) },
  ListVMs: { subscription: perMinute(300, 900) },
  /** The status of an operation under way. */
  VMOperationStatus: { resource: perMinute(15, 45), subscription: perMinute(5000, 15_000) },
  /** The PUT of a set that does not exist. */
  PutScaleSet: { resource: perMinute(4, 12), subscription: perMinute(125, 375) },
  /** PUT and PATCH of an existing set, cancel of a rolling upgrade, extensions. */
  UpdateScaleSet: { resource: perMinute(4, 12), subscription: perMinute(500, 1500) },
  /** Also deallocate. */
  DeleteScaleSet: { resource: perMinute(4, 12), subscription: perMinute(175, 525) },
  /** Also rollingUpgrades/latest and osUpgradeHistory. */
  GetScaleSet: { resource: perMinute(12, 36), subscription: perMinute(800, 2400) },
  ScaleSetInstanceView: { resource: perMinute(10, 30), subscription: perMinute(360, 1080) },
  /** Restart, reimage and extension of an instance, and its deletion. */
  UpdateScaleSetVM: { resource: perMinute(4, 12), subscription: perMinute(500, 1500) },
  /** Also the instance's instance view. */
  GetScaleSetVM: { resource: perMinute(12, 36), subscription: perMinute(2000, 6000) },
} as const satisfies Readonly<Record<string, Policy>>;

/** Name of a policy. */
export type ComputePolicy = keyof typeof computePolicies;

/** Where a request goes. */
export interface ComputeTarget {
  readonly subscriptionId: string;
  /** Such as `westeurope`. */
  readonly region: string;
  /** ARM id of the machine, the scale set or the instance; unused for lists. */
  readonly resourceId: string;
}

/** The buckets that a request takes a token from, the resource's own first. Ids and regions compare without case. */
export function bucketsOfPolicy(
  name: ComputePolicy,
  { subscriptionId, region, resourceId }: ComputeTarget,
): BucketUse[] {
  const { resource, subscription }: Policy = computePolicies[name];
  const own = resource ? [{ key: `${name} ${resourceId}`.toLowerCase(), size: resource }] : [];
  return [...own, { key: `${name} ${subscriptionId}/${region}`.toLowerCase(), size: subscription }];
}

/** The policies of the PUT that creates, of one that modifies, and of the DELETE. */
const writes: Readonly<Record<string, readonly [create: ComputePolicy, modify: ComputePolicy, remove: ComputePolicy]>> =
  {
    'microsoft.compute/virtualmachines': ['PutVM', 'PutVM', 'DeleteVM'],
    'microsoft.compute/virtualmachines/extensions': ['UpdateVM', 'UpdateVM', 'UpdateVM'],
    'microsoft.compute/virtualmachines/runcommands': ['UpdateVM', 'UpdateVM', 'UpdateVM'],
    'microsoft.compute/virtualmachinescalesets': ['PutScaleSet', 'UpdateScaleSet', 'DeleteScaleSet'],
    'microsoft.compute/virtualmachinescalesets/extensions': ['UpdateScaleSet', 'UpdateScaleSet', 'UpdateScaleSet'],
    'microsoft.compute/virtualmachinescalesets/virtualmachines': [
      'UpdateScaleSetVM',
      'UpdateScaleSetVM',
      'UpdateScaleSetVM',
    ],
  };

/**
 * The buckets that the write of a resource takes a token from; none for types that are not machines. Extensions count for
 * their machine or scale set, where their id says which that is.
 */
export function bucketsOfWrite(
  type: string,
  action: 'Create' | 'Modify' | 'Delete',
  target: ComputeTarget,
): BucketUse[] {
  const policies = writes[type.toLowerCase()];
  if (!policies) return [];
  const [create, modify, remove] = policies;
  const isPart = /\/(?:extensions|runcommands)$/i.test(type) && tryParseResourceId(target.resourceId) !== undefined;
  const resourceId = isPart ? (parentId(target.resourceId) ?? target.resourceId) : target.resourceId;
  const policy = { Create: create, Modify: modify, Delete: remove }[action];
  return bucketsOfPolicy(policy, { ...target, resourceId });
}
