import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { crdManifest, type VersionChoice } from '../runtime/api/crd.ts';
import { allKinds } from '../runtime/api/kinds.ts';
import type { KindDefinition } from '../runtime/api/types.ts';
import { KubernetesVersion } from './private/kubernetes-version.ts';

/**
 * Makes Argo CD, Flux and Helm keep a definition that the manifests do not have any more, because deleting a definition
 * deletes all its objects.
 */
const keepAnnotations = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'helm.sh/resource-policy': 'keep',
} as const;

/** Properties of `Crds`. */
export interface CrdsProps {
  /**
   * The kinds to define.
   *
   * @default every kind that Azimuth serves
   */
  readonly kinds?: readonly KindDefinition[];

  /**
   * The versions to serve: all that ASO v2's users may name; the newest alone, which takes the API server a third of the
   * memory; or the newest and those listed as `group/version`.
   *
   * @default 'all'
   */
  readonly versions?: VersionChoice;

  /**
   * The oldest API server the manifests are meant for, like 1.27. Before 1.25 the rules in CEL are left out, as kubectl
   * refuses to send them there.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string;
}

/**
 * The CustomResourceDefinitions of Azimuth's kinds, annotated so that GitOps tools and Helm do not prune them.
 *
 * Keep it in a chart of its own that the other charts depend on: the API server must know a kind before an object of
 * it arrives, and `cdk8s synth` then numbers the files in that order.
 */
export class Crds extends Construct {
  readonly kinds: readonly KindDefinition[];

  constructor(scope: Construct, id: string, props: CrdsProps = {}) {
    super(scope, id);
    this.kinds = [...(props.kinds ?? allKinds)].sort((a, b) => (crdName(a) < crdName(b) ? -1 : 1));
    const cel = KubernetesVersion.of(props.kubernetesVersion ?? '1.27').atLeast(1, 25);
    for (const kind of this.kinds) {
      const { metadata, ...manifest } = crdManifest(kind, { cel, versions: props.versions });
      const annotations = { ...metadata.annotations, ...keepAnnotations };
      new ApiObject(this, crdName(kind), { ...manifest, metadata: { ...metadata, annotations } });
    }
  }
}

const crdName = (kind: KindDefinition) => `${kind.plural}.${kind.group}`;
