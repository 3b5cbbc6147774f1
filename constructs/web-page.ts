import { Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { isStackCloud, portalCloudNames, tryCloudName } from '../runtime/api/clouds/cloud-names.ts';
import { programLabels } from './private/labels.ts';
import { memoryVariables, nodeOptions } from './private/node-options.ts';
import { apiAccess, environment, lockedDown, programProblems, resources } from './private/program-pod.ts';

/** The proxy that ends TLS, signs readers in and passes their tokens on. */
export interface WebPageProxy {
  /** Its image, such as that of oauth2-proxy. */
  readonly image: string;

  /** Its arguments. The page is at http://127.0.0.1:8088. */
  readonly args: readonly string[];

  /** The TCP port that it serves, above 1023. */
  readonly port: number;

  /**
   * A Secret whose keys become environment variables of the proxy, and of no other container.
   *
   * @default none
   */
  readonly settingsSecret?: string;

  /**
   * A kubernetes.io/tls Secret, which the proxy finds as /etc/tls/tls.crt and /etc/tls/tls.key.
   *
   * @default none: the proxy has no certificate
   */
  readonly tlsSecret?: string;
}

/** Properties of `WebPage`. */
export interface WebPageProps {
  /** The namespace it runs in; it must exist. */
  readonly namespace: string;

  /** The container image that has the `azimuth` bin as its entry point. */
  readonly image: string;

  /** The version label of its objects. */
  readonly version: string;

  /**
   * Host names under which browsers reach the page, each with its port where it is not that of the scheme.
   *
   * @default none: the loopback address alone, as with `kubectl port-forward`
   */
  readonly hosts?: readonly string[];

  /**
   * The cloud whose portal the page links to, such as AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud;
   * AzureStackCloud for no links. The names are those of `azimuth ui --cloud`.
   *
   * @default AzurePublicCloud
   */
  readonly cloud?: string;

  /**
   * A proxy beside the page, and a Service for it.
   *
   * @default none: readers use `kubectl port-forward`, and paste a token
   */
  readonly proxy?: WebPageProxy | undefined;

  /**
   * Memory request and limit. Of 512Mi all pages together may take 200 MiB, and those of one user half of that. A
   * page takes 64 KiB for each kind that it watches, and 13 MB for 20,000 objects.
   *
   * @default 512Mi
   */
  readonly memory?: Size;
}

const port = 8088;
const hostName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?(:[0-9]{1,5})?$/i;

/**
 * The page of resources in the cluster, which has the rights of each reader and none of its own: its service account
 * has no role, and its pod no token. It listens on the loopback address of its pod (docs/adr/0038-page.md).
 */
export class WebPage extends Construct {
  readonly #props: WebPageProps;

  constructor(scope: Construct, id: string, props: WebPageProps) {
    super(scope, id);
    this.#props = props;
    const { namespace, proxy, version } = props;
    const { selector, all } = programLabels('ui', version);
    const metadata = { name: 'azimuth-ui', namespace, labels: all };
    new k8s.KubeServiceAccount(this, 'ServiceAccount', { metadata, automountServiceAccountToken: false });
    new k8s.KubeDeployment(this, 'Resource', { metadata, spec: this._toKube() });
    new k8s.KubeNetworkPolicy(this, 'NetworkPolicy', { metadata, spec: this.#networkPolicy() });
    if (proxy) {
      const targetPort = k8s.IntOrString.fromString('proxy');
      const ports = [{ name: 'https', port: 443, targetPort, protocol: 'TCP' }];
      new k8s.KubeService(this, 'Service', { metadata, spec: { selector, ports } });
    }
    this.node.addValidation({ validate: () => problems(props) });
  }

  /** @internal */
  _toKube(): k8s.DeploymentSpec {
    const { selector, all } = programLabels('ui', this.#props.version);
    return {
      replicas: 1,
      revisionHistoryLimit: 3,
      selector: { matchLabels: selector },
      template: { metadata: { labels: all }, spec: this.#pod() },
    };
  }

  #pod(): k8s.PodSpec {
    const { proxy } = this.#props;
    const [, ca, namespace] = apiAccess.volume.projected.sources;
    const { tlsSecret: secretName } = proxy ?? {};
    return {
      serviceAccountName: 'azimuth-ui',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [this.#page(), ...(proxy ? [proxyContainer(proxy)] : [])],
      // The certificate of the API server without a token.
      volumes: [
        { name: 'api-access', projected: { defaultMode: 0o440, sources: [ca, namespace] } },
        ...(secretName === undefined ? [] : [{ name: 'tls', secret: { secretName, defaultMode: 0o440 } }]),
      ] as k8s.Volume[],
    };
  }

  #page(): k8s.Container {
    const { image, hosts = [], cloud, memory = Size.mebibytes(512) } = this.#props;
    return {
      name: 'ui',
      image,
      imagePullPolicy: 'IfNotPresent',
      args: [
        'ui',
        '--in-cluster',
        `--port=${port}`,
        ...hosts.map((name) => `--host=${name}`),
        ...(cloud === undefined ? [] : [`--cloud=${cloud}`]),
      ],
      env: environment({ NODE_OPTIONS: nodeOptions(memory.toMebibytes()), ...memoryVariables }),
      resources: resources(memory.toMebibytes()),
      securityContext: lockedDown,
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: [apiAccess.mount],
    };
  }

  /** In: the port of the proxy, or nothing. Out: DNS, and HTTPS for the API server and the sign-in of the proxy. */
  #networkPolicy(): k8s.NetworkPolicySpec {
    const open = (number: number, protocol = 'TCP') => ({ port: k8s.IntOrString.fromNumber(number), protocol });
    const { proxy } = this.#props;
    return {
      podSelector: { matchLabels: programLabels('ui', this.#props.version).selector },
      policyTypes: ['Ingress', 'Egress'],
      ...(proxy && { ingress: [{ ports: [open(proxy.port)] }] }),
      egress: [{ ports: [open(53, 'UDP'), open(53)] }, { ports: [open(443), open(6443)] }],
    };
  }
}

function proxyContainer({ image, args, port: number, settingsSecret, tlsSecret }: WebPageProxy): k8s.Container {
  return {
    name: 'proxy',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [...args],
    ...(settingsSecret !== undefined && { envFrom: [{ secretRef: { name: settingsSecret } }] }),
    ...(tlsSecret !== undefined && { volumeMounts: [{ name: 'tls', mountPath: '/etc/tls', readOnly: true }] }),
    ports: [{ name: 'proxy', containerPort: number, protocol: 'TCP' }],
    resources: resources(64),
    securityContext: lockedDown,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

function problems(props: WebPageProps): string[] {
  const { hosts = [], cloud, proxy } = props;
  const isPort = proxy === undefined || (Number.isInteger(proxy.port) && proxy.port > 1023 && proxy.port < 65_536);
  return [
    ...programProblems(props),
    ...hosts
      .filter((name) => !hostName.test(name))
      .map((name) => `Expected \`hosts\` to be host names, each with a port or without, got \`${name}\``),
    ...(cloud === undefined || isStackCloud(cloud) || tryCloudName(cloud)
      ? []
      : [`Expected \`cloud\` to be one of ${portalCloudNames}, got \`${cloud}\``]),
    ...(isPort && proxy?.port !== port
      ? []
      : [`Expected \`proxy.port\` to be a port from 1024 to 65535 other than ${port}, got \`${proxy?.port}\``]),
    ...(proxy && hosts.length === 0
      ? ['Expected `hosts` to name the host under which browsers reach the proxy, got none']
      : []),
  ];
}
