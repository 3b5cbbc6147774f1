import { k8s } from 'cdk8s-plus-27';

/** Where client libraries read the API server's certificate and the pod's token. */
const API_ACCESS_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';
/** As ASO v2 mounts it: credentials in Secrets that sign in by workload identity read the token there too. */
const TOKEN_DIRECTORY = '/var/run/secrets/tokens';
const HOUR = 3600;

/** The file with the service account token that Microsoft Entra ID accepts. */
export const AZURE_TOKEN_FILE = `${TOKEN_DIRECTORY}/azure-identity`;

/** The API token as a volume of one container; automounting would give it to all containers of the pod. */
export const apiAccess = {
  mount: { name: 'api-access', mountPath: API_ACCESS_DIRECTORY, readOnly: true },
  volume: {
    name: 'api-access',
    projected: {
      defaultMode: 0o440,
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: HOUR } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        // With the default apiVersion: server-side apply compares `sources` as one atomic list.
        {
          downwardApi: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  },
} as const satisfies { mount: k8s.VolumeMount; volume: k8s.Volume };

/** The token for Microsoft Entra ID. */
export const azureAccess = {
  mount: { name: 'azure-identity', mountPath: TOKEN_DIRECTORY, readOnly: true },
  volume: {
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
} as const satisfies { mount: k8s.VolumeMount; volume: k8s.Volume };

/** Probes of `/healthz` and `/readyz` on the port named `health`; two minutes to start. */
export function probes(host?: string): Pick<k8s.Container, 'startupProbe' | 'livenessProbe' | 'readinessProbe'> {
  const probe = (path: string): k8s.Probe => ({
    httpGet: { path, port: k8s.IntOrString.fromString('health'), ...(host === undefined ? {} : { host }) },
    periodSeconds: 10,
    timeoutSeconds: 5,
  });
  return {
    startupProbe: { ...probe('/healthz'), periodSeconds: 5, failureThreshold: 24 },
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
  };
}

/**
 * Requests as much memory as the limit, so that a full node does not evict the program first. `cpu`: its least
 * share on a busy node. @default 50m
 */
export function resources(memoryMebibytes: number, cpu = '50m'): k8s.ResourceRequirements {
  const memory = k8s.Quantity.fromString(`${memoryMebibytes}Mi`);
  return { requests: { cpu: k8s.Quantity.fromString(cpu), memory }, limits: { memory } };
}

/** No privilege at all. */
export const lockedDown: k8s.SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  privileged: false,
  capabilities: { drop: ['ALL'] },
};

/** Names and values as a container lists them. */
export function environment(env: Readonly<Record<string, string>> = {}): k8s.EnvVar[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

/** The problems of namespace and image; empty for valid ones. */
export function programProblems({
  namespace,
  image,
}: {
  readonly namespace: string;
  readonly image: string;
}): string[] {
  const found: string[] = [];
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    found.push(`Expected \`namespace\` to be a DNS label, got \`${namespace}\``);
  }
  if (image.trim() === '') found.push('Expected `image` to name a container image, got ``');
  return found;
}
