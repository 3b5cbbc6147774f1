import type { Size } from 'cdk8s';
import type { NamespaceScopes } from '../private/scope-list.ts';

/** A service account whose pods get the identities of the machine. */
export interface ExceptedAccount {
  readonly namespace: string;
  /** Its name; `*` before or after it is any text. */
  readonly name: string;
}

/** Properties of `NodeIdentity`. */
export interface NodeIdentityProps {
  /** The namespace it runs in; it must exist and admit privileged pods, since these share their node's network. */
  readonly namespace: string;

  /** The container image that has the `azimuth` bin as its entry point, and iptables. */
  readonly image: string;

  /** The version label of its objects. */
  readonly version: string;

  /**
   * The multi-tenant profile (docs/guides/multi-tenant.md): the program keeps namespaces apart.
   *
   * @default false
   */
  readonly multiTenant?: boolean;

  /**
   * standard: the identity controller assigns identities; managed: bindings of the pod's own namespace decide, and
   * identities are attached to machines by other means.
   *
   * @default 'standard'
   */
  readonly mode?: 'standard' | 'managed';

  /**
   * Whether bindings and identities serve pods of their own namespace only; always so in managed mode.
   *
   * @default false
   */
  readonly forceNamespaced?: boolean;

  /**
   * Which user-assigned identities the AzureIdentities of a namespace may name: ARM ids of identities, or of their
   * resource groups and subscriptions, by namespace, or `*` for any. Give IdentityController the same value.
   *
   * @default any identity; none under the multi-tenant profile
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * Refuses pods the machine's instance metadata.
   *
   * @default false
   */
  readonly blockInstanceMetadata?: boolean;

  /**
   * Names of the Secrets that identities of types 1 and 2 may name; limits the role to these.
   *
   * @default any
   */
  readonly secretNames?: readonly string[];

  /**
   * Service accounts, by name in any namespace, whose pods use identities of the kind `workloadFederation`, or `all`.
   * An attacker with root on a node can become these accounts in the cluster, so list only those that need it.
   *
   * @default none, such identities are refused
   */
  readonly federatedAccounts?: readonly string[] | 'all';

  /**
   * Service accounts whose pods get the identities of the machine: programs that sign in as it.
   * Anybody who may create pods in the namespace can use them. AzurePodIdentityExceptions select further pods.
   *
   * @default none; `Platform` names its own programs
   */
  readonly exceptedAccounts?: readonly ExceptedAccount[];

  /**
   * Whether readers of the metrics need a token whose account may `get` the URL `/metrics` (ClusterRole
   * `azimuth-metrics-reader`), on a port of their own over TLS. Otherwise every pod of the cluster may read them.
   *
   * @default true
   */
  readonly metricsAuthentication?: boolean;

  /**
   * Nodes that are updated at a time: a number or a percentage. Pods of these nodes get no tokens for a moment.
   *
   * @default 1
   */
  readonly maxUnavailable?: number | string;

  /**
   * Further arguments.
   *
   * @default none
   */
  readonly args?: readonly string[];

  /**
   * Further environment variables.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>>;

  /**
   * Memory request and limit; a third of it is for the JavaScript heap.
   *
   * @default 192Mi
   */
  readonly memory?: Size;
}
