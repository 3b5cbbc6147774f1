import type { Duration, Size } from 'cdk8s';
import type { NamespaceScopes } from '../private/scope-list.ts';

/** The provider of the Secrets Store CSI driver. */
export interface CsiProviderProps {
  /**
   * Name that SecretProviderClasses have for it. `azure` takes the place of the Azure provider, which must be gone.
   *
   * @default 'azure'
   */
  readonly provider?: string;

  /**
   * Where the driver expects the sockets of providers.
   *
   * @default '/var/run/secrets-store-csi-providers'
   */
  readonly directory?: string;

  /**
   * Adds files `.crt` and `.key` beside each certificate with its key.
   *
   * @default false
   */
  readonly separateFiles?: boolean;

  /**
   * Memory of the Secrets Store CSI driver that the CSI volumes of a node may take together, each counted twice for its
   * rotation. A namespace may have as much as stays free for others. Raise the memory limit of the driver with it.
   *
   * @default 100Mi, a half of the driver's limit
   */
  readonly volumeMemory?: Size;
}

/** A private cloud (Azure Stack), with the names of an environment file's members. Addresses are https. */
export interface PrivateCloudProps {
  /** Where Microsoft Entra ID or ADFS answers, such as `https://adfs.local.azurestack.external/adfs`. */
  readonly activeDirectoryEndpoint: string;

  /** The suffix of vault names, such as `vault.local.azurestack.external`. */
  readonly keyVaultDNSSuffix: string;

  /**
   * Audience of tokens for vaults.
   *
   * @default 'https://' and the suffix
   */
  readonly keyVaultEndpoint?: string;

  /**
   * Where ARM answers; volumes do not ask it.
   *
   * @default the public cloud's
   */
  readonly resourceManagerEndpoint?: string;
}

/** Secrets of service principals, in one namespace. */
export interface RenewableSecretsProps {
  readonly namespace: string;
  /** Names of Secrets of the type `azure/kv`. */
  readonly names: readonly string[];
}

/** Properties of `KeyVaultVolumes`. */
export interface KeyVaultVolumesProps {
  /** The namespace it runs in; it must exist and admit privileged pods, since these write on their node. */
  readonly namespace: string;

  /** The container image that has the `azimuth` bin as its entry point, and the driver. */
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
   * kubelet's plugin directory, such as `/etc/kubernetes/volumeplugins` on AKS. The agent then mounts this directory
   * only, not the node's whole file system.
   *
   * @default detected on each node, for which the agent mounts the node's whole file system
   */
  readonly pluginDirectory?: string;

  /**
   * kubelet's root directory.
   *
   * @default '/var/lib/kubelet'
   */
  readonly kubeletDirectory?: string;

  /**
   * Settings of all volumes; docs/reference/key-vault-volumes.md lists them ("Settings of a node"). A ConfigMap has
   * them, so they must not include the password of a proxy.
   *
   * @default the defaults of the driver
   */
  readonly settings?: Readonly<Record<string, unknown>>;

  /**
   * Describes `AzureStackCloud` to driver, agent and CSI provider, and makes it the cloud of volumes that name none.
   * The settings carry it to the nodes, so they need no environment file.
   *
   * @default the cloud that the settings or the volumes name
   */
  readonly cloud?: PrivateCloudProps;

  /**
   * Time between two reads of a vault for volumes with `refresh: "true"`; 10 seconds at least.
   *
   * @default 2 minutes
   */
  readonly refreshInterval?: Duration;

  /**
   * Namespaces whose workloads the agents may restart when vault objects change (KeyVaultVolume.restartOnChange).
   * The permission to patch a workload is a permission to run anything in it: list only the namespaces that need it.
   *
   * @default none
   */
  readonly restartNamespaces?: readonly string[];

  /**
   * Secrets that the agents may read. When Microsoft Entra ID refuses the service principal from kubelet, the agent
   * continues with the renewed one from the Secret. The agents of all nodes may then read these Secrets.
   *
   * @default none: the pod gets an event, and somebody has to restart it
   */
  readonly renewableSecrets?: readonly RenewableSecretsProps[];

  /**
   * Whether readers of the metrics need a token whose account may `get` the URL `/metrics` (ClusterRole
   * `azimuth-metrics-reader`), on a port of their own over TLS. Otherwise every pod of the cluster may read them.
   *
   * @default true
   */
  readonly metricsAuthentication?: boolean;

  /**
   * Accepted and not used: the agent asks the node daemon (NodeIdentity) over its Unix socket.
   *
   * @default none
   */
  readonly nmiPort?: number;

  /**
   * Which namespaces may use which identities of the machine in volumes. `settings.machineIdentities` must list these too.
   *
   * @default all that the settings list; none under the multi-tenant profile
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * Whether the agents install the FlexVolume driver `azure/kv`.
   *
   * @default true
   */
  readonly flex?: boolean;

  /**
   * Serves SecretProviderClasses of the Secrets Store CSI driver too. Install that driver separately.
   *
   * @default the agents serve none
   */
  readonly csi?: CsiProviderProps;

  /**
   * Removes the driver from every node. Deploy this before you delete the DaemonSet.
   *
   * @default false
   */
  readonly remove?: boolean;

  /**
   * Nodes that are updated at a time: a number or a percentage. Mounts with pod identities wait on these nodes.
   *
   * @default '10%'
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
   * Memory request and limit.
   *
   * @default 240Mi, 48Mi of it for the process that reads keys and certificates (docs/adr/0032)
   */
  readonly memory?: Size;
}
