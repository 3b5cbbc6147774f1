import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { maxGoalLength } from '../../../api/deployments/compute-run.ts';
import {
  type MapData,
  mapNameProblem,
  parameterMaps,
  withMapTexts,
} from '../../../compute/deployments/inputs/config-map-values.ts';
import { configMapsType } from '../../../kube/client/core-types.ts';
import type { KubeClient } from '../../../kube/client/types.ts';
import { type ChildAccess, denialOf } from '../child-access.ts';
import type { DeploymentObject } from '../runs/runs.ts';
import type { LinkedSources, ReadSources } from './linked-sources.ts';

/** Milliseconds after which a ConfigMap that could not be read is read again. */
const againMs = 30_000;
/** Most ConfigMaps that the parameters of a deployment name. */
const maxMaps = 20;

/** Whether the goal of a deployment has texts of ConfigMaps, which somebody may change. */
export function readsConfigMaps(spec: ComputeDeploymentSpec): boolean {
  const linked = spec.template.arm?.linkedTemplatesFrom ?? [];
  return linked.some(({ configMap }) => configMap) || parameterMaps(spec).length > 0;
}

/** Reads what the goal of a deployment has from elsewhere: values of parameters, and texts of linked templates. */
export class GoalSources {
  readonly #client: Pick<KubeClient, 'tryGet'>;
  readonly #access: Pick<ChildAccess, 'check'>;
  readonly #linked: Pick<LinkedSources, 'read'>;

  constructor(
    client: Pick<KubeClient, 'tryGet'>,
    access: Pick<ChildAccess, 'check'>,
    linked: Pick<LinkedSources, 'read'>,
  ) {
    this.#client = client;
    this.#access = access;
    this.#linked = linked;
  }

  /** Reads the ConfigMaps that the deployment's service account may read: the goal shows their texts. */
  async read(deployment: DeploymentObject, signal: AbortSignal): Promise<ReadSources> {
    const refused = (message: string): ReadSources => {
      const problem = { path: 'spec.parameters', message, retryAfterMs: againMs };
      return { version: '', spec: async () => ({ problem }) };
    };
    const names = parameterMaps(deployment.spec);
    if (names.length === 0) return await this.#linked.read(deployment, signal);
    if (names.length > maxMaps)
      return refused(`the parameters name ${names.length} of at most ${maxMaps} ConfigMaps: put the values into fewer`);
    const { namespace = '' } = deployment.metadata;
    const maps = new Map<string, MapData>();
    let version = '';
    let characters = 0;
    // One after the other, up to the limit: each may have a megabyte.
    for (const name of names) {
      if (mapNameProblem(name) !== undefined) continue;
      const denied = await denialOf(this.#access, deployment, { verb: 'get', type: configMapsType, name }, signal);
      if (denied !== undefined) return refused(denied);
      const map = await this.#client.tryGet(configMapsType, { namespace, name }, signal);
      const data = (map?.['data'] ?? {}) as MapData;
      if (map) maps.set(name, data);
      version += `${map?.metadata.uid} ${map?.metadata.resourceVersion},`;
      characters += JSON.stringify([data, map?.['binaryData']]).length;
      if (characters > maxGoalLength)
        return refused(
          `the ConfigMaps of the parameters have more than ${maxGoalLength} characters: make them smaller`,
        );
    }
    const { spec, problems } = withMapTexts(deployment.spec, (name) => maps.get(name));
    const [problem] = problems;
    if (problem) {
      const found = { ...problem, path: `spec.${problem.path}`, retryAfterMs: againMs };
      return { version: '', spec: async () => ({ problem: found }) };
    }
    const linked = await this.#linked.read({ ...deployment, spec }, signal);
    return { version: `${version}${linked.version}`, spec: linked.spec };
  }
}
