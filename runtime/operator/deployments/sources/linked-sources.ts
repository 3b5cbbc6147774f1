import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { messageOf } from '../../../base/errors.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import { configMapsType } from '../../../kube/client/core-types.ts';
import type { KubeClient } from '../../../kube/client/types.ts';
import type { OciTemplates } from './oci-templates.ts';

/** Milliseconds after which a source that could not be read is read again. */
const againMs = 30_000;
/** Milliseconds after which ConfigMaps are read again: somebody may change them. */
export const configMapMs = 60_000;

type Texts = Readonly<Record<string, string>>;
type Source = NonNullable<NonNullable<ComputeDeploymentSpec['template']['arm']>['linkedTemplatesFrom']>[number];

/** The sources of a spec as they are now. */
export interface ReadSources {
  /** Changes with the content of a source; '' without sources. */
  readonly version: string;
  /** The spec with the texts of all sources in place of the sources; or why one cannot be read. */
  readonly spec: () => Promise<ComputeDeploymentSpec | { readonly problem: DeploymentProblem }>;
}

/** Reads the linked templates of a deployment from ConfigMaps of its namespace and from OCI artefacts. */
export class LinkedSources {
  readonly #client: Pick<KubeClient, 'tryGet'>;
  readonly #oci: Pick<OciTemplates, 'read'>;

  constructor(client: Pick<KubeClient, 'tryGet'>, oci: Pick<OciTemplates, 'read'>) {
    this.#client = client;
    this.#oci = oci;
  }

  /** Reads the ConfigMaps. Artefacts do not change under their digest: they are read for the spec alone. */
  async read(namespace: string, spec: ComputeDeploymentSpec, signal: AbortSignal): Promise<ReadSources> {
    const sources = spec.template.arm?.linkedTemplatesFrom ?? [];
    if (sources.length === 0) return { version: '', spec: async () => spec };
    const maps = await Promise.all(sources.map((source) => this.#configMap(namespace, source, signal)));
    const version = maps.map((map) => `${map?.metadata.uid} ${map?.metadata.resourceVersion}`).join();
    return { version, spec: async () => await this.#resolved(spec, sources, maps, signal) };
  }

  async #configMap(namespace: string, { configMap }: Source, signal: AbortSignal) {
    if (!configMap) return undefined;
    return await this.#client.tryGet(configMapsType, { namespace, name: configMap.name }, signal);
  }

  async #resolved(
    spec: ComputeDeploymentSpec,
    sources: readonly Source[],
    maps: readonly ({ readonly [member: string]: unknown } | undefined)[],
    signal: AbortSignal,
  ): Promise<ComputeDeploymentSpec | { readonly problem: DeploymentProblem }> {
    const texts: Record<string, string> = {};
    for (const [index, { configMap, oci }] of sources.entries()) {
      const path = `spec.template.arm.linkedTemplatesFrom[${index}]`;
      const problem = (message: string) => ({ problem: { path, message, retryAfterMs: againMs } });
      const data = maps[index]?.['data'] as Texts | undefined;
      if (configMap && !maps[index]) return problem(`The ConfigMap ${configMap.name} does not exist: create it`);
      try {
        Object.assign(texts, configMap ? data : await this.#oci.read(oci ?? '', signal));
      } catch (error) {
        if (signal.aborted) throw error;
        return problem(messageOf(error));
      }
    }
    const { linkedTemplatesFrom: _, ...arm } = spec.template.arm ?? { json: '', owner: {} };
    return { ...spec, template: { arm: { ...arm, linkedTemplates: { ...texts, ...arm.linkedTemplates } } } };
  }
}
