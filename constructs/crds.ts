import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { type CrdManifest, crdManifest, type DescriptionChoice, type VersionChoice } from '../runtime/api/crd.ts';
import { allKinds, operatorKinds } from '../runtime/api/kinds.ts';
import { type FieldTexts, readFieldTexts } from '../runtime/api/schema/field-texts.ts';
import type { KindDefinition } from '../runtime/api/types.ts';
import { KubernetesVersion } from './private/kubernetes-version.ts';
import { namedByApp } from './private/named-by-app.ts';

/**
 * Makes Argo CD, Flux and Helm keep a definition that the manifests do not have any more, because deleting a definition
 * deletes all its objects.
 */
const keepAnnotations = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'helm.sh/resource-policy': 'keep',
  // Argo CD waits until a wave is healthy: a definition is when it is established.
  'argocd.argoproj.io/sync-wave': '-10',
} as const;

/** Properties of `Crds`. */
export interface CrdsProps {
  /**
   * The kinds to define.
   *
   * @default every kind that Azimuth serves
   */
  readonly kinds?: readonly KindDefinition[] | undefined;

  /**
   * Whether to define, beside `kinds`, the kinds of Azure resources that objects of the app need: their own kinds, and
   * those of their references and owners, also of objects that are made after this construct.
   *
   * @default false
   */
  readonly namedByApp?: boolean | undefined;

  /**
   * The versions to serve: all that ASO v2's users may name; the newest alone, which takes the API server a third of the
   * memory; or the newest and those listed as `group/version`.
   *
   * @default 'all'
   */
  readonly versions?: VersionChoice | undefined;

  /**
   * Whether the definitions of Azure resources have what Azure says about their fields, for `kubectl explain`: in the
   * newest version, which is `true` too, or in all. They then take the API server up to half as much memory again. The built
   * package has the texts; a clone has those of its last `npm run build`.
   *
   * @default false
   */
  readonly descriptions?: boolean | DescriptionChoice | undefined;

  /**
   * The oldest API server the manifests are meant for, like 1.27. Before 1.25 the rules in CEL are left out, as kubectl
   * refuses to send them there.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string | undefined;
}

/**
 * The CustomResourceDefinitions of Azimuth's kinds, annotated so that GitOps tools and Helm do not prune them.
 *
 * Keep it in a chart of its own that the other charts depend on: the API server must know a kind before an object of
 * it arrives, and `cdk8s synth` then numbers the files in that order.
 */
export class Crds extends Construct {
  readonly #props: CrdsProps;
  readonly #cel: boolean;
  readonly #texts: FieldTexts;

  constructor(scope: Construct, id: string, props: CrdsProps = {}) {
    super(scope, id);
    this.#props = props;
    this.#cel = KubernetesVersion.of(props.kubernetesVersion ?? '1.27').atLeast(1, 25);
    this.#texts = props.descriptions ? readFieldTexts() : {};
    for (const kind of this.kinds) this.#define(kind);
    // The app may be incomplete until its synthesis, which validates it first.
    if (props.namedByApp) {
      this.node.addValidation({
        validate: () => {
          for (const kind of this.kinds) if (!this.node.tryFindChild(crdName(kind))) this.#define(kind);
          return [];
        },
      });
    }
  }

  /** The defined kinds, by the names of their definitions. With `namedByApp` they are complete once the app is. */
  get kinds(): readonly KindDefinition[] {
    const { kinds = allKinds } = this.#props;
    const named = this.#props.namedByApp ? namedByApp(this) : new Map<string, string>();
    const more = operatorKinds.filter((kind) => named.has(`${kind.group}/${kind.kind}`) && !kinds.includes(kind));
    return [...kinds, ...more].sort((a, b) => (crdName(a) < crdName(b) ? -1 : 1));
  }

  #define(kind: KindDefinition): void {
    const { versions, descriptions } = this.#props;
    const { metadata, ...manifest } = crdManifest(kind, {
      cel: this.#cel,
      versions,
      texts: this.#texts[`${kind.group}/${kind.kind}`],
      descriptions: descriptions === 'all' ? 'all' : 'newest',
    });
    const annotations = { ...metadata.annotations, ...keepAnnotations };
    new Definition(this, crdName(kind), { ...manifest, metadata: { ...metadata, annotations } });
  }
}

const crdName = (kind: KindDefinition) => `${kind.plural}.${kind.group}`;

/**
 * A CustomResourceDefinition. Its spec has no token, so that cdk8s need not resolve and copy it twice in each synthesis:
 * that takes a third of the time of all definitions.
 */
class Definition extends ApiObject {
  readonly #spec: unknown;
  readonly #patches: JsonPatch[] = [];

  constructor(scope: Construct, id: string, { spec, ...head }: CrdManifest) {
    super(scope, id, head);
    this.#spec = sorted(spec);
  }

  override addJsonPatch(...patches: JsonPatch[]): void {
    this.#patches.push(...patches);
  }

  override toJson(): unknown {
    const json = { ...(super.toJson() as object), spec: this.#spec };
    return this.#patches.length === 0 ? json : JsonPatch.apply(structuredClone(json), ...this.#patches);
  }
}

/** A copy with sorted keys, as cdk8s makes it. It shares no parts: YAML would have anchors for them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) copy[key] = sorted((value as Record<string, unknown>)[key]);
  return copy;
}
