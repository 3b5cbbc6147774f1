import { resourceGroupPath, subscriptionPath } from '../azure/arm/resource-ids.ts';
import { expected } from '../base/errors.ts';
import type { ArmObjects, TargetGroup } from '../compute/deployments/arm-objects.ts';
import { withMarkers } from '../compute/deployments/open-values.ts';

/** Where the resources of a template would be deployed, as far as it is given. */
export interface ConversionTarget {
  /** Name of a ResourceGroup object, or an ARM id. @default the name of the deployment */
  readonly resourceGroup?: string | undefined;
  /** westeurope */
  readonly location?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Object id of the identity that deploys, for `deployer()`. */
  readonly deployerId?: string | undefined;
  /** The name of the deployment. */
  readonly deployment: string;
}

/** A complete target. */
export type Target = TargetGroup & { readonly location: string; readonly deployerId: string };

const unknownId = '00000000-0000-0000-0000-000000000000';
const otherId = '11111111-1111-1111-1111-111111111111';

/** The target, with placeholders for what is not given. */
export function targetOf({ resourceGroup, deployment, location, tenantId, deployerId }: ConversionTarget): Target {
  const ids = { tenantId: tenantId ?? unknownId, deployerId: deployerId ?? unknownId };
  const named = { location: location ?? 'westeurope', ...ids };
  if (resourceGroup?.startsWith('/')) return { ...named, groupId: resourceGroup };
  const groupName = resourceGroup ?? deployment;
  return { ...named, groupId: resourceGroupPath(unknownId, groupName), groupName };
}

/**
 * Checks that the objects do not depend on a part of the target that is not given: a template may put the region, the subscription or the tenant into a body, or a hash of them into a name. Throws AZ_CONFIG_INVALID
 * with the missing flag.
 */
export function checkTarget(given: ConversionTarget, objects: ArmObjects, at: (target: Target) => ArmObjects): void {
  const target = targetOf(given);
  const { groupName, groupId } = target;
  const check = (flag: string, toBe: string, other: Partial<Target>, got = 'nothing') => {
    const key = firstDifference(objects, at({ ...target, ...other }));
    if (key !== undefined) throw expected(flag, `${toBe}, on which ${key} depends`, got);
  };
  if (given.location === undefined)
    check('--location', 'the region of the resource group', { location: 'northeurope' });
  if (given.tenantId === undefined) check('--tenant-id', 'the id of the tenant', { tenantId: otherId });
  if (given.deployerId === undefined)
    check('--deployer-id', 'the object id of the identity that deploys', { deployerId: otherId });
  if (groupName === undefined) return;
  // A name that somebody gave is the name in Azure too.
  const other = given.resourceGroup === undefined ? resourceGroupPath(otherId, `${groupName.slice(0, 80)}-other`) : '';
  const elsewhere = other || groupId.replace(subscriptionPath(unknownId), subscriptionPath(otherId));
  check('--resource-group', 'the ARM id of the resource group', { groupId: elsewhere }, given.resourceGroup);
}

/** The first object that is not the same in both, but for the names of objects, which may end with a hash of an ARM id. */
export function firstDifference(objects: ArmObjects, others: ArmObjects): string | undefined {
  const textOf = ({ object }: ArmObjects['manifests'][number]) =>
    JSON.stringify(withMarkers(object['spec'])).replaceAll(/-[0-9a-f]{16}/g, '');
  const different = objects.manifests.find((each, index) => {
    const other = others.manifests[index];
    return !other || textOf(each) !== textOf(other);
  });
  const { kind, metadata } = different?.object ?? {};
  return different && `${kind}/${metadata?.name}`;
}
