/** Pods, identities, bindings and assignments of the tests. */

export interface PodOptions {
  readonly namespace?: string | undefined;
  readonly name?: string;
  readonly ip?: string;
  readonly label?: string | undefined;
  readonly phase?: string;
  readonly hostNetwork?: boolean;
  readonly labels?: Record<string, string>;
  readonly serviceAccount?: string;
  readonly deleting?: Date;
  readonly running?: boolean;
}

export function pod(options: PodOptions = {}) {
  const { namespace = 'app', name = 'p', ip = '127.0.0.5', label = 'sel', phase = 'Running' } = options;
  return {
    metadata: {
      namespace,
      name,
      labels: { ...(label && { aadpodidbinding: label }), ...options.labels },
      ...(options.deleting && { deletionTimestamp: options.deleting.toISOString() }),
    },
    spec: {
      nodeName: 'n1',
      serviceAccountName: options.serviceAccount ?? 'sa',
      ...(options.hostNetwork && { hostNetwork: true }),
    },
    status: {
      phase,
      ...(ip && { podIP: ip, podIPs: [{ ip }] }),
      containerStatuses: [{ state: (options.running ?? true) ? { running: {} } : { terminated: {} } }],
    },
  };
}

export function identity(name = 'id', spec: object = {}, namespace = 'app') {
  return {
    metadata: { namespace, name },
    spec: { type: 0, clientID: `client-${name}`, resourceID: rid(name), ...spec },
  };
}

export const rid = (name: string) =>
  `/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

export function binding(name = 'b', spec: object = {}, namespace = 'app', annotations: Record<string, string> = {}) {
  return { metadata: { namespace, name, annotations }, spec: { azureIdentity: 'id', selector: 'sel', ...spec } };
}

/** The assignment of an identity to a pod, as the controller writes it. */
export function assigned(
  thePod: ReturnType<typeof pod>,
  theIdentity: ReturnType<typeof identity>,
  status = 'Assigned',
  namespace = 'default',
) {
  const { name, namespace: podNamespace } = thePod.metadata;
  const embedded = { apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentity', ...theIdentity };
  return {
    metadata: { namespace, name: `${name}-${podNamespace}-${theIdentity.metadata.name}`, labels: { nodename: 'n1' } },
    spec: { pod: name, podNamespace, nodename: 'n1', azureIdentityRef: embedded },
    status: { status },
  };
}
