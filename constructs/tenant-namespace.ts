import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { checkName } from './private/unique-names.ts';

/** Properties of `TenantNamespace`. */
export interface TenantNamespaceProps {
  /** The name of the namespace. */
  readonly name: string;
}

/**
 * The namespace of a tenant: the Pod Security level `baseline` keeps its pods off the network, the files and the processes
 * of the nodes, where pod identities and volumes could be taken.
 *
 * A namespace that goes takes its Azure resources along, so its annotations keep Argo CD, Flux and Helm from removing it
 * together with its manifest.
 */
export class TenantNamespace extends Construct {
  constructor(scope: Construct, id: string, { name }: TenantNamespaceProps) {
    super(scope, id);
    new k8s.KubeNamespace(this, 'Resource', {
      metadata: {
        name,
        labels: { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn': 'baseline' },
        annotations: {
          'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
          'kustomize.toolkit.fluxcd.io/prune': 'disabled',
          'helm.sh/resource-policy': 'keep',
          'argocd.argoproj.io/sync-wave': '-5',
        },
      },
    });
    checkName(this, '`name`');
  }
}
