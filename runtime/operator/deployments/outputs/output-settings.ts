import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';

const placeholder = '${location}';

/** Problems of `spec.outputs` with this number of locations: a run of a former goal may have others than the spec. */
export function outputProblems(
  { outputs, template }: Pick<ComputeDeploymentSpec, 'outputs' | 'template'>,
  locations: number,
): DeploymentProblem[] {
  if (!outputs) return [];
  if (!template.arm) {
    const message = 'manifests have no outputs: let operatorSpec of an object export its values';
    return [{ path: 'spec.outputs', message }];
  }
  if (locations <= 1) return [];
  const targets = Object.entries({ configMap: outputs.configMap, secret: outputs.secret });
  return targets.flatMap(([target, { name } = { name: placeholder }]) => {
    const message = `each location has outputs of its own: put ${placeholder} into the name`;
    return name.includes(placeholder) ? [] : [{ path: `spec.outputs.${target}.name`, message }];
  });
}
