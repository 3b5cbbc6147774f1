import { computeDeployment } from '../../api/deployments/compute-deployment.ts';
import { machineKinds, operatorKinds, resourceOf, tryKindOf } from '../../api/kinds.ts';
import { groupOf, nodeKey } from '../../compute/deployments/references.ts';
import type { KubeClient, ResourceType } from '../../kube/client/types.ts';
import { discoverKinds } from '../../view/read/discover.ts';

/** An object by namespace and the key of a plan. */
export interface PlanKey {
  readonly namespace: string;
  /** `VirtualMachine.compute.azure.com/web` */
  readonly key: string;
}

/** A key of a plan in its parts. */
export function keyParts(key: string): { readonly group: string; readonly kind: string; readonly name: string } {
  const slash = key.indexOf('/');
  const [kind = '', ...group] = key.slice(0, slash).split('.');
  return { group: group.join('.'), kind, name: key.slice(slash + 1) };
}

const wanted = [...operatorKinds, ...machineKinds, computeDeployment].map((kind) => ({ type: resourceOf(kind) }));

/** The kinds of a plan that a cluster serves. */
export class ClusterKinds {
  readonly #types: ReadonlyMap<string, ResourceType>;
  /** Sentences about groups whose discovery failed. */
  readonly notes: readonly string[];

  private constructor(types: readonly ResourceType[], notes: readonly string[]) {
    this.#types = new Map(types.map((type) => [nodeKey(type.group, type.kind, ''), type]));
    this.notes = notes;
  }

  /** Asks the API server. Throws where `/apis` cannot be read. */
  static async read(client: KubeClient, signal?: AbortSignal): Promise<ClusterKinds> {
    const { kinds, problems } = await discoverKinds(client, wanted, signal);
    return new ClusterKinds(
      kinds.map(({ type }) => type),
      problems,
    );
  }

  /** Under a version that the API server has; undefined for a kind that it does not serve. */
  served(group: string, kind: string): ResourceType | undefined {
    return this.#types.get(nodeKey(group, kind, ''));
  }

  /** The kind of a manifest under the manifest's own version. */
  ofManifest(apiVersion: string, kind: string): ResourceType | undefined {
    const type = this.served(groupOf(apiVersion), kind);
    return type && { ...type, version: apiVersion.split('/')[1] ?? type.version };
  }

  /** Kinds whose objects a deployment may own. */
  get namespaced(): readonly ResourceType[] {
    return [...this.#types.values()].filter(({ namespaced }) => namespaced);
  }
}

/** The key of the CRD of a kind, as a file may have it. */
export function definitionKey(group: string, kind: string): string {
  const { plural = '' } = tryKindOf(group, kind) ?? {};
  return nodeKey('apiextensions.k8s.io', 'CustomResourceDefinition', `${plural}.${group}`);
}
