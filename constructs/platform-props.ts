import type { DescriptionChoice, VersionChoice } from '../runtime/api/crd.ts';
import type { KeyVaultVolumesProps } from './key-vault/key-vault-volumes-props.ts';
import type { SecretEndpointProps } from './machine-secrets/secret-endpoint.ts';
import type { ServiceAccountName } from './monitoring/metrics-reader.ts';
import type { MonitoringProps } from './monitoring/monitoring.ts';
import type { ProgramDashboardProps } from './monitoring/program-dashboard.ts';
import type { IdentityControllerProps } from './pod-identity/identity-controller.ts';
import type { NodeIdentityProps } from './pod-identity/node-identity.ts';
import type { NamespaceScopes } from './private/scope-list.ts';
import type { ResourceOperatorProps } from './resource-operator.ts';
import type { WebPageProps } from './web-page.ts';

/** Properties of `Platform`. */
export interface PlatformProps {
  /** The container image of all programs; by digest, such as `registry.example/azimuth@sha256:…`, it cannot change. */
  readonly image: string;

  /**
   * The image of the programs on nodes: the node daemon, which needs iptables, and the agent of Key Vault volumes, which
   * needs the driver. The target `node` of the Dockerfile has both.
   *
   * @default `image`
   */
  readonly nodeImage?: string | undefined;

  /** The version label of all objects. */
  readonly version: string;

  /**
   * The namespace of the programs; it is created.
   *
   * @default 'azimuth-system'
   */
  readonly namespace?: string | undefined;

  /**
   * The multi-tenant profile: an author of every kind, Secret, ConfigMap and pod of one namespace cannot reach
   * resources of another one. It sets `--multi-tenant` on every program and adds the roles of TenantRoles. Without
   * `operator.credentialScopes` and `identityScopes` the programs refuse everything that these would allow; `notes` has
   * a warning.
   *
   * @default false: every program writes a warning at its start
   */
  readonly multiTenant?: boolean;

  /**
   * Which user-assigned identities a namespace may use, by its AzureIdentities and its volumes: ARM ids of identities, or of
   * their resource groups and subscriptions, by namespace, or `*` for any.
   *
   * @default any identity; none under the multi-tenant profile
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * Namespaces of tenants that the platform creates, with the Pod Security level `baseline` enforced.
   *
   * @default none: label the namespaces yourself
   */
  readonly tenantNamespaces?: readonly string[];

  /**
   * The kinds of Azure resources to define and to serve: globs over `group/Kind`, in a list or separated by `;`, such as
   * `resources.azure.com/*;storage.azure.com/*`, or `*` for all. The platform defines no kinds of programs that it does
   * not deploy.
   *
   * @default defines ArmResource and the kinds that the objects of the app need, and serves every kind whose
   * definition in the cluster is Azimuth's, so that definitions of earlier manifests stay in use
   */
  readonly kinds?: string | readonly string[] | undefined;

  /**
   * The versions of those kinds to serve: all that ASO v2's users may name in a manifest; the newest alone, which takes the
   * API server a third of the memory; or the newest and those listed as `group/version`.
   *
   * @default 'all'
   */
  readonly versions?: VersionChoice | undefined;

  /**
   * Whether the definitions of those kinds have what Azure says about their fields, for `kubectl explain`: in the newest
   * version, which is `true` too, or in all. They then take the API server up to half as much memory again.
   *
   * @default false
   */
  readonly descriptions?: boolean | DescriptionChoice | undefined;

  /**
   * The oldest API server the manifests are meant for, like 1.27.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string | undefined;

  /**
   * Azure resources as custom resources: the operator's settings, or false for no operator and none of its kinds.
   *
   * @default the defaults of ResourceOperator
   */
  readonly operator?:
    | Partial<
        Pick<
          ResourceOperatorProps,
          | 'settingsSecret'
          | 'credentialScopes'
          | 'allowAccessGrants'
          | 'gateJobs'
          | 'targetNamespaces'
          | 'checkServiceAccounts'
          | 'replicas'
          | 'env'
          | 'memory'
        >
      >
    | false;

  /**
   * PodMonitors and alerts for the Prometheus operator: their settings, or false for none.
   *
   * @default false
   */
  readonly monitoring?: Partial<Pick<MonitoringProps, 'labels' | 'interval' | 'runbooks' | 'namespace'>> | false;

  /**
   * Namespaces whose pods may read the metrics of the controllers.
   *
   * @default ['monitoring']
   */
  readonly metricsFrom?: readonly string[];

  /**
   * Whether readers of the metrics of programs on nodes need a token: these programs use the network of their node, where
   * NetworkPolicies have no effect. Otherwise every pod of the cluster may read them.
   *
   * @default true
   */
  readonly metricsAuthentication?: boolean;

  /**
   * Service accounts that may read the metrics of programs on nodes, such as that of a Prometheus with a configuration of
   * its own. The PodMonitors of `monitoring` have an account of their own.
   *
   * @default none
   */
  readonly metricsReaders?: readonly ServiceAccountName[];

  /**
   * A Grafana dashboard of each program: their settings, or false for none.
   *
   * @default false
   */
  readonly dashboard?: Partial<Omit<ProgramDashboardProps, 'version' | 'program'>> | false;

  /**
   * Pod identities: the settings of the controller and of the daemon on every node, or false for neither. The daemons
   * use the network of their nodes, so they run in a namespace of their own that admits privileged pods.
   *
   * Off by default, because a daemon refuses the tokens of the machine to pods that no binding selects, and pods may
   * have been using these.
   *
   * @default false
   */
  readonly podIdentity?: PlatformPodIdentityProps | false;

  /**
   * Key Vault volumes: the settings of the agent on every node, or false for no agent. The agent uses the network of
   * its node, so it runs in the namespace of the daemons.
   *
   * @default false
   */
  readonly keyVaultVolumes?:
    | Omit<
        Partial<KeyVaultVolumesProps>,
        'namespace' | 'image' | 'version' | 'multiTenant' | 'identityScopes' | 'metricsAuthentication'
      >
    | false;

  /**
   * Secrets of machines: the kinds ManagedSecret, FeatureRegistration and FeatureApproval, their part of the operator,
   * and, with the settings `endpoint`, the endpoint that machines poll.
   *
   * @default false
   */
  readonly machineSecrets?: PlatformMachineSecretsProps | false;

  /**
   * Deployments into several locations: the kinds ComputeDeployment and ComputeRun, and their part of the operator. It may
   * create and delete objects of its kinds then.
   *
   * @default false
   */
  readonly deployments?: boolean;

  /**
   * The page of resources in the cluster (docs/guides/seeing-resources.md), which works with the token of each reader:
   * its settings, or false for none.
   *
   * @default false
   */
  readonly ui?: Pick<WebPageProps, 'hosts' | 'cloud' | 'proxy' | 'memory'> | false;
}

/** Settings of machine secrets on a platform. */
export interface PlatformMachineSecretsProps {
  /**
   * Settings of the endpoint, or false for none.
   *
   * @default false
   */
  readonly endpoint?:
    | Omit<SecretEndpointProps, 'namespace' | 'image' | 'version' | 'multiTenant' | 'identityScopes'>
    | false;
}

/** The properties that the platform sets for both controller and daemon. */
type SharedPodIdentityProps = 'namespace' | 'image' | 'version' | 'forceNamespaced' | 'identityScopes' | 'multiTenant';

/** Settings of pod identity on a platform; the platform sets the common properties of both programs. */
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
  readonly node?: Omit<Partial<NodeIdentityProps>, SharedPodIdentityProps | 'metricsAuthentication'>;

  /**
   * Whether bindings and identities serve pods of their own namespace only.
   *
   * @default false; always true under the multi-tenant profile
   */
  readonly forceNamespaced?: boolean;

  /**
   * The image of the daemons, which needs iptables.
   *
   * @default `nodeImage` of the platform
   * @deprecated Use `nodeImage` of the platform.
   */
  readonly nodeImage?: string | undefined;
}
