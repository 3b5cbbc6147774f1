import { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { selectKinds } from '../runtime/api/kind-pattern.ts';
import { operatorKinds, podIdentityKinds } from '../runtime/api/kinds.ts';
import { Crds } from './crds.ts';
import { ResourceOperator, type ResourceOperatorProps } from './resource-operator.ts';

export interface PlatformProps {
  /** The container image of all programs. */
  readonly image: string;

  /** The version label of all objects. */
  readonly version: string;

  /**
   * The namespace of the programs; it is created.
   *
   * @default 'azimuth-system'
   */
  readonly namespace?: string;

  /**
   * The kinds of Azure resources to define and to serve: globs over `group/Kind`, separated by `;`, such as
   * `resources.azure.com/*;storage.azure.com/*`. The other programs' kinds are defined in any case.
   *
   * @default '*', every kind that the operator has
   */
  readonly kinds?: string;

  /**
   * The oldest API server the manifests are meant for, like 1.27.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string;

  /**
   * Settings of the operator.
   *
   * @default the defaults of ResourceOperator
   */
  readonly operator?: Partial<Pick<ResourceOperatorProps, 'settingsSecret' | 'replicas' | 'env' | 'memory'>>;
}

/**
 * All of Azimuth: the definitions of its kinds in one chart, the programs in another that depends on it.
 *
 * Neither chart has a namespace of its own, because cdk8s would stamp it on cluster-scoped objects too. They are
 * siblings of this construct, so that the files are called after them without a hash.
 */
export class Platform extends Construct {
  readonly namespace: string;
  readonly crds: Crds;
  readonly operator: ResourceOperator;

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    const { image, version, kinds, kubernetesVersion } = props;
    this.namespace = props.namespace ?? 'azimuth-system';

    const definitions = new Chart(scope, `${id}-crds`);
    this.crds = new Crds(definitions, 'Crds', {
      kinds: kinds === undefined ? undefined : [...podIdentityKinds, ...selectKinds(kinds, operatorKinds)],
      kubernetesVersion,
    });

    const programs = new Chart(scope, `${id}-programs`);
    programs.addDependency(definitions);
    const namespace = new k8s.KubeNamespace(programs, 'Namespace', {
      metadata: {
        name: this.namespace,
        labels: {
          'app.kubernetes.io/part-of': 'azimuth',
          'pod-security.kubernetes.io/enforce': 'restricted',
        },
      },
    });
    this.operator = new ResourceOperator(programs, 'Operator', {
      ...props.operator,
      namespace: this.namespace,
      image,
      version,
      kinds,
      kubernetesVersion,
    });
    this.operator.node.addDependency(namespace);
  }
}
