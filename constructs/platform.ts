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
import type { NamespaceScopes } from './private/scope-list.ts';
import { ResourceOperator, type ResourceOperatorProps } from './resource-operator.ts';
import { TenantNamespace } from './tenant-namespace.ts';
import { TenantRoles } from './tenant-roles.ts';

/** Properties of `Platform`. */
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
   * The multi-tenant profile: whoever may write every kind, Secret, ConfigMap and pod of one namespace cannot reach what
   * belongs to another one. It sets `--multi-tenant` on every program and adds the roles of TenantRoles. Without
   * `operator.credentialScopes` and `identityScopes` nothing is allowed that these would allow; `notes` has a warning.
   *
   * @default false, as the programs' predecessors: every program warns at its start
   */
  readonly multiTenant?: boolean;

  /**
   * Which user-assigned identities a namespace may use, by its AzureIdentities and its volumes: ARM ids of identities, or of
   * what they lie in, by namespace, or `*` for any.
   *
   * @default any identity; none under the multi-tenant profile
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * Namespaces of tenants that the platform makes, with the Pod Security level `baseline` enforced.
   *
   * @default none: label the namespaces yourself
   */
  readonly tenantNamespaces?: readonly string[];

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
    | Partial<
        Pick<
          ResourceOperatorProps,
          'settingsSecret' | 'credentialScopes' | 'targetNamespaces' | 'replicas' | 'env' | 'memory'
        >
      >
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
  readonly keyVaultVolumes?:
    | Omit<Partial<KeyVaultVolumesProps>, 'namespace' | 'image' | 'version' | 'multiTenant' | 'identityScopes'>
    | false;
}

/** The properties that the platform sets for both controller and daemon. */
type SharedPodIdentityProps = 'namespace' | 'image' | 'version' | 'forceNamespaced' | 'identityScopes' | 'multiTenant';

/** Settings of pod identity on a platform; what its two programs share is set once. */
export interface PlatformPodIdentityProps {
  /**
   * Settings of the controller.
   *
   * @default the defaults of IdentityController
   */
  readonly controller?: Omit<Partial<IdentityControllerProps>, 'namespace' | SharedPodIdentityProps>;

  /**
   * Settings of the daemon.
   *
   * @default the defaults of NodeIdentity
   */
  readonly node?: Omit<Partial<NodeIdentityProps>, 'namespace' | SharedPodIdentityProps>;

  /**
   * Whether bindings and identities serve pods of their own namespace only.
   *
   * @default false; always true under the multi-tenant profile
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
  /** What somebody who deploys this should know, in one sentence each; no fault. */
  readonly notes: readonly string[];

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    const { image, version, kinds, versions, kubernetesVersion, multiTenant = false } = props;
    const profile = multiTenant ? { multiTenant } : {};
    const identities = { ...profile, ...(props.identityScopes && { identityScopes: props.identityScopes }) };
    this.notes = notesOf(props);
    this.namespace = props.namespace ?? 'azimuth-system';

    const served = [
      ...(props.podIdentity ? podIdentityKinds : []),
      ...(props.operator === false ? [] : selectKinds(kinds ?? everyKind, operatorKinds)),
    ];
    // Volumes alone have no kinds, and kubectl refuses a file without objects.
    const definitions = served.length > 0 ? new Chart(scope, `${id}-crds`) : undefined;
    const programs = new Chart(scope, `${id}-programs`);
    if (definitions) programs.addDependency(definitions);
    this.crds = new Crds(definitions ?? programs, 'Crds', { kinds: served, versions, kubernetesVersion });

    const namespace = namespaceFor(programs, 'Namespace', this.namespace, 'restricted');
    if (props.operator !== false) {
      this.operator = new ResourceOperator(programs, 'Operator', {
        ...props.operator,
        namespace: this.namespace,
        image,
        version,
        kinds,
        kubernetesVersion,
        ...profile,
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
    if (multiTenant) {
      const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'app.kubernetes.io/version': version };
      new TenantRoles(programs, 'TenantRoles', { kinds: this.crds.kinds, labels });
    }
    for (const name of props.tenantNamespaces ?? []) new TenantNamespace(programs, `Tenant-${name}`, { name });
    this.node.addValidation({ validate: () => problems(props) });
    if (!props.podIdentity && !props.keyVaultVolumes) return;

    const nodeNamespace = `${this.namespace}-nodes`;
    const privileged = namespaceFor(programs, 'NodeNamespace', nodeNamespace, 'privileged');
    if (props.keyVaultVolumes) {
      const own = { namespace: nodeNamespace, image, version, ...identities };
      this.keyVaultVolumes = new KeyVaultVolumes(programs, 'KeyVaultVolumes', { ...props.keyVaultVolumes, ...own });
      this.keyVaultVolumes.node.addDependency(privileged);
    }
    if (!props.podIdentity) return;

    const { controller, node, forceNamespaced = multiTenant, nodeImage = image } = props.podIdentity;
    this.identityController = new IdentityController(programs, 'IdentityController', {
      kubernetesVersion,
      ...controller,
      namespace: this.namespace,
      image,
      version,
      forceNamespaced,
      ...identities,
    });
    this.identityController.node.addDependency(namespace);
    this.nodeIdentity = new NodeIdentity(programs, 'NodeIdentity', {
      ...node,
      namespace: nodeNamespace,
      image: nodeImage,
      version,
      ...(forceNamespaced && { forceNamespaced }),
      ...identities,
    });
    this.nodeIdentity.node.addDependency(privileged);
  }
}

function problems({ multiTenant, podIdentity, tenantNamespaces = [] }: PlatformProps): string[] {
  const found = tenantNamespaces
    .filter(
      (name, index) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name) || tenantNamespaces.indexOf(name) < index,
    )
    .map((name) => `Expected \`tenantNamespaces\` to name each namespace once, got \`${name}\``);
  if (multiTenant && podIdentity && podIdentity.forceNamespaced === false) {
    found.push('Expected `podIdentity.forceNamespaced` not to be false with `multiTenant`, where it is always so');
  }
  return found;
}

function notesOf({ multiTenant, operator, podIdentity, keyVaultVolumes, identityScopes }: PlatformProps): string[] {
  if (!multiTenant) return [];
  return [
    ...(operator === false || operator?.credentialScopes
      ? []
      : [
          'Without `operator.credentialScopes` (AZURE_OPERATOR_CREDENTIAL_SCOPES) no namespace may use the credential of the ' +
            'operator: each needs a Secret `aso-credential` of its own.',
        ]),
    ...((!podIdentity && !keyVaultVolumes) || identityScopes
      ? []
      : [
          'Without `identityScopes` (AZIMUTH_IDENTITY_SCOPES) no AzureIdentity may name a user-assigned identity (type 0), and ' +
            "no volume may use the machine's: types 1, 2 and 3 are left.",
        ]),
  ];
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
