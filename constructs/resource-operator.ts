import type { Construct } from 'constructs';
import { everyKind, selectKinds } from '../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../runtime/api/kinds.ts';
import { mostWatchedNamespaces, operatorPermissions } from '../runtime/api/permissions/index.ts';
import { lackingTrustKinds } from '../runtime/api/workload-identity.ts';
import { ControllerProgram, type ControllerProps } from './private/controller-program.ts';
import { KubernetesVersion } from './private/kubernetes-version.ts';
import { programLabels } from './private/labels.ts';
import { NamePolicy } from './private/name-policy.ts';
import { nameProblems } from './private/names.ts';
import { type NamespaceScopes, scopeArguments, scopeProblems } from './private/scope-list.ts';

/** Properties of `ResourceOperator`. */
export interface ResourceOperatorProps extends ControllerProps {
  /**
   * The Secret with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID, and, where the operator signs in with
   * one of them, AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE. Without those two the operator signs in as its service
   * account (workload federation). The pod does not start before the Secret exists.
   *
   * @default 'azimuth-operator-settings'
   */
  readonly settingsSecret?: string;

  /**
   * The kinds that the operator serves, which limit its role too: globs over `group/Kind`, separated by `;`, such
   * as `resources.azure.com/*;storage.azure.com/*`.
   *
   * @default every kind that the cluster defines, now or later
   */
  readonly kinds?: string | undefined;

  /**
   * Scopes of objects that use the operator's own credential, by their namespace, or `*` for any: ARM ids, each with
   * everything below it; `/` is everything. Objects of other namespaces cannot use that credential.
   *
   * @default everywhere, except for types that grant access; nowhere under the multi-tenant profile
   */
  readonly credentialScopes?: NamespaceScopes;

  /**
   * Whether types that grant access, such as RoleAssignment, may have any owner with the operator's own credential, for
   * a cluster whose namespaces trust each other (AZIMUTH_ALLOW_ACCESS_GRANTS). It has no effect beside
   * `credentialScopes`, and is refused under the multi-tenant profile.
   *
   * @default false
   */
  readonly allowAccessGrants?: boolean;

  /**
   * The namespaces that the operator reconciles; they must exist. Its service account can then read Secrets and the
   * kinds in these only: the manifests have a Role in each, and no ClusterRole for Secrets.
   *
   * @default all namespaces
   */
  readonly targetNamespaces?: readonly string[];

  /**
   * Whether it reconciles ManagedSecrets, FeatureRegistrations and the secrets of machines (AZIMUTH_MACHINE_SECRETS).
   *
   * @default false
   */
  readonly machineSecrets?: boolean;

  /**
   * Whether it reconciles ComputeDeployments, which make and delete objects of its kinds (AZIMUTH_DEPLOYMENTS).
   *
   * @default false
   */
  readonly deployments?: boolean;

  /**
   * Origins that the checks of gates of ComputeDeployments may ask, such as `https://prometheus.monitoring:9090` or
   * `https://*.example.org` (AZIMUTH_GATE_TARGETS). Never the API server, loopback or link-local addresses.
   *
   * @default none
   */
  readonly gateTargets?: readonly string[];

  /**
   * Registries from which ComputeDeployments may take linked templates, such as `registry.example.org:5000` or
   * `*.example.org` (AZIMUTH_TEMPLATE_REGISTRIES). The operator asks them by HTTPS, without a credential or with an anonymous token; a private registry of Azure Container Registry gets a token of the namespace's credential. `=`
   * adds hosts to which the registry may send the operator for tokens and files, such as
   * `registry-1.docker.io=auth.docker.io+production.cloudflare.docker.com`.
   *
   * @default none
   */
  readonly templateRegistries?: readonly string[];

  /**
   * Whether the checks of gates may be Jobs (AZIMUTH_GATE_JOBS). The operator may then create Jobs, and does so with the
   * rights of the deployment's service account only.
   *
   * @default false
   */
  readonly gateJobs?: boolean;

  /**
   * Whether it reports service accounts that no federated credential of their UserAssignedIdentity trusts, by events
   * (AZIMUTH_CHECK_SERVICE_ACCOUNTS). It may list and watch service accounts then.
   *
   * @default false
   */
  readonly checkServiceAccounts?: boolean;

  /**
   * Further environment variables: AZURE_SYNC_PERIOD, MAX_CONCURRENT_RECONCILES and so on.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The program that turns custom resources into Azure resources.
 *
 * Consists of a Deployment, its ServiceAccount with exactly the permissions that the program declares, a
 * PodDisruptionBudget and a NetworkPolicy. For API servers from 1.30 on there is an admission policy for names. It needs no
 * webhook, no cert-manager and no volume that outlives a pod.
 */
export class ResourceOperator extends ControllerProgram {
  constructor(scope: Construct, id: string, props: ResourceOperatorProps) {
    const targetNamespaces = targetsOf(props);
    const registries = (props.templateRegistries ?? []).flatMap((each) => each.split(/[=+]/));
    super(scope, id, props, {
      program: 'operator',
      healthPort: 8081,
      args: [
        ...(props.kinds === undefined ? [] : [`--kinds=${props.kinds}`]),
        ...(props.targetNamespaces?.length ? [`--target-namespaces=${props.targetNamespaces.join(',')}`] : []),
        ...scopeArguments('operator-credential-scopes', props.credentialScopes),
      ],
      env: {
        ...(props.machineSecrets && { AZIMUTH_MACHINE_SECRETS: 'true' }),
        ...(props.deployments && { AZIMUTH_DEPLOYMENTS: 'true' }),
        ...(props.gateTargets?.length && { AZIMUTH_GATE_TARGETS: props.gateTargets.join(',') }),
        ...(props.templateRegistries?.length && {
          AZIMUTH_TEMPLATE_REGISTRIES: props.templateRegistries.join(','),
        }),
        ...(props.gateJobs && { AZIMUTH_GATE_JOBS: 'true' }),
        ...(props.checkServiceAccounts && { AZIMUTH_CHECK_SERVICE_ACCOUNTS: 'true' }),
        ...(props.allowAccessGrants && { AZIMUTH_ALLOW_ACCESS_GRANTS: 'true' }),
        ...props.env,
      },
      envFrom: [{ secretRef: { name: props.settingsSecret ?? 'azimuth-operator-settings' } }],
      egressPorts: [
        props.env?.['OTEL_EXPORTER_OTLP_ENDPOINT'],
        ...(props.gateTargets ?? []),
        ...registries.map((each) => `https://${each}`),
      ].flatMap(portsOf),
      permissions: operatorPermissions(selectKinds(props.kinds ?? everyKind, operatorKinds), {
        watchDefinitions: props.kinds === undefined,
        targets: targetNamespaces.length > 0,
        manyTargets: targetNamespaces.length > mostWatchedNamespaces,
        ...(props.machineSecrets && { machineSecrets: true }),
        ...(props.deployments && { deployments: true }),
        ...(props.gateJobs && { gateJobs: true }),
        ...(props.checkServiceAccounts && { checkServiceAccounts: true }),
      }),
      targetNamespaces,
      outsideMebibytes: expressionMebibytes + (props.deployments ? expansionMebibytes : 0),
      furtherMebibytes: props.deployments ? deploymentMebibytes : 0,
    });
    if (KubernetesVersion.of(props.kubernetesVersion ?? '1.27').atLeast(1, 30))
      new NamePolicy(this, 'Names', { labels: programLabels('operator', props.version).all });
    const served = selectKinds(props.kinds ?? everyKind, operatorKinds);
    this.node.addValidation({
      validate: () => [
        ...scopeProblems('credentialScopes', props.credentialScopes),
        ...nameProblems('targetNamespaces', targetNamespaces),
        ...(props.allowAccessGrants && props.multiTenant
          ? ['Expected `allowAccessGrants` to be false with `multiTenant`: name places by `credentialScopes`']
          : []),
        ...(props.checkServiceAccounts ? lackingTrustKinds(served) : []).map(
          (name) => `checkServiceAccounts reads objects of the kind ${name}: add it to kinds, or leave out the check`,
        ),
      ],
    });
  }
}

/** Memory of the process that evaluates expressions of users (docs/adr/0028). */
const expressionMebibytes = 104;

/**
 * Memory of the process that expands the templates of ComputeDeployments (docs/adr/0039): 54 when ready and 96 for a job,
 * at which it is ended, as far as it gets in the 10 ms between two readings (docs/reference/memory.md).
 */
const expansionMebibytes = 160;

/**
 * Memory of ComputeDeployments in the operator: runs of 50,000 objects (50 MB), 48 MiB of expanded locations and eight
 * million characters of goals (docs/reference/memory.md).
 */
const deploymentMebibytes = 128;

/** The namespaces of the property, or of the variable of the same meaning. */
function targetsOf({ targetNamespaces, env }: ResourceOperatorProps): readonly string[] {
  const named = targetNamespaces ?? env?.['AZURE_TARGET_NAMESPACES']?.split(/[\s,]+/).filter(Boolean) ?? [];
  return [...new Set(named)];
}

/** The port of an address, unless it is 443, which is always open. */
function portsOf(address = ''): number[] {
  const url = URL.parse(address.replace('//*.', '//'));
  if (!url) return [];
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return port === 443 ? [] : [port];
}
