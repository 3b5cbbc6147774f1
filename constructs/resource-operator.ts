import { Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { everyKind, selectKinds } from '../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../runtime/api/kinds.ts';
import { operatorPermissions } from '../runtime/api/permissions.ts';
import { KubernetesVersion } from './private/kubernetes-version.ts';
import { type ProgramLabels, programLabels } from './private/labels.ts';
import { podDisruptionBudget } from './private/pod-disruption-budget.ts';
import { ProgramRbac } from './private/rbac.ts';

export interface ResourceOperatorProps {
  /** The namespace it runs in; it must exist. */
  readonly namespace: string;

  /** The container image that has the `azimuth` bin as its entry point. */
  readonly image: string;

  /** The version label of its objects. */
  readonly version: string;

  /**
   * The Secret with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID, and, where the operator signs in with
   * them, AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE. Without those two the operator signs in as its service
   * account (workload federation). The pod waits until the Secret exists.
   *
   * @default 'azimuth-operator-settings'
   */
  readonly settingsSecret?: string;

  /**
   * One of them works, the others stand by.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * The kinds it serves, and all that its role lets it read and write: globs over `group/Kind`, separated by `;`, such
   * as `resources.azure.com/*;storage.azure.com/*`.
   *
   * @default '*', every kind that the operator has
   */
  readonly kinds?: string;

  /**
   * Further environment variables: AZURE_SYNC_PERIOD, MAX_CONCURRENT_RECONCILES and so on.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>>;

  /**
   * Memory asked for and allowed.
   *
   * @default 256Mi
   */
  readonly memory?: Size;

  /**
   * The oldest API server the manifests are meant for, like 1.27.
   *
   * @default '1.27'
   */
  readonly kubernetesVersion?: string;
}

const NAME = 'azimuth-operator';
const HEALTH_PORT = 8081;
const TOKEN_DIRECTORY = '/var/run/secrets/azimuth';
const API_ACCESS_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';
const HOUR = 3600;

/**
 * The program that turns custom resources into Azure resources.
 *
 * Made of a Deployment, its ServiceAccount with exactly the permissions that the program declares, a
 * PodDisruptionBudget and a NetworkPolicy. It needs no webhook, no cert-manager and no volume that outlives a pod.
 */
export class ResourceOperator extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  readonly #props: ResourceOperatorProps;
  readonly #labels: ProgramLabels;

  constructor(scope: Construct, id: string, props: ResourceOperatorProps) {
    super(scope, id);
    this.#props = props;
    this.#labels = programLabels('operator', props.version);
    this.namespace = props.namespace;
    const metadata = { name: NAME, namespace: props.namespace, labels: this.#labels.all };

    const rbac = new ProgramRbac(this, 'Rbac', {
      ...metadata,
      permissions: operatorPermissions(selectKinds(props.kinds ?? everyKind, operatorKinds)),
    });
    this.serviceAccountName = rbac.serviceAccountName;
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
      // The token is mounted by hand below, to leave out what a default mount would add for other containers.
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 30,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: this.#labels.selector },
        },
      ],
      containers: [this.#container()],
      volumes: [
        {
          name: 'api-access',
          projected: {
            defaultMode: 0o440,
            sources: [
              { serviceAccountToken: { path: 'token', expirationSeconds: HOUR } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              // With its default apiVersion written out: sources are one atomic list to `kubectl apply`.
              {
                downwardApi: {
                  items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
                },
              },
            ],
          },
        },
        {
          name: 'azure-identity',
          projected: {
            defaultMode: 0o440,
            sources: [
              {
                serviceAccountToken: {
                  path: 'azure-identity',
                  audience: 'api://AzureADTokenExchange',
                  expirationSeconds: HOUR,
                },
              },
            ],
          },
        },
      ],
    };
  }

  #container(): k8s.Container {
    const memory = k8s.Quantity.fromString(`${(this.#props.memory ?? Size.mebibytes(256)).toMebibytes()}Mi`);
    const probe = (path: string): k8s.Probe => ({
      httpGet: { path, port: k8s.IntOrString.fromString('health') },
      periodSeconds: 10,
      timeoutSeconds: 5,
    });
    return {
      name: 'operator',
      image: this.#props.image,
      imagePullPolicy: 'IfNotPresent',
      args: [
        'operator',
        `--health-port=${HEALTH_PORT}`,
        ...(this.#props.kinds === undefined ? [] : [`--kinds=${this.#props.kinds}`]),
      ],
      env: [
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        { name: 'AZURE_FEDERATED_TOKEN_FILE', value: `${TOKEN_DIRECTORY}/azure-identity` },
        ...Object.entries(this.#props.env ?? {}).map(([name, value]) => ({ name, value })),
      ],
      envFrom: [{ secretRef: { name: this.#props.settingsSecret ?? 'azimuth-operator-settings' } }],
      ports: [{ name: 'health', containerPort: HEALTH_PORT, protocol: 'TCP' }],
      startupProbe: { ...probe('/healthz'), periodSeconds: 5, failureThreshold: 24 },
      livenessProbe: probe('/healthz'),
      readinessProbe: probe('/readyz'),
      resources: {
        requests: { cpu: k8s.Quantity.fromString('50m'), memory },
        limits: { memory },
      },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        privileged: false,
        capabilities: { drop: ['ALL'] },
      },
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [
        { name: 'api-access', mountPath: API_ACCESS_DIRECTORY, readOnly: true },
        { name: 'azure-identity', mountPath: TOKEN_DIRECTORY, readOnly: true },
      ],
    };
  }

  /** In: the health port, for probes and Prometheus. Out: names, HTTPS (API server, AAD, ARM, Key Vault) and IMDS. */
  #networkPolicy(): k8s.NetworkPolicySpec {
    const port = (number: number, protocol = 'TCP') => ({ port: k8s.IntOrString.fromNumber(number), protocol });
    return {
      podSelector: { matchLabels: this.#labels.selector },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [port(HEALTH_PORT)] }],
      egress: [
        { ports: [port(53, 'UDP'), port(53)] },
        { ports: [port(443), port(6443)] },
        { to: [{ ipBlock: { cidr: '169.254.169.254/32' } }], ports: [port(80)] },
      ],
    };
  }
}

function problems(props: ResourceOperatorProps): string[] {
  const found: string[] = [];
  if ((props.replicas ?? 2) < 0) found.push(`Expected \`replicas\` to be 0 or more, got \`${props.replicas}\``);
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(props.namespace)) {
    found.push(`Expected \`namespace\` to be a DNS label, got \`${props.namespace}\``);
  }
  if (props.image.trim() === '') found.push('Expected `image` to name a container image, got ``');
  return found;
}
