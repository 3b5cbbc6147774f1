import { createHash } from 'node:crypto';
import { Size } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-27';
import type { ProgramLabels } from '../../private/labels.ts';
import { metricsPort, nodeDaemonSet, rootWith } from '../../private/node-daemon.ts';
import { memoryVariables, nodeOptions } from '../../private/node-options.ts';
import { apiAccess, environment, probes, resources } from '../../private/program-pod.ts';
import { scopeArguments } from '../../private/scope-list.ts';
import type { KeyVaultVolumesProps } from '../key-vault-volumes-props.ts';

/** Name of the DaemonSet, its ServiceAccount, roles and ConfigMap. */
export const agentName = 'azimuth-volumes';
const HEALTH_PORT = 8087;
const METRICS_PORT = 8447;
/** Memory of the process that reads keys and certificates (docs/adr/0032). */
const childMebibytes = 48;
/** Directory of the agent's socket and of the records of volumes. */
const STATE_DIRECTORY = '/run/azimuth/volumes';
/** The directory of the node daemon's socket. */
const NMI_DIRECTORY = '/var/run/azimuth/nmi';
/** The default of the Secrets Store CSI driver. */
const PROVIDERS_DIRECTORY = '/var/run/secrets-store-csi-providers';
const SETTINGS_DIRECTORY = '/etc/azimuth/volumes';
/** Key of the ConfigMap with the settings. */
export const SETTINGS_FILE = 'settings.json';

/** The variable parts of the agent's pod. */
export interface AgentPod {
  readonly props: KeyVaultVolumesProps;
  readonly labels: ProgramLabels;
  readonly serviceAccountName: string;
  /** The settings of the nodes as JSON; undefined = the defaults of the driver. */
  readonly settings: string | undefined;
}

/** The DaemonSet of the agents. */
export function agentDaemonSet(agent: AgentPod): k8s.DaemonSetSpec {
  const { props, settings } = agent;
  const { maxUnavailable = '10%', pluginDirectory, kubeletDirectory = '/var/lib/kubelet' } = props;
  const { flex = true, csi } = props;
  // A changed setting restarts the agents, which read them at their start.
  const digest = settings && createHash('sha256').update(settings).digest('hex').slice(0, 16);
  const hostPath = (name: string, path: string, type: string): k8s.Volume => ({ name, hostPath: { path, type } });
  const plugins =
    pluginDirectory === undefined
      ? hostPath('host', '/', 'Directory')
      : hostPath('host', pluginDirectory, 'DirectoryOrCreate');
  return nodeDaemonSet({
    labels: agent.labels,
    maxUnavailable,
    ...(digest && { annotations: { 'azimuth.dev/settings': digest } }),
    serviceAccountName: agent.serviceAccountName,
    container: agentContainer(agent),
    volumes: [
      apiAccess.volume as k8s.Volume,
      hostPath('state', STATE_DIRECTORY, 'DirectoryOrCreate'),
      hostPath('nmi', NMI_DIRECTORY, 'DirectoryOrCreate'),
      hostPath('pods', `${kubeletDirectory}/pods`, 'DirectoryOrCreate'),
      ...(flex ? [plugins] : []),
      ...(csi ? [hostPath('providers', csi.directory ?? PROVIDERS_DIRECTORY, 'DirectoryOrCreate')] : []),
      ...(settings === undefined ? [] : [{ name: 'settings', configMap: { name: agentName } }]),
    ],
  });
}

/**
 * A copy of the host's mounts without their unmounts would keep volumes of deleted pods, with their content. A plugin
 * directory has none of them, and may lie on a mount without propagation.
 */
const withUnmounts = { mountPropagation: 'HostToContainer' };

function agentContainer({ props, settings }: AgentPod): k8s.Container {
  const { image, pluginDirectory, kubeletDirectory = '/var/lib/kubelet', refreshInterval } = props;
  const mebibytes = (props.memory ?? Size.mebibytes(240)).toMebibytes();
  const { restartNamespaces = [], renewableSecrets = [], remove, flex = true, csi, args = [] } = props;
  const { provider = 'azure', directory = PROVIDERS_DIRECTORY } = csi ?? {};
  const plugins = pluginDirectory === undefined ? '--host-root=/host' : '--target-dir=/host';
  const pods = `${kubeletDirectory}/pods`;
  const metrics = metricsPort(METRICS_PORT, props.metricsAuthentication);
  const secrets = renewableSecrets.flatMap(({ namespace, names }) => names.map((name) => `${namespace}/${name}`));
  return {
    name: 'volumes',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      'volumes',
      '--node=$(NODE_NAME)',
      `--health-port=${HEALTH_PORT}`,
      ...metrics.args,
      `--socket=${STATE_DIRECTORY}/agent.sock`,
      ...(props.multiTenant ? ['--multi-tenant=true'] : []),
      flex ? plugins : '--install=false',
      ...(settings === undefined ? [] : [`--settings=${SETTINGS_DIRECTORY}/${SETTINGS_FILE}`]),
      ...(refreshInterval ? [`--refresh-interval=${refreshInterval.toSeconds()}`] : []),
      ...(restartNamespaces.length > 0 ? [`--restart-namespaces=${restartNamespaces.join(',')}`] : []),
      ...(secrets.length > 0 ? [`--renewable-secrets=${secrets.join(',')}`] : []),
      ...scopeArguments('identity-scopes', props.identityScopes),
      ...(csi ? [`--csi-socket=${directory}/${provider}.sock`] : []),
      ...(csi?.separateFiles ? ['--csi-separate-files=true'] : []),
      ...(csi?.volumeMemory ? [`--csi-node-volume-bytes=${csi.volumeMemory.toKibibytes() * 1024}`] : []),
      ...(remove ? ['--remove=true'] : []),
      ...args,
    ],
    env: [
      { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ...environment({ NODE_OPTIONS: nodeOptions(mebibytes - childMebibytes), ...memoryVariables, ...props.env }),
    ],
    ports: [{ name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' }, ...metrics.ports],
    ...probes(),
    // Two processes, for which the pods of the node wait before they start.
    resources: resources(mebibytes, '100m'),
    securityContext: rootWith(['CHOWN'], { host: true }),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      apiAccess.mount,
      { name: 'state', mountPath: STATE_DIRECTORY },
      { name: 'nmi', mountPath: NMI_DIRECTORY, readOnly: true },
      // Volumes that the driver mounts while this runs show here too.
      { name: 'pods', mountPath: pods, mountPropagation: 'HostToContainer' },
      ...(flex ? [{ name: 'host', mountPath: '/host', ...(pluginDirectory === undefined && withUnmounts) }] : []),
      ...(csi ? [{ name: 'providers', mountPath: directory }] : []),
      ...(settings === undefined ? [] : [{ name: 'settings', mountPath: SETTINGS_DIRECTORY, readOnly: true }]),
    ],
  };
}
