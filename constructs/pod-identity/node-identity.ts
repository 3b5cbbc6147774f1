import { Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { nmiPermissions } from '../../runtime/api/permissions/index.ts';
import { type ProgramLabels, programLabels } from '../private/labels.ts';
import { nameProblems } from '../private/names.ts';
import { maxUnavailableProblems, metricsPort, nodeDaemonSet, rootWith } from '../private/node-daemon.ts';
import { memoryVariables } from '../private/node-options.ts';
import { apiAccess, environment, probes, programProblems, resources } from '../private/program-pod.ts';
import { ProgramRbac } from '../private/rbac.ts';
import { scopeArguments, scopeProblems } from '../private/scope-list.ts';
import type { NodeIdentityProps } from './node-identity-props.ts';

export type * from './node-identity-props.ts';

const NAME = 'azimuth-nmi';
const HEALTH_PORT = 8085;
const METRICS_PORT = 8445;
const METADATA_PORT = 2579;
/** Directory on the node of the socket and the file for callers of /host/token/. */
const STATE_DIRECTORY = '/var/run/azimuth/nmi';
const XTABLES_LOCK = '/run/xtables.lock';
const KUBELET_ARGUMENTS = '/etc/default/kubelet';

/**
 * The daemon that is the metadata endpoint of the pods on its node.
 *
 * Consists of a DaemonSet on the host network and its ServiceAccount with exactly the permissions that the program
 * declares. It runs as root, with a read-only file system and the two capabilities that change the redirection:
 * NET_ADMIN and NET_RAW.
 */
export class NodeIdentity extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  readonly #props: NodeIdentityProps;
  readonly #labels: ProgramLabels;

  constructor(scope: Construct, id: string, props: NodeIdentityProps) {
    super(scope, id);
    this.#props = props;
    this.#labels = programLabels('nmi', props.version);
    this.namespace = props.namespace;
    const metadata = { name: NAME, namespace: props.namespace, labels: this.#labels.all };
    const { secretNames, federatedAccounts } = props;
    const permissions = nmiPermissions({
      ...(secretNames && { secretNames }),
      ...(federatedAccounts && { federatedAccounts }),
      references: props.mode === 'managed',
      metricsReaders: props.metricsAuthentication !== false,
    });
    this.serviceAccountName = new ProgramRbac(this, 'Rbac', { ...metadata, permissions }).serviceAccountName;
    new k8s.KubeDaemonSet(this, 'Resource', { metadata, spec: this._toKube() });
    this.node.addValidation({ validate: () => problems(props) });
  }

  /** @internal */
  _toKube(): k8s.DaemonSetSpec {
    return nodeDaemonSet({
      labels: this.#labels,
      maxUnavailable: this.#props.maxUnavailable ?? 1,
      serviceAccountName: this.serviceAccountName,
      container: this.#container(),
      volumes: [
        apiAccess.volume as k8s.Volume,
        { name: 'state', hostPath: { path: STATE_DIRECTORY, type: 'DirectoryOrCreate' } },
        { name: 'xtables-lock', hostPath: { path: XTABLES_LOCK, type: 'FileOrCreate' } },
        { name: 'kubelet-arguments', hostPath: { path: KUBELET_ARGUMENTS, type: 'FileOrCreate' } },
      ],
    });
  }

  #container(): k8s.Container {
    const memory = (this.#props.memory ?? Size.mebibytes(192)).toMebibytes();
    const {
      mode = 'standard',
      forceNamespaced = mode === 'managed',
      exceptedAccounts = [],
      blockInstanceMetadata,
      args = [],
    } = this.#props;
    const port = metadataPort(this.#props);
    const metrics = metricsPort(METRICS_PORT, this.#props.metricsAuthentication);
    const field = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
    return {
      name: 'nmi',
      image: this.#props.image,
      imagePullPolicy: 'IfNotPresent',
      args: [
        'nmi',
        '--node=$(NODE_NAME)',
        '--host-ip=$(HOST_IP)',
        `--health-port=${HEALTH_PORT}`,
        ...metrics.args,
        ...(this.#props.multiTenant ? ['--multi-tenant=true'] : []),
        ...scopeArguments('identity-scopes', this.#props.identityScopes),
        ...(mode === 'standard' ? [] : [`--operation-mode=${mode}`]),
        ...(forceNamespaced ? ['--forceNamespaced=true'] : []),
        ...(exceptedAccounts.length > 0
          ? [`--excepted-accounts=${exceptedAccounts.map(({ namespace, name }) => `${namespace}/${name}`).join(',')}`]
          : []),
        ...(blockInstanceMetadata ? ['--block-instance-metadata=true'] : []),
        ...args,
      ],
      env: [
        { name: 'NODE_NAME', ...field('spec.nodeName') },
        { name: 'HOST_IP', ...field('status.hostIP') },
        ...environment({ ...memorySettings(memory), ...this.#props.env }),
      ],
      ports: [
        { name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' },
        ...metrics.ports,
        // Reserves the port on the node: the scheduler places no other pod with this host port there.
        { name: 'metadata', containerPort: port, hostPort: port, protocol: 'TCP' },
      ],
      ...probes(),
      resources: resources(memory),
      securityContext: rootWith(['NET_ADMIN', 'NET_RAW']),
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [
        apiAccess.mount,
        { name: 'state', mountPath: STATE_DIRECTORY },
        { name: 'xtables-lock', mountPath: XTABLES_LOCK },
        { name: 'kubelet-arguments', mountPath: KUBELET_ARGUMENTS, readOnly: true },
      ],
    };
  }
}

/**
 * A young generation of 6 MB in place of 48, because requests leave little garbage; and a limit of the old one, in which
 * V8 would keep a hundred megabytes of garbage. docs/reference/nmi.md has their effect on speed and memory.
 */
function memorySettings(mebibytes: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--max-semi-space-size=2 --max-old-space-size=${Math.floor(mebibytes / 3)}`,
    ...memoryVariables,
  };
}

/** The port of the daemon for pods, as its further arguments and variables may change it. */
function metadataPort({ args = [], env = {} }: Pick<NodeIdentityProps, 'args' | 'env'>): number {
  const flags = args.flatMap((arg, index) => {
    if (arg === '--nmi-port') return args[index + 1] ?? [];
    return arg.startsWith('--nmi-port=') ? arg.slice('--nmi-port='.length) : [];
  });
  return Number(flags.at(-1) ?? env['NMI_PORT'] ?? METADATA_PORT);
}

function problems(props: NodeIdentityProps): string[] {
  const found = programProblems(props);
  found.push(...maxUnavailableProblems(props.maxUnavailable ?? 1));
  if (props.mode === 'managed' && props.forceNamespaced === false) {
    found.push('Expected `forceNamespaced` not to be false in managed mode, where it is always so');
  }
  if (props.multiTenant && props.forceNamespaced === false) {
    found.push('Expected `forceNamespaced` not to be false with `multiTenant`, where it is always so');
  }
  found.push(...scopeProblems('identityScopes', props.identityScopes));
  for (const { namespace, name } of props.exceptedAccounts ?? []) {
    if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace) && /^\*?[-.a-z0-9]+\*?$/.test(name)) continue;
    found.push(`Expected \`exceptedAccounts\` to have a namespace and a name, got \`${namespace}/${name}\``);
  }
  const { secretNames = [], federatedAccounts = [] } = props;
  found.push(...nameProblems('secretNames', secretNames));
  if (federatedAccounts !== 'all') found.push(...nameProblems('federatedAccounts', federatedAccounts));
  return found;
}
