import { Size } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { secretsPermissions } from '../../runtime/api/permissions/index.ts';
import { ControllerProgram, type ControllerProps } from '../private/controller-program.ts';
import { programLabels } from '../private/labels.ts';
import { nameProblems } from '../private/names.ts';
import { type NamespaceScopes, scopeArguments, scopeProblems } from '../private/scope-list.ts';

/** Properties of `SecretEndpoint`. */
export interface SecretEndpointProps extends ControllerProps {
  /**
   * Memory request and limit: a thousand machines with a connection each take about 280 MB. The endpoint accepts as many
   * connections as it has memory for, 1,466 by default.
   *
   * @default 512Mi
   */
  readonly memory?: Size;

  /**
   * The audiences of tokens that it accepts, compared exactly: the App ID URI of an application of your own, such as
   * api://azimuth-secrets, and its client id where its tokens are of version 2.
   */
  readonly audiences: readonly string[];

  /**
   * The Secret with AZURE_TENANT_ID, whose tokens are accepted, and AZURE_CLIENT_ID of the endpoint's own identity,
   * which may read the vaults and the machines. It signs in as its service account (workload federation).
   *
   * @default 'azimuth-secrets-settings'
   */
  readonly settingsSecret?: string;

  /**
   * The kubernetes.io/tls Secret with the certificate of the endpoint.
   *
   * @default 'azimuth-secrets-tls'
   */
  readonly tlsSecret?: string;

  /**
   * The ManagedSecret of kind Certificate that is the certificate of the endpoint, as namespace/name. It is in a
   * namespace of the platform, and in `targetNamespaces` where there are any.
   *
   * @default none: `tlsSecret`
   */
  readonly tlsManagedSecret?: string;

  /**
   * The region of the replicas, such as westeurope: they read the vault of that region.
   *
   * @default the home vaults
   */
  readonly location?: string;

  /**
   * ARM ids that the ManagedSecrets of a namespace may name, each with everything below it, by namespace, or `*` for any.
   *
   * @default any; none under the multi-tenant profile
   */
  readonly credentialScopes?: NamespaceScopes;

  /**
   * The identities that pods of a namespace may have, as IdentityController and NodeIdentity have it: these do not prove a
   * machine for the secrets of other namespaces.
   *
   * @default only identities that the identity controller attached do not prove a machine
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * The namespaces whose ManagedSecrets it serves; they must exist.
   *
   * @default all namespaces
   */
  readonly targetNamespaces?: readonly string[];

  /**
   * Type of the Service. A LoadBalancer lets machines outside the cluster in.
   *
   * @default 'ClusterIP'
   */
  readonly serviceType?: 'ClusterIP' | 'LoadBalancer';

  /**
   * Annotations of the Service, such as service.beta.kubernetes.io/azure-load-balancer-internal.
   *
   * @default none
   */
  readonly serviceAnnotations?: Readonly<Record<string, string>>;

  /**
   * Further environment variables.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>>;
}

const certificateDirectory = '/etc/azimuth/tls';
const servicePort = { name: 'https', number: 8443 };

/**
 * The endpoint from which machines get the values of ManagedSecrets: a Deployment whose replicas all serve, and a
 * Service. Its identity needs Key Vault Secrets User on the vaults, and Reader on machines and identities.
 */
export class SecretEndpoint extends ControllerProgram {
  constructor(scope: Construct, id: string, props: SecretEndpointProps) {
    const { targetNamespaces = [], location, audiences, tlsManagedSecret } = props;
    const isMounted = tlsManagedSecret === undefined;
    const memory = props.memory ?? Size.mebibytes(512);
    super(
      scope,
      id,
      { ...props, memory },
      {
        program: 'secrets',
        healthPort: 8086,
        servicePort,
        args: [
          `--audience=${audiences.join(',')}`,
          ...(location === undefined ? [] : [`--location=${location}`]),
          ...(targetNamespaces.length > 0 ? [`--target-namespaces=${targetNamespaces.join(',')}`] : []),
          ...(isMounted ? [] : [`--tls-managed-secret=${tlsManagedSecret}`]),
          ...scopeArguments('credential-scopes', props.credentialScopes),
          ...scopeArguments('identity-scopes', props.identityScopes),
        ],
        env: props.env,
        envFrom: [{ secretRef: { name: props.settingsSecret ?? 'azimuth-secrets-settings' } }],
        ...(isMounted && {
          volumes: [
            { name: 'tls', secret: { secretName: props.tlsSecret ?? 'azimuth-secrets-tls', defaultMode: 0o440 } },
          ],
          volumeMounts: [{ name: 'tls', mountPath: certificateDirectory, readOnly: true }],
        }),
        permissions: secretsPermissions({ targets: targetNamespaces.length > 0 }),
        targetNamespaces,
        // Two thirds of the memory of a TLS connection are not in the heap.
        outsideMebibytes: Math.floor(memory.toMebibytes() / 4),
      },
    );
    this.#addService(props);
    this.node.addValidation({
      validate: () => [
        ...(audiences.length === 0 ? ['Expected `audiences` to name the audience of your application, got none'] : []),
        ...nameProblems('targetNamespaces', targetNamespaces),
        ...scopeProblems('credentialScopes', props.credentialScopes),
        ...scopeProblems('identityScopes', props.identityScopes),
      ],
    });
  }

  #addService(props: SecretEndpointProps): void {
    const { selector, all } = programLabels('secrets', props.version);
    new k8s.KubeService(this, 'Service', {
      metadata: {
        name: 'azimuth-secrets',
        namespace: props.namespace,
        labels: all,
        ...(props.serviceAnnotations && { annotations: { ...props.serviceAnnotations } }),
      },
      spec: {
        type: props.serviceType ?? 'ClusterIP',
        selector,
        // Each replica accepts an attested document once: a machine keeps to one replica while that runs.
        sessionAffinity: 'ClientIP',
        // Limits and audit go by the address of the machine.
        ...(props.serviceType === 'LoadBalancer' && { externalTrafficPolicy: 'Local' }),
        ports: [
          { name: 'https', port: 443, targetPort: k8s.IntOrString.fromString(servicePort.name), protocol: 'TCP' },
        ],
      },
    });
  }
}
