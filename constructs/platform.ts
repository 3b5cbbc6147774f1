import { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { VersionChoice } from '../runtime/api/crd.ts';
import { everyKind, selectKinds } from '../runtime/api/kind-pattern.ts';
import { operatorKinds, podIdentityKinds } from '../runtime/api/kinds.ts';
import { Crds } from './crds.ts';
import { IdentityController, type IdentityControllerProps } from './identity-controller.ts';
import { KeyVaultVolumes, type KeyVaultVolumesProps } from './key-vault-volumes.ts';
import { NodeIdentity, type NodeIdentityProps } from './node-identity.ts';
import { OperatorDashboard, type OperatorDashboardProps } from './operator-dashboard.ts';
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
   * `resources.azure.com/*;storage.azure.com/*`. Kinds of programs that are left out are not defined.
   *
   * @default '*', every kind that the operator has
   */
  readonly kinds?: string;

  /**
   * The versions of those kinds to serve: all that ASO v2's users may name in a manifest; the newest alone, which takes the
   * API server a third of the memory; or the newest and those listed as `group/version`.
   *
   * @default 'all'
   */
  readonly versions?: VersionChoice;

  /**
   * The oldest API server the manifests are meant for, like 1.27.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string;

  /**
   * Azure resources as custom resources: the operator's settings, or false to leave it out, and its kinds with it.
   *
   * @default the defaults of ResourceOperator
   */
  readonly operator?:
    | Partial<Pick<ResourceOperatorProps, 'settingsSecret' | 'credentialScopes' | 'replicas' | 'env' | 'memory'>>
    | false;

  /**
   * A Grafana dashboard of the operator: its settings, or false for none.
   *
   * @default false
   */
  readonly dashboard?: Partial<Omit<OperatorDashboardProps, 'version'>> | false;

  /**
   * Pod identities: the settings of the controller and of the daemon on every node, or false to leave both out. The
   * daemons share their nodes' network, so they run in a namespace of their own that admits that.
   *
   * They have to be asked for: from the moment a daemon runs, pods of its node that no binding selects are refused the
   * tokens of the machine, which they may have been using.
   *
   * @default false
   */
  readonly podIdentity?: PlatformPodIdentityProps | false;

  /**
   * Key Vault volumes: the settings of the agent on every node, or false to leave it out. It shares its nodes' network, so
   * it runs in the namespace of the daemons.
   *
   * @default false
   */
  readonly keyVaultVolumes?: Omit<Partial<KeyVaultVolumesProps>, 'namespace' | 'image' | 'version'> | false;
}

export interface PlatformPodIdentityProps {
  /**
   * Settings of the controller.
   *
   * @default the defaults of IdentityController
   */
  readonly controller?: Omit<Partial<IdentityControllerProps>, 'namespace' | 'image' | 'version' | 'forceNamespaced'>;

  /**
   * Settings of the daemon.
   *
   * @default the defaults of NodeIdentity
   */
  readonly node?: Omit<Partial<NodeIdentityProps>, 'namespace' | 'image' | 'version' | 'forceNamespaced'>;

  /**
   * Whether bindings and identities serve pods of their own namespace only.
   *
   * @default false
   */
  readonly forceNamespaced?: boolean;

  /**
   * The image of the daemons, which needs iptables.
   *
   * @default the image of all programs
   */
  readonly nodeImage?: string;
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
  readonly operator: ResourceOperator | undefined;
  readonly identityController: IdentityController | undefined;
  readonly nodeIdentity: NodeIdentity | undefined;
  readonly keyVaultVolumes: KeyVaultVolumes | undefined;

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    const { image, version, kinds, versions, kubernetesVersion } = props;
    this.namespace = props.namespace ?? 'azimuth-system';

    const definitions = new Chart(scope, `${id}-crds`);
    this.crds = new Crds(definitions, 'Crds', {
      kinds: [
        ...(props.podIdentity ? podIdentityKinds : []),
        ...(props.operator === false ? [] : selectKinds(kinds ?? everyKind, operatorKinds)),
      ],
      versions,
      kubernetesVersion,
    });

    const programs = new Chart(scope, `${id}-programs`);
    programs.addDependency(definitions);
    const namespace = namespaceFor(programs, 'Namespace', this.namespace, 'restricted');
    if (props.operator !== false) {
      this.operator = new ResourceOperator(programs, 'Operator', {
        ...props.operator,
        namespace: this.namespace,
        image,
        version,
        kinds,
        kubernetesVersion,
      });
      this.operator.node.addDependency(namespace);
      if (props.dashboard) {
        const dashboard = new OperatorDashboard(programs, 'OperatorDashboard', {
          namespace: this.namespace,
          ...props.dashboard,
          version,
        });
        dashboard.node.addDependency(namespace);
      }
    }
    if (!props.podIdentity && !props.keyVaultVolumes) return;

    const nodeNamespace = `${this.namespace}-nodes`;
    const privileged = namespaceFor(programs, 'NodeNamespace', nodeNamespace, 'privileged');
    if (props.keyVaultVolumes) {
      const own = { namespace: nodeNamespace, image, version };
      this.keyVaultVolumes = new KeyVaultVolumes(programs, 'KeyVaultVolumes', { ...props.keyVaultVolumes, ...own });
      this.keyVaultVolumes.node.addDependency(privileged);
    }
    if (!props.podIdentity) return;

    const { controller, node, forceNamespaced = false, nodeImage = image } = props.podIdentity;
    this.identityController = new IdentityController(programs, 'IdentityController', {
      kubernetesVersion,
      ...controller,
      namespace: this.namespace,
      image,
      version,
      forceNamespaced,
    });
    this.identityController.node.addDependency(namespace);
    this.nodeIdentity = new NodeIdentity(programs, 'NodeIdentity', {
      ...node,
      namespace: nodeNamespace,
      image: nodeImage,
      version,
      ...(forceNamespaced && { forceNamespaced }),
    });
    this.nodeIdentity.node.addDependency(privileged);
  }
}

function namespaceFor(
  scope: Construct,
  id: string,
  name: string,
  enforce: 'restricted' | 'privileged',
): k8s.KubeNamespace {
  const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'pod-security.kubernetes.io/enforce': enforce };
  return new k8s.KubeNamespace(scope, id, { metadata: { name, labels } });
}
