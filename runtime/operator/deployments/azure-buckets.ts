import type { PipelineName } from '../../api/deployments/compute-run.ts';
import { tryKindOf } from '../../api/kinds.ts';
import type { BucketUse } from '../../base/scheduling/token-bucket.ts';
import { bucketsOfWrite } from '../../compute/limits/throttling.ts';
import type { GraphAction } from '../../engine/graph/index.ts';
import { keyParts } from './children.ts';

/** An object of a deployment. */
export interface DeployedObject {
  readonly namespace: string;
  /** A location of the deployment: its name counts as Azure's region. */
  readonly location: string;
  readonly key: string;
  /** Pipeline of the node; undefined for an object that the goal does not have. */
  readonly pipeline: PipelineName | undefined;
}

/** Types of ArmResources, whose kind does not say their type. */
const pipelineTypes: Partial<Record<PipelineName, string>> = {
  vm: 'Microsoft.Compute/virtualMachines',
  scaleSet: 'Microsoft.Compute/virtualMachineScaleSets',
};

/**
 * Azure's token buckets that the operator's write for the object takes from; none for kinds that are not machines. A
 * namespace stands for its subscription, so that no namespace can use up the tokens of another. Where several share a
 * subscription, Azure's 429 slows them down.
 */
export function bucketsOfObject(
  { namespace, location, key, pipeline }: DeployedObject,
  action: GraphAction,
): BucketUse[] {
  const { kind, group } = keyParts(key);
  const type = tryKindOf(group, kind)?.armType ?? (pipeline && pipelineTypes[pipeline]);
  if (type === undefined) return [];
  return bucketsOfWrite(type, action, {
    subscriptionId: namespace,
    region: location,
    resourceId: `${namespace}/${key}`,
  });
}
