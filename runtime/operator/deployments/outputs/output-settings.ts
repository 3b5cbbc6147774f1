import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';

const placeholder = '${location}';

/** Problems of `spec.outputs`. */
export function outputProblems({ outputs, template, locations }: ComputeDeploymentSpec): DeploymentProblem[] {
  if (!outputs) return [];
  if (!template.arm) {
    const message = 'manifests have no outputs: let operatorSpec of an object export its values';
    return [{ path: 'spec.outputs', message }];
  }
  if (locations.length === 1) return [];
  const targets = Object.entries({ configMap: outputs.configMap, secret: outputs.secret });
  return targets.flatMap(([target, { name } = { name: placeholder }]) => {
    const message = `each location has outputs of its own: put ${placeholder} into the name`;
    return name.includes(placeholder) ? [] : [{ path: `spec.outputs.${target}.name`, message }];
  });
}
