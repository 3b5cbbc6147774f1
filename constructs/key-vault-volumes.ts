import { createHash } from 'node:crypto';
import { type Duration, Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { renewalRules, restartRules, volumesPermissions } from '../runtime/api/permissions.ts';
import { shortestRefresh } from '../runtime/api/volumes/vault-objects.ts';
import { type ProgramLabels, programLabels } from './private/labels.ts';
import { maxUnavailableProblems, nodeDaemonSet, rootWith } from './private/node-daemon.ts';
import { apiAccess, environment, probes, programProblems, resources } from './private/program-pod.ts';
import { NamespaceGrant, ProgramRbac } from './private/rbac.ts';
import { type NamespaceScopes, scopeArguments, scopeProblems } from './private/scope-list.ts';

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
}

/** A private cloud (Azure Stack), with the names of an environment file's members. Addresses are https. */
export interface PrivateCloudProps {
  /** Where Microsoft Entra ID or ADFS answers, such as `https://adfs.local.azurestack.external/adfs`. */
  readonly activeDirectoryEndpoint: string;

  /** What names of vaults end with, such as `vault.local.azurestack.external`. */
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
   * kubelet's plugin directory, such as `/etc/kubernetes/volumeplugins` on AKS. Named, it is all of a node's plugins that
   * the agent can reach.
   *
   * @default found out on each node, for which the node's whole file system is mounted
   */
  readonly pluginDirectory?: string;

  /**
   * kubelet's root directory.
   *
   * @default '/var/lib/kubelet'
   */
  readonly kubeletDirectory?: string;

  /**
   * Settings of all volumes, by docs/reference/key-vault-volumes.md, "Settings of a node". They lie in a ConfigMap: no
   * password of a proxy belongs there.
   *
   * @default the defaults of the driver
   */
  readonly settings?: Readonly<Record<string, unknown>>;

  /**
   * Describes `AzureStackCloud` to driver, agent and CSI provider, and makes it the cloud of volumes that name none. It comes to
   * the nodes with the settings, so they need no environment file.
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
   * Namespaces whose workloads the agents may restart when vault objects change (KeyVaultVolume.restartOnChange). Who may
   * patch a workload may run anything in it, so this is best left empty where it is not needed.
   *
   * @default none
   */
  readonly restartNamespaces?: readonly string[];

  /**
   * Secrets that the agents may read. When Microsoft Entra ID refuses the service principal from kubelet, the agent
   * continues with the renewed one from the Secret. The agent of every node may then read these, wherever their pods are.
   *
   * @default none: the pod gets an event, and has to be restarted
   */
  readonly renewableSecrets?: readonly RenewableSecretsProps[];

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
   * Whether the FlexVolume driver `azure/kv` is put on every node.
   *
   * @default true
   */
  readonly flex?: boolean;

  /**
   * Serves SecretProviderClasses of the Secrets Store CSI driver too, which itself is not deployed by this.
   *
   * @default they are not served
   */
  readonly csi?: CsiProviderProps;

  /**
   * Takes the driver away from every node, to be deployed so before all of it is deleted.
   *
   * @default false
   */
  readonly remove?: boolean;

  /**
   * Nodes that are updated at a time: a number or a percentage. On those, pods that mount as their own identity wait.
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
   * Memory asked for and allowed.
   *
   * @default 240Mi, 48Mi of it for the process that reads keys and certificates (docs/adr/0032)
   */
  readonly memory?: Size;
}

const NAME = 'azimuth-volumes';
const HEALTH_PORT = 8087;
/** The socket and the records of volumes; beside it on the node lie the tmpfs that the driver fills. */
const STATE_DIRECTORY = '/run/azimuth/volumes';
/** The directory of the node daemon's socket. */
const NMI_DIRECTORY = '/var/run/azimuth/nmi';
/** The driver's default. */
const PROVIDERS_DIRECTORY = '/var/run/secrets-store-csi-providers';
const SETTINGS_DIRECTORY = '/etc/azimuth/volumes';
const SETTINGS_FILE = 'settings.json';

/**
 * The agent of Key Vault volumes on every node: it puts the driver `azure/kv` there, authenticates pods, reads vaults, keeps
 * volumes up to date, and serves the Secrets Store CSI driver if asked to.
 *
 * Made of a DaemonSet and its ServiceAccount with exactly the permissions that the program declares. It runs as root with a
 * read-only file system and one capability, CHOWN, for the group of files. Volumes are mounted by the driver, so it is
 * neither privileged nor does it mount anything: it sees the mounts of its node.
 */
export class KeyVaultVolumes extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  readonly #props: KeyVaultVolumesProps;
  readonly #labels: ProgramLabels;
  readonly #settings: string | undefined;

  constructor(scope: Construct, id: string, props: KeyVaultVolumesProps) {
    super(scope, id);
    this.#props = props;
    this.#labels = programLabels('volumes', props.version);
    this.namespace = props.namespace;
    const settings = settingsOf(props);
    this.#settings = settings && JSON.stringify(settings, undefined, 2);
    const labels = this.#labels.all;
    const metadata = { name: NAME, namespace: props.namespace, labels };
    const rbac = new ProgramRbac(this, 'Rbac', { ...metadata, permissions: volumesPermissions() });
    this.serviceAccountName = rbac.serviceAccountName;
    for (const namespace of props.restartNamespaces ?? []) {
      new NamespaceGrant(this, `Restart-${namespace}`, {
        name: `${NAME}-restart`,
        namespace,
        labels,
        rules: restartRules,
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    for (const [index, { namespace, names }] of (props.renewableSecrets ?? []).entries()) {
      new NamespaceGrant(this, `Renew-${index}`, {
        name: `${NAME}-renew`,
        namespace,
        labels,
        rules: renewalRules(names),
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    if (this.#settings !== undefined) {
      new k8s.KubeConfigMap(this, 'Settings', { metadata, data: { [SETTINGS_FILE]: this.#settings } });
    }
    new k8s.KubeDaemonSet(this, 'Resource', { metadata, spec: this._toKube() });
    this.node.addValidation({ validate: () => problems(props) });
  }

  /** @internal */
  _toKube(): k8s.DaemonSetSpec {
    const { maxUnavailable = '10%', pluginDirectory, kubeletDirectory = '/var/lib/kubelet' } = this.#props;
    const { flex = true, csi } = this.#props;
    const settings = this.#settings;
    // A changed setting restarts the agents, which read them at their start.
    const digest = settings && createHash('sha256').update(settings).digest('hex').slice(0, 16);
    const hostPath = (name: string, path: string, type: string): k8s.Volume => ({ name, hostPath: { path, type } });
    const plugins =
      pluginDirectory === undefined
        ? hostPath('host', '/', 'Directory')
        : hostPath('host', pluginDirectory, 'DirectoryOrCreate');
    return nodeDaemonSet({
      labels: this.#labels,
      maxUnavailable,
      ...(digest && { annotations: { 'azimuth.dev/settings': digest } }),
      serviceAccountName: this.serviceAccountName,
      container: this.#container(),
      volumes: [
        apiAccess.volume as k8s.Volume,
        hostPath('state', STATE_DIRECTORY, 'DirectoryOrCreate'),
        hostPath('nmi', NMI_DIRECTORY, 'DirectoryOrCreate'),
        hostPath('pods', `${kubeletDirectory}/pods`, 'DirectoryOrCreate'),
        ...(flex ? [plugins] : []),
        ...(csi ? [hostPath('providers', csi.directory ?? PROVIDERS_DIRECTORY, 'DirectoryOrCreate')] : []),
        ...(settings === undefined ? [] : [{ name: 'settings', configMap: { name: NAME } }]),
      ],
    });
  }

  #container(): k8s.Container {
    const { image, pluginDirectory, kubeletDirectory = '/var/lib/kubelet', refreshInterval, memory } = this.#props;
    const { restartNamespaces = [], renewableSecrets = [], remove, flex = true, csi, args = [] } = this.#props;
    const { provider = 'azure', directory = PROVIDERS_DIRECTORY } = csi ?? {};
    const plugins = pluginDirectory === undefined ? '--host-root=/host' : '--target-dir=/host';
    const pods = `${kubeletDirectory}/pods`;
    const secrets = renewableSecrets.flatMap(({ namespace, names }) => names.map((name) => `${namespace}/${name}`));
    return {
      name: 'volumes',
      image,
      imagePullPolicy: 'IfNotPresent',
      args: [
        'volumes',
        '--node=$(NODE_NAME)',
        `--health-port=${HEALTH_PORT}`,
        `--socket=${STATE_DIRECTORY}/agent.sock`,
        ...(this.#props.multiTenant ? ['--multi-tenant=true'] : []),
        flex ? plugins : '--install=false',
        ...(this.#settings === undefined ? [] : [`--settings=${SETTINGS_DIRECTORY}/${SETTINGS_FILE}`]),
        ...(refreshInterval ? [`--refresh-interval=${refreshInterval.toSeconds()}`] : []),
        ...(restartNamespaces.length > 0 ? [`--restart-namespaces=${restartNamespaces.join(',')}`] : []),
        ...(secrets.length > 0 ? [`--renewable-secrets=${secrets.join(',')}`] : []),
        ...scopeArguments('identity-scopes', this.#props.identityScopes),
        ...(csi ? [`--csi-socket=${directory}/${provider}.sock`] : []),
        ...(csi?.separateFiles ? ['--csi-separate-files=true'] : []),
        ...(remove ? ['--remove=true'] : []),
        ...args,
      ],
      env: [
        { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        ...environment(this.#props.env),
      ],
      ports: [{ name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' }],
      ...probes(),
      resources: resources((memory ?? Size.mebibytes(240)).toMebibytes()),
      securityContext: rootWith(['CHOWN'], { host: true }),
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [
        apiAccess.mount,
        { name: 'state', mountPath: STATE_DIRECTORY },
        { name: 'nmi', mountPath: NMI_DIRECTORY, readOnly: true },
        // Volumes that the driver mounts while this runs show here too.
        { name: 'pods', mountPath: pods, mountPropagation: 'HostToContainer' },
        ...(flex ? [{ name: 'host', mountPath: '/host' }] : []),
        ...(csi ? [{ name: 'providers', mountPath: directory }] : []),
        ...(this.#settings === undefined ? [] : [{ name: 'settings', mountPath: SETTINGS_DIRECTORY, readOnly: true }]),
      ],
    };
  }
}

/** The settings with the cloud in them; undefined where all are the driver's defaults. */
function settingsOf({ settings, cloud }: KeyVaultVolumesProps): object | undefined {
  if (!cloud) return settings;
  const { environment, ...others } = settings ?? {};
  return { ...others, environment: { AZURE_CLOUD_ENV: 'AzureStackCloud', ...(environment as object) }, cloud };
}

const namespacePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function problems(props: KeyVaultVolumesProps): string[] {
  const { maxUnavailable = '10%', pluginDirectory, kubeletDirectory, refreshInterval, nmiPort } = props;
  const found = [...programProblems(props), ...maxUnavailableProblems(maxUnavailable)];
  const { directory, provider = 'azure' } = props.csi ?? {};
  for (const [name, value] of Object.entries({ pluginDirectory, kubeletDirectory, 'csi.directory': directory })) {
    if (value !== undefined && !/^(\/[^/\0]+)+$/.test(value)) {
      found.push(`Expected \`${name}\` to be an absolute path, got \`${value}\``);
    }
  }
  const seconds = refreshInterval?.toSeconds({ integral: false }) ?? shortestRefresh;
  if (!Number.isInteger(seconds) || seconds < shortestRefresh) {
    found.push(`Expected \`refreshInterval\` to be whole seconds, ${shortestRefresh} at least, got \`${seconds} s\``);
  }
  if (nmiPort !== undefined && !(Number.isInteger(nmiPort) && nmiPort >= 1 && nmiPort <= 65_535)) {
    found.push(`Expected \`nmiPort\` to be a port, got \`${nmiPort}\``);
  }
  const renewable = props.renewableSecrets ?? [];
  for (const { namespace, names } of renewable) {
    if (!namespacePattern.test(namespace) || renewable.filter((other) => other.namespace === namespace).length > 1) {
      found.push(`Expected \`renewableSecrets\` to name each namespace once, got \`${namespace}\``);
    }
    for (const name of names.length > 0 ? names : ['']) {
      if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) {
        found.push(`Expected \`renewableSecrets\` to have names of Secrets of ${namespace}, got \`${name}\``);
      }
    }
  }
  for (const namespace of props.restartNamespaces ?? []) {
    if (!namespacePattern.test(namespace)) {
      found.push(`Expected \`restartNamespaces\` to be names of namespaces, got \`${namespace}\``);
    }
  }
  if (!/^[a-zA-Z0-9_-]{1,30}$/.test(provider)) {
    found.push(`Expected \`csi.provider\` to be 1 to 30 letters, digits, - and _, got \`${provider}\``);
  }
  if (props.flex === false && props.csi === undefined) {
    found.push('Expected `csi` to be set where `flex` is false: the agent would serve no volume');
  }
  if (props.flex === false && props.remove) {
    found.push('Expected `remove` to be without `flex: false`: it takes the driver away itself');
  }
  if (props.cloud && props.settings && 'cloud' in props.settings) {
    found.push('Expected `settings` to be without `cloud`, which has a prop of its own');
  }
  const { activeDirectoryEndpoint, keyVaultEndpoint, resourceManagerEndpoint, keyVaultDNSSuffix } = props.cloud ?? {};
  for (const [name, value] of Object.entries({ activeDirectoryEndpoint, keyVaultEndpoint, resourceManagerEndpoint })) {
    const url = value === undefined ? undefined : URL.parse(value);
    if (value !== undefined && (url?.protocol !== 'https:' || url.username !== '' || url.search !== '')) {
      found.push(
        `Expected \`cloud.${name}\` to be an https URL without user and query, got \`${url?.username ? 'one with a user' : value}\``,
      );
    }
  }
  if (
    keyVaultDNSSuffix !== undefined &&
    !/^\.?[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:\d{1,5})?$/.test(keyVaultDNSSuffix)
  ) {
    found.push(`Expected \`cloud.keyVaultDNSSuffix\` to be the end of a host name, got \`${keyVaultDNSSuffix}\``);
  }
  found.push(...scopeProblems('identityScopes', props.identityScopes));
  if (props.multiTenant && props.settings?.['machineIdentities'] === 'any') {
    found.push('Expected `settings.machineIdentities` to list client ids with `multiTenant`, got `any`');
  }
  if (props.settings && 'agentSocket' in props.settings) {
    found.push('Expected `settings` to be without `agentSocket`, which the agent sets');
  }
  return found;
}
