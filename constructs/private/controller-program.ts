import type { Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { Permissions } from '../../runtime/api/permissions/index.ts';
import { KubernetesVersion } from './kubernetes-version.ts';
import { type ProgramLabels, programLabels } from './labels.ts';
import { defaultMebibytes, memoryVariables, nodeOptions } from './node-options.ts';
import { podDisruptionBudget } from './pod-disruption-budget.ts';
import {
  AZURE_TOKEN_FILE,
  apiAccess,
  azureAccess,
  environment,
  lockedDown,
  probes,
  programProblems,
  resources,
} from './program-pod.ts';
import { NamespaceGrant, ProgramRbac } from './rbac.ts';

/** Properties of every controller. */
export interface ControllerProps {
  /** The namespace it runs in; it must exist. */
  readonly namespace: string;

  /** The container image that has the `azimuth` bin as its entry point. */
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
   * Number of replicas; of a controller one is the leader, the others are on standby.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Memory request and limit.
   *
   * @default 256Mi
   */
  readonly memory?: Size;

  /**
   * Namespaces whose pods may read metrics and health, such as that of Prometheus. Probes of kubelet always may.
   *
   * @default ['monitoring']
   */
  readonly metricsFrom?: readonly string[];

  /**
   * The PriorityClass of the pods.
   *
   * @default 'system-cluster-critical'
   */
  readonly priorityClassName?: string;

  /**
   * The oldest API server the manifests are meant for, like 1.27.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string | undefined;
}

/** The variable parts of a controller. */
export interface ControllerShape {
  /** The subcommand, which is also the container's name, the component label and the end of the objects' names. */
  readonly program: string;
  readonly healthPort: number;
  /** Further arguments. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly envFrom?: readonly k8s.EnvFromSource[] | undefined;
  readonly volumes?: readonly k8s.Volume[] | undefined;
  readonly volumeMounts?: readonly k8s.VolumeMount[] | undefined;
  readonly permissions: Permissions;
  /** Namespaces in which the program has the permissions of `targets`. */
  readonly targetNamespaces?: readonly string[] | undefined;
  /** Memory that is not for its own heap: processes that it starts, connections of callers. @default 0 */
  readonly outsideMebibytes?: number | undefined;
  /** Memory of its own heap above that of other controllers. @default 0 */
  readonly furtherMebibytes?: number | undefined;
  /** TCP ports that it connects to besides those of every controller. */
  readonly egressPorts?: readonly number[] | undefined;
  /** The TCP port of its Service, by the name that the Service uses. @default none */
  readonly servicePort?: { readonly name: string; readonly number: number };
}

/**
 * A program that needs no node: a Deployment, its ServiceAccount with exactly the permissions that the program
 * declares, a PodDisruptionBudget and a NetworkPolicy.
 */
export class ControllerProgram extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  readonly #props: ControllerProps;
  readonly #shape: ControllerShape;
  readonly #labels: ProgramLabels;

  constructor(scope: Construct, id: string, props: ControllerProps, shape: ControllerShape) {
    super(scope, id);
    this.#props = props;
    this.#shape = shape;
    this.#labels = programLabels(shape.program, props.version);
    this.namespace = props.namespace;
    const metadata = { name: `azimuth-${shape.program}`, namespace: props.namespace, labels: this.#labels.all };

    const rbac = new ProgramRbac(this, 'Rbac', { ...metadata, permissions: shape.permissions });
    this.serviceAccountName = rbac.serviceAccountName;
    for (const target of shape.targetNamespaces ?? []) {
      new NamespaceGrant(this, `Target-${target}`, {
        name: metadata.name,
        // The program's own namespace has a Role of that name already.
        ...(target === props.namespace && { name: `${metadata.name}-objects` }),
        namespace: target,
        labels: this.#labels.all,
        rules: shape.permissions.targets ?? [],
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    if (shape.permissions.system) {
      new NamespaceGrant(this, 'System', {
        name: `${metadata.name}-events`,
        namespace: 'kube-system',
        labels: this.#labels.all,
        rules: shape.permissions.system,
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    new k8s.KubeDeployment(this, 'Resource', { metadata, spec: this._toKube() });
    podDisruptionBudget(this, 'PodDisruptionBudget', {
      ...metadata,
      selector: this.#labels.selector,
      kubernetesVersion: KubernetesVersion.of(props.kubernetesVersion ?? '1.27'),
    });
    new k8s.KubeNetworkPolicy(this, 'NetworkPolicy', { metadata, spec: this.#networkPolicy() });
    this.node.addValidation({ validate: () => problems(props) });
  }

  /** @internal */
  _toKube(): k8s.DeploymentSpec {
    const { selector, all } = this.#labels;
    return {
      replicas: this.#props.replicas ?? 2,
      revisionHistoryLimit: 3,
      selector: { matchLabels: selector },
      template: { metadata: { labels: all }, spec: this.#pod() },
    };
  }

  #pod(): k8s.PodSpec {
    return {
      serviceAccountName: this.serviceAccountName,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      priorityClassName: this.#props.priorityClassName ?? 'system-cluster-critical',
      terminationGracePeriodSeconds: 30,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: this.#labels.selector },
      })),
      containers: [this.#container()],
      volumes: [apiAccess.volume, azureAccess.volume, ...(this.#shape.volumes ?? [])] as k8s.Volume[],
    };
  }

  #container(): k8s.Container {
    const { program, healthPort, args = [], env, envFrom, volumeMounts = [], servicePort } = this.#shape;
    const { outsideMebibytes = 0, furtherMebibytes = 0 } = this.#shape;
    const memory = this.#props.memory?.toMebibytes() ?? defaultMebibytes + furtherMebibytes + outsideMebibytes;
    return {
      name: program,
      image: this.#props.image,
      imagePullPolicy: 'IfNotPresent',
      args: [
        program,
        `--health-port=${healthPort}`,
        ...(this.#props.multiTenant ? ['--multi-tenant=true'] : []),
        ...args,
      ],
      env: [
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        { name: 'AZURE_FEDERATED_TOKEN_FILE', value: AZURE_TOKEN_FILE },
        ...environment({ NODE_OPTIONS: nodeOptions(memory - outsideMebibytes), ...memoryVariables, ...env }),
      ],
      ...(envFrom && { envFrom: [...envFrom] }),
      ports: [
        { name: 'health', containerPort: healthPort, protocol: 'TCP' },
        ...(servicePort ? [{ name: servicePort.name, containerPort: servicePort.number, protocol: 'TCP' }] : []),
      ],
      ...probes(),
      resources: resources(memory),
      securityContext: lockedDown,
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [apiAccess.mount, azureAccess.mount, ...volumeMounts],
    };
  }

  /** In: the health port for Prometheus, and the port of the Service for everybody. Out: names, HTTPS (API server, Entra ID, ARM, Key Vault) and IMDS. */
  #networkPolicy(): k8s.NetworkPolicySpec {
    const { healthPort, servicePort } = this.#shape;
    const { metricsFrom = ['monitoring'] } = this.#props;
    const named = { key: 'kubernetes.io/metadata.name', operator: 'In', values: [...metricsFrom] };
    const port = (number: number, protocol = 'TCP') => ({ port: k8s.IntOrString.fromNumber(number), protocol });
    return {
      podSelector: { matchLabels: this.#labels.selector },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        // A rule without a peer would let everybody in.
        ...(metricsFrom.length > 0
          ? [{ from: [{ namespaceSelector: { matchExpressions: [named] } }], ports: [port(healthPort)] }]
          : []),
        ...(servicePort ? [{ ports: [port(servicePort.number)] }] : []),
      ],
      egress: [
        { ports: [port(53, 'UDP'), port(53)] },
        { ports: [443, 6443, ...(this.#shape.egressPorts ?? [])].map((number) => port(number)) },
        { to: [{ ipBlock: { cidr: '169.254.169.254/32' } }], ports: [port(80)] },
      ],
    };
  }
}

function problems(props: ControllerProps): string[] {
  const negative = (props.replicas ?? 2) < 0;
  return [
    ...(negative ? [`Expected \`replicas\` to be 0 or more, got \`${props.replicas}\``] : []),
    ...programProblems(props),
  ];
}
