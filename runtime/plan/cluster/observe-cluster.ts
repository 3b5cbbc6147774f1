import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { deploymentLabel } from '../../compute/deployments/labels.ts';
import { nodeKey } from '../../compute/deployments/references.ts';
import type { PlanProblem, PlanUnit } from '../../compute/plan/change.ts';
import { needsOf } from '../../compute/plan/needs.ts';
import { type AppliedObject, namespaceSecret, type PlanObservation } from '../../compute/plan/observation.ts';
import type { PlanUnits } from '../../compute/plan/plan-units.ts';
import { listAll } from '../../kube/client/paginate.ts';
import { isForbidden, isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import { type ClusterKinds, definitionKey, keyParts } from './cluster-kinds.ts';
import { dryRun } from './dry-run.ts';
import { readServedKinds } from './served-kinds.ts';

/** Requests at a time. */
const requests = 8;
const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** The default manager of `kubectl apply --server-side`, which takes over the fields of `kubectl apply`. */
const kubectlManager = 'kubectl';
const clientSideManager = 'kubectl-client-side-apply';

/** The observation of the objects of a plan in the cluster. */
export interface ObservedCluster {
  readonly observation: PlanObservation;
  readonly problems: readonly PlanProblem[];
  /** Gaps of the observation, for people. */
  readonly notes: readonly string[];
}

/** How the cluster is read. */
export interface ObserveOptions {
  /** Field manager of the apply that is planned. */
  readonly fieldManager: string;
  /** Whether to find out which namespaces have a credential of their own. @default false */
  readonly readsCredentials?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Reads from the cluster the objects of a plan, the objects that they name, and those that its ComputeDeployments own.
 * Sends reads and applies with `dryRun=All`, and writes nothing. An object that the caller may not read is `Unknown`,
 * with a note. Throws where the API server does not answer.
 */
export async function observeCluster(
  client: KubeClient,
  kinds: ClusterKinds,
  units: PlanUnits,
  options: ObserveOptions,
): Promise<ObservedCluster> {
  return await new ClusterObserver(client, kinds, units, options).read();
}

/** An object that somebody applies, in place of the operator. */
export interface Applied {
  readonly namespace: string;
  readonly key: string;
  readonly path: string;
  readonly manifest: PlanUnit['nodes'][number]['manifest'];
}

class ClusterObserver {
  readonly #objects = new Map<string, KubeObject | 'Unknown'>();
  readonly #applied = new Map<string, AppliedObject>();
  readonly #owned: KubeObject[] = [];
  readonly #problems: PlanProblem[] = [];
  readonly #notes = new Set<string>();
  readonly #managers: ReadonlySet<string>;
  readonly #client: KubeClient;
  readonly #kinds: ClusterKinds;
  readonly #units: PlanUnits;
  readonly #options: ObserveOptions;

  constructor(client: KubeClient, kinds: ClusterKinds, units: PlanUnits, options: ObserveOptions) {
    this.#client = client;
    this.#kinds = kinds;
    this.#units = units;
    this.#options = options;
    const { fieldManager } = options;
    this.#managers = new Set([fieldManager, ...(fieldManager === kubectlManager ? [clientSideManager] : [])]);
    for (const problem of kinds.notes) this.#notes.add(`could not be read: ${problem}`);
  }

  async read(): Promise<ObservedCluster> {
    const { units, others } = this.#units;
    const applied = units.flatMap(appliedOf);
    const children = units.flatMap(({ namespace, nodes, deployment }) =>
      deployment ? nodes.map(({ key }) => ({ namespace, key })) : [],
    );
    await forEachAtMost(requests, applied, (each) => this.#readApplied(each));
    await forEachAtMost(requests, children, ({ namespace, key }) => this.#readServed(namespace, key));
    const needed = units.flatMap(({ namespace, nodes }) =>
      nodes.flatMap((node) => needsOf(node).flatMap(({ anyOf }) => anyOf.map((key) => `${namespace} ${key}`))),
    );
    if (this.#options.readsCredentials) needed.push(...units.map(({ namespace }) => `${namespace} ${namespaceSecret}`));
    const missing = [...new Set(needed)].filter((id) => !this.#objects.has(id) && !others.has(id));
    await forEachAtMost(requests, missing, async (id) => {
      const space = id.indexOf(' ');
      await this.#readServed(id.slice(0, space), id.slice(space + 1));
    });
    for (const unit of units) await this.#readOwned(unit);
    const { isServed, notes } = await readServedKinds(this.#client, this.#units.otherObjects, this.#options.signal);
    for (const note of notes) this.#notes.add(note);
    const observation: PlanObservation = {
      object: (namespace, key) => this.#objects.get(`${namespace} ${key}`),
      applied: (namespace, key) => this.#applied.get(`${namespace} ${key}`),
      ownedBy: (uid) =>
        this.#owned.filter(({ metadata }) =>
          metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true),
        ),
      isServed,
      managers: this.#managers,
    };
    return { observation, problems: this.#problems, notes: [...this.#notes] };
  }

  /** Reads an object, and asks the API server for the result of an apply of its manifest. */
  async #readApplied({ namespace, key, path, manifest }: Applied): Promise<void> {
    const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
    const { group } = keyParts(key);
    const type = this.#kinds.ofManifest(apiVersion, kind);
    if (!type) return this.#reportUnserved(path, namespace, group, kind, apiVersion);
    try {
      await this.#get(type, namespace, key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#reportUnserved(path, namespace, group, kind, apiVersion);
    }
    const { fieldManager, signal } = this.#options;
    const found = await dryRun(this.#client, type, manifest, {
      namespace,
      fieldManager,
      managers: this.#managers,
      ...(signal && { signal }),
    });
    if (found.note !== undefined) this.#notes.add(`${key}: ${found.note}`);
    const isNewNamespace = this.#units.others.has(`${namespace} ${nodeKey('', 'Namespace', namespace)}`);
    const isRefused = found.applied && 'refused' in found.applied;
    if (found.applied && !(isRefused && isNewNamespace)) this.#applied.set(`${namespace} ${key}`, found.applied);
  }

  /** Reads an object under a version that the cluster serves; of Secrets and ConfigMaps the metadata only. */
  async #readServed(namespace: string, key: string): Promise<void> {
    const { group, kind, name } = keyParts(key);
    if (group === '') return await this.#readMetadata(namespace, kind, name);
    const type = this.#kinds.served(group, kind);
    if (type) await this.#get(type, namespace, key);
  }

  async #get(type: ResourceType, namespace: string, key: string): Promise<void> {
    const { name } = keyParts(key);
    try {
      const object = await this.#client.tryGet(type, { namespace, name }, this.#options.signal);
      if (object) this.#objects.set(`${namespace} ${key}`, object);
    } catch (error) {
      this.#unknown(error, namespace, key);
    }
  }

  async #readMetadata(namespace: string, kind: string, name: string): Promise<void> {
    const plural = `${kind.toLowerCase()}s`;
    const type: ResourceType = { group: '', version: 'v1', plural, kind, namespaced: true };
    const { signal } = this.#options;
    const key = nodeKey('', kind, name);
    try {
      const fieldSelector = `metadata.name=${name}`;
      const options = { namespace, fieldSelector, metadataOnly: true, ...(signal && { signal }) };
      const { items } = await this.#client.list(type, options);
      const found = items.find(({ metadata }) => metadata.name === name);
      if (found) this.#objects.set(`${namespace} ${key}`, found);
    } catch (error) {
      this.#unknown(error, namespace, key);
    }
  }

  #unknown(error: unknown, namespace: string, key: string): void {
    if (!isForbidden(error)) throw error;
    this.#objects.set(`${namespace} ${key}`, 'Unknown');
    this.#notes.add(`you may not read ${keyParts(key).kind} in the namespace ${namespace}: its state is unknown`);
  }

  /** The objects that a deployment owns, whether or not its template still has them. */
  async #readOwned({ namespace, deployment }: PlanUnit): Promise<void> {
    if (!deployment) return;
    const holder = this.#objects.get(`${namespace} ${nodeKey('azimuth.dev', 'ComputeDeployment', deployment.name)}`);
    if (holder === undefined || holder === 'Unknown') return;
    const isLabel = labelValue.test(deployment.name);
    const selector = isLabel ? { labelSelector: `${deploymentLabel}=${deployment.name}` } : {};
    const { signal } = this.#options;
    await forEachAtMost(requests, this.#kinds.namespaced, async (type) => {
      try {
        const { items } = await listAll(this.#client, type, { namespace, ...selector, ...(signal && { signal }) });
        for (const item of items) this.#owned.push(item);
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isForbidden(error)) throw error;
        this.#notes.add(`you may not list ${type.kind} in the namespace ${namespace}: deletions of it are not shown`);
      }
    });
  }

  #reportUnserved(path: string, namespace: string, group: string, kind: string, apiVersion: string): void {
    if (this.#units.others.has(`${namespace} ${definitionKey(group, kind)}`)) return;
    const served = this.#kinds.served(group, kind);
    const fix = served ? `write ${group}/${served.version}, or apply its CRD` : 'apply its CRD first';
    this.#problems.push({ path, message: `the cluster does not serve ${kind} of ${apiVersion}: ${fix}` });
  }
}

/** The objects of a unit that the user applies: the operator applies those of a deployment, with its own rights. */
export function appliedOf({ namespace, nodes, paths, deployment }: PlanUnit): Applied[] {
  if (!deployment) return nodes.map(({ key, manifest }) => ({ namespace, key, path: paths.get(key) ?? '', manifest }));
  const key = nodeKey('azimuth.dev', 'ComputeDeployment', deployment.name);
  return [{ namespace, key, path: deployment.path, manifest: deployment.manifest }];
}
