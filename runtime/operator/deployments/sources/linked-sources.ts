import { LRUCache } from 'lru-cache';
import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { maxGoalLength } from '../../../api/deployments/compute-run.ts';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { SharedLru } from '../../../base/fairness/shared-lru.ts';
import { mapNameProblem } from '../../../compute/deployments/inputs/config-map-values.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import { configMapsType } from '../../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../../kube/client/types.ts';
import { type ChildAccess, denialOf } from '../child-access.ts';
import type { DeploymentObject } from '../runs/runs.ts';
import type { OciTemplates } from './oci-templates.ts';

/** Milliseconds after which a source that could not be read is read again. */
const againMs = 30_000;
/** Milliseconds after which ConfigMaps are read again: somebody may change them. */
export const configMapMs = 60_000;
/** Milliseconds for which an artefact that was read counts. */
const artefactLifeMs = 300_000;
/** Milliseconds for all artefacts of a deployment. */
const artefactsMs = 60_000;
/** Characters of artefacts in memory, of all namespaces. */
const mostArtefactCharacters = 8_000_000;

type Texts = Readonly<Record<string, string>>;

/** Most texts of all sources of a deployment. */
const maxTexts = 100;

/** What the sources of a deployment have. Paths and binary data count too: reading them takes the same memory. */
class SourcesSize {
  #characters = 0;
  #texts = 0;

  add(texts: Texts): void {
    for (const [path, text] of Object.entries(texts)) this.#characters += path.length + text.length;
    this.#texts += Object.keys(texts).length;
  }

  addMap(map: KubeObject): void {
    this.add(textsOf(map));
    this.add((map['binaryData'] as Texts | undefined) ?? {});
  }

  /** With what an entry takes in memory beside its characters. */
  get weight(): number {
    return 1024 + this.#characters + 64 * this.#texts;
  }

  get isTooLarge(): boolean {
    return this.#characters > maxGoalLength || this.#texts > maxTexts;
  }
}

const pathOf = (index: number) => `spec.template.arm.linkedTemplatesFrom[${index}]`;
const textsOf = (map: KubeObject) => (map['data'] as Texts | undefined) ?? {};

/** Whose rights decide about a source: those of another account may be smaller. */
const ownerKey = ({ metadata: { namespace = '' }, spec }: DeploymentObject) =>
  `${namespace} ${spec.serviceAccountName ?? ''}`;

/** A problem, and the milliseconds of the monotonic clock until which it counts. */
interface Failed {
  readonly problem: DeploymentProblem;
  readonly until: number;
}

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
  readonly #access: Pick<ChildAccess, 'check'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Sources that could not be read, until they are read again: somebody may edit the deployment without a pause. */
  readonly #failed = new LRUCache<string, Failed>({ max: 1000 });

  /**
   * Artefacts by namespace, account and digest, which a deployment without a goal needs in each reconcile run. They expire,
   * as the right to read one may be taken away.
   */
  readonly #artefacts = new SharedLru<{ readonly texts: Texts; readonly until: number }>(mostArtefactCharacters);

  constructor(
    client: Pick<KubeClient, 'tryGet'>,
    oci: Pick<OciTemplates, 'read'>,
    access: Pick<ChildAccess, 'check'>,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.#client = client;
    this.#oci = oci;
    this.#access = access;
    this.#clock = clock;
  }

  /**
   * Reads the ConfigMaps that the deployment's service account may read: the goal shows their texts. Artefacts do not
   * change under their digest: they are read for the spec alone.
   */
  async read(deployment: DeploymentObject, signal: AbortSignal): Promise<ReadSources> {
    const { spec } = deployment;
    const { namespace = '' } = deployment.metadata;
    const sources = spec.template.arm?.linkedTemplatesFrom ?? [];
    if (sources.length === 0) return { version: '', spec: async () => spec };
    const maps: (KubeObject | undefined)[] = [];
    let version = '';
    const size = new SourcesSize();
    // One after the other, up to the limit: each may have a megabyte.
    for (const [index, { configMap }] of sources.entries()) {
      const isRead = configMap && !size.isTooLarge;
      const message = isRead && mapNameProblem(configMap.name);
      if (message) return { version: '', spec: async () => ({ problem: { path: pathOf(index), message } }) };
      const request = isRead && ({ verb: 'get', type: configMapsType, name: configMap.name } as const);
      const denied = request && (await denialOf(this.#access, deployment, request, signal));
      if (denied) {
        const problem = { path: pathOf(index), message: denied, retryAfterMs: againMs };
        return { version: '', spec: async () => ({ problem }) };
      }
      const map = isRead && (await this.#client.tryGet(configMapsType, { namespace, name: configMap.name }, signal));
      maps.push(map || undefined);
      if (!map) continue;
      size.addMap(map);
      version += `${map.metadata.uid} ${map.metadata.resourceVersion},`;
    }
    const key = `${ownerKey(deployment)} ${version} ${JSON.stringify(sources)}`;
    return { version, spec: async () => await this.#known(key, () => this.#resolved(deployment, maps, signal)) };
  }

  async #known(key: string, resolve: () => ReturnType<ReadSources['spec']>): ReturnType<ReadSources['spec']> {
    const failed = this.#failed.get(key);
    if (failed && failed.until > this.#clock.monotonic()) return failed;
    const resolved = await resolve();
    if ('problem' in resolved) this.#failed.set(key, { ...resolved, until: this.#clock.monotonic() + againMs });
    return resolved;
  }

  async #artefact(deployment: DeploymentObject, reference: string, signal: AbortSignal): Promise<Texts> {
    const { namespace = '' } = deployment.metadata;
    const key = `${ownerKey(deployment)} ${reference}`;
    const former = this.#artefacts.get(key);
    if (former && former.until > this.#clock.monotonic()) return former.texts;
    const texts = await this.#oci.read(reference, signal, deployment);
    const size = new SourcesSize();
    size.add(texts);
    const until = this.#clock.monotonic() + artefactLifeMs;
    this.#artefacts.set(key, { texts, until }, namespace, size.weight);
    return texts;
  }

  async #resolved(
    deployment: DeploymentObject,
    maps: readonly (KubeObject | undefined)[],
    signal: AbortSignal,
  ): Promise<ComputeDeploymentSpec | { readonly problem: DeploymentProblem }> {
    const { spec } = deployment;
    const texts: Record<string, string> = {};
    const size = new SourcesSize();
    const ends = AbortSignal.any([signal, AbortSignal.timeout(artefactsMs)]);
    for (const [index, { configMap, oci }] of (spec.template.arm?.linkedTemplatesFrom ?? []).entries()) {
      const problem = (message: string) => ({ problem: { path: pathOf(index), message, retryAfterMs: againMs } });
      const map = maps[index];
      if (configMap && !map) return problem(`The ConfigMap ${configMap.name} does not exist: create it`);
      try {
        const added = map ? textsOf(map) : await this.#artefact(deployment, oci ?? '', ends);
        if (map) size.addMap(map);
        else size.add(added);
        Object.assign(texts, added);
      } catch (error) {
        if (signal.aborted) throw error;
        const late = `the artefacts are not read within ${artefactsMs / 1000} s: use fewer, or a faster registry`;
        return problem(ends.aborted ? late : messageOf(error));
      }
      if (size.isTooLarge)
        return problem(
          `the sources have more than ${maxGoalLength} characters or ${maxTexts} texts: minify their JSON, as jq -c does, remove texts that no link names, or apply the objects that azimuth convert makes of the template`,
        );
    }
    const { linkedTemplatesFrom: _, ...arm } = spec.template.arm ?? { json: '', owner: {} };
    return { ...spec, template: { arm: { ...arm, linkedTemplates: { ...texts, ...arm.linkedTemplates } } } };
  }
}
