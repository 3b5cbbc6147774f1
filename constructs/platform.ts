import { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { armResource } from '../runtime/api/arm/arm-resource.ts';
import { selectKinds } from '../runtime/api/kind-pattern.ts';
import { deploymentKinds, machineKinds, operatorKinds, podIdentityKinds } from '../runtime/api/kinds.ts';
import type { KindDefinition } from '../runtime/api/types.ts';
import { Crds } from './crds.ts';
import { KeyVaultVolumes } from './key-vault/key-vault-volumes.ts';
import { SecretEndpoint } from './machine-secrets/secret-endpoint.ts';
import type { MonitoredProgram } from './monitoring/alerts.ts';
import type { PlatformProps } from './platform-props.ts';
import { IdentityController } from './pod-identity/identity-controller.ts';
import { NodeIdentity } from './pod-identity/node-identity.ts';
import { KubernetesVersion } from './private/kubernetes-version.ts';
import { namedByApp } from './private/named-by-app.ts';
import { addMetricsReader, addMonitoring } from './private/platform-monitoring.ts';
import { kindNotes, profileNotes } from './private/platform-notes.ts';
import { namesInSeveralCharts } from './private/unique-names.ts';
import { ResourceOperator } from './resource-operator.ts';
import { ApprovalPolicy } from './rules/approval-policy.ts';
import { TenantNamespace } from './tenant-namespace.ts';
import { TenantRoles } from './tenant-roles.ts';
import { WebPage } from './web-page.ts';

export type * from './platform-props.ts';

/**
 * All of Azimuth: the definitions of its kinds in one chart, the programs in another that depends on it.
 *
 * Neither chart has a namespace of its own, because cdk8s would set it on cluster-scoped objects too. They are siblings
 * of this construct, so that the files have their names without a hash.
 */
export class Platform extends Construct {
  readonly namespace: string;
  readonly crds: Crds;
  readonly operator: ResourceOperator | undefined;
  readonly identityController: IdentityController | undefined;
  readonly nodeIdentity: NodeIdentity | undefined;
  readonly keyVaultVolumes: KeyVaultVolumes | undefined;
  readonly secretEndpoint: SecretEndpoint | undefined;
  readonly ui: WebPage | undefined;
  readonly #props: PlatformProps;
  /** The pattern of the kinds to serve. Undefined: those that Azimuth defines in the cluster. */
  readonly #kinds: string | undefined;
  /** The chart of the programs. */
  readonly #programs: Chart;
  /** The namespace of the programs that run on each node. */
  readonly #nodeNamespace: string;
  readonly #profile: { readonly multiTenant?: true };
  readonly #metricsFrom: Pick<PlatformProps, 'metricsFrom'>;

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    this.#props = props;
    this.#kinds = patternOf(props.kinds);
    this.namespace = props.namespace ?? 'azimuth-system';
    this.#nodeNamespace = `${this.namespace}-nodes`;
    this.#profile = props.multiTenant ? { multiTenant: true } : {};
    this.#metricsFrom = props.metricsFrom ? { metricsFrom: props.metricsFrom } : {};

    const kinds = this.#definedKinds();
    const { versions, descriptions, kubernetesVersion } = props;
    // Volumes alone have no kinds, and kubectl refuses a file without objects.
    const definitions = kinds.length > 0 ? new Chart(scope, `${id}-crds`) : undefined;
    this.#programs = new Chart(scope, `${id}-programs`);
    if (definitions) this.#programs.addDependency(definitions);
    this.crds = new Crds(definitions ?? this.#programs, 'Crds', {
      ...{ kinds, versions, descriptions, kubernetesVersion },
      namedByApp: props.operator !== false && this.#kinds === undefined,
    });

    const namespace = namespaceFor(this.#programs, 'Namespace', this.namespace, 'restricted');
    this.operator = this.#addOperator(namespace);
    this.secretEndpoint = this.#addSecretEndpoint(namespace);
    this.ui = this.#addWebPage(namespace);
    this.#addTenants(kinds);
    this.node.addValidation({ validate: () => [...problems(props), ...namesInSeveralCharts(this)] });
    addMonitoring(this.#programs, namespace, { ...props, namespace: this.namespace }, this.#monitored);
    if (!props.podIdentity && !props.keyVaultVolumes) return;

    addMetricsReader(this.#programs, namespace, { ...props, namespace: this.namespace });
    const nodeNamespace = namespaceFor(this.#programs, 'NodeNamespace', this.#nodeNamespace, 'privileged');
    this.keyVaultVolumes = this.#addKeyVaultVolumes(nodeNamespace);
    this.identityController = this.#addIdentityController(namespace);
    this.nodeIdentity = this.#addNodeIdentity(nodeNamespace);
  }

  /**
   * Notes for the person who deploys this, one sentence each; none is an error. Those about kinds are complete once the
   * app is.
   */
  get notes(): readonly string[] {
    const named = () => namedByApp(this);
    return [...profileNotes(this.#props), ...kindNotes(this.#props, this.crds.kinds, named)];
  }

  /** The kinds whose definitions the manifests have. */
  #definedKinds(): KindDefinition[] {
    const { podIdentity, operator, machineSecrets, deployments } = this.#props;
    const served = this.#kinds === undefined ? [armResource] : selectKinds(this.#kinds, operatorKinds);
    return [
      ...(podIdentity ? podIdentityKinds : []),
      ...(operator === false ? [] : served),
      ...(machineSecrets ? machineKinds : []),
      ...(deployments ? deploymentKinds : []),
    ];
  }

  #addOperator(namespace: k8s.KubeNamespace): ResourceOperator | undefined {
    const { operator, image, version, kubernetesVersion, machineSecrets, deployments } = this.#props;
    if (operator === false) return undefined;
    const added = new ResourceOperator(this.#programs, 'Operator', {
      ...operator,
      namespace: this.namespace,
      image,
      version,
      kinds: this.#kinds,
      kubernetesVersion,
      ...this.#profile,
      ...this.#metricsFrom,
      ...(machineSecrets && { machineSecrets: true }),
      ...(deployments && { deployments: true }),
    });
    added.node.addDependency(namespace);
    return added;
  }

  #addSecretEndpoint(namespace: k8s.KubeNamespace): SecretEndpoint | undefined {
    const { machineSecrets, image, version, kubernetesVersion } = this.#props;
    const { endpoint } = machineSecrets || {};
    if (!endpoint) return undefined;
    const added = new SecretEndpoint(this.#programs, 'SecretEndpoint', {
      kubernetesVersion,
      ...this.#metricsFrom,
      ...endpoint,
      namespace: this.namespace,
      image,
      version,
      ...this.#identities(),
    });
    added.node.addDependency(namespace);
    return added;
  }

  #addWebPage(namespace: k8s.KubeNamespace): WebPage | undefined {
    const { ui, image, version } = this.#props;
    if (!ui) return undefined;
    const added = new WebPage(this.#programs, 'Ui', { ...ui, namespace: this.namespace, image, version });
    added.node.addDependency(namespace);
    return added;
  }

  /** The roles and namespaces of tenants. `defined`: the kinds whose definitions the manifests have. */
  #addTenants(defined: readonly KindDefinition[]): void {
    const { multiTenant, operator, version, tenantNamespaces = [], deployments, machineSecrets } = this.#props;
    const { kubernetesVersion } = this.#props;
    if ((deployments || machineSecrets) && KubernetesVersion.of(kubernetesVersion ?? '1.27').atLeast(1, 30)) {
      new ApprovalPolicy(this.#programs, 'ApprovalPolicy');
    }
    if (multiTenant) {
      const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'app.kubernetes.io/version': version };
      // Without a pattern the operator serves every kind that Azimuth defines in the cluster, now or later.
      const every = operator !== false && this.#kinds === undefined ? operatorKinds : [];
      new TenantRoles(this.#programs, 'TenantRoles', { kinds: [...new Set([...defined, ...every])], labels });
    }
    for (const name of tenantNamespaces) new TenantNamespace(this.#programs, `Tenant-${name}`, { name });
  }

  /** The namespaces of the programs with metrics. */
  get #monitored(): Partial<Record<MonitoredProgram, string>> {
    const { operator, podIdentity, keyVaultVolumes } = this.#props;
    return {
      ...(operator !== false && { operator: this.namespace }),
      ...(this.secretEndpoint && { secrets: this.namespace }),
      ...(podIdentity && { identity: this.namespace, nmi: this.#nodeNamespace }),
      ...(keyVaultVolumes && { volumes: this.#nodeNamespace }),
    };
  }

  #addKeyVaultVolumes(namespace: k8s.KubeNamespace): KeyVaultVolumes | undefined {
    const { keyVaultVolumes } = this.#props;
    if (!keyVaultVolumes) return undefined;
    const own = { ...keyVaultVolumes, ...this.#onNodes() };
    const added = new KeyVaultVolumes(this.#programs, 'KeyVaultVolumes', own);
    added.node.addDependency(namespace);
    return added;
  }

  #addIdentityController(namespace: k8s.KubeNamespace): IdentityController | undefined {
    const { podIdentity, multiTenant = false, image, version, kubernetesVersion } = this.#props;
    if (!podIdentity) return undefined;
    const added = new IdentityController(this.#programs, 'IdentityController', {
      kubernetesVersion,
      ...this.#metricsFrom,
      ...podIdentity.controller,
      namespace: this.namespace,
      image,
      version,
      forceNamespaced: podIdentity.forceNamespaced ?? multiTenant,
      ...this.#identities(),
    });
    added.node.addDependency(namespace);
    return added;
  }

  #addNodeIdentity(namespace: k8s.KubeNamespace): NodeIdentity | undefined {
    const { podIdentity, multiTenant } = this.#props;
    if (!podIdentity) return undefined;
    const { node, nodeImage, forceNamespaced = multiTenant } = podIdentity;
    const own = ownAccounts.map((name) => ({ namespace: this.namespace, name }));
    const added = new NodeIdentity(this.#programs, 'NodeIdentity', {
      ...node,
      exceptedAccounts: [...own, ...(node?.exceptedAccounts ?? [])],
      ...this.#onNodes(),
      ...(nodeImage !== undefined && { image: nodeImage }),
      ...(forceNamespaced && { forceNamespaced }),
    });
    added.node.addDependency(namespace);
    return added;
  }

  /** Properties of every program on nodes. */
  #onNodes() {
    const { image, nodeImage = image, version, metricsAuthentication = true } = this.#props;
    return { namespace: this.#nodeNamespace, image: nodeImage, version, metricsAuthentication, ...this.#identities() };
  }

  /** The profile, and the identities that each namespace may name. */
  #identities() {
    const { identityScopes } = this.#props;
    return { ...this.#profile, ...(identityScopes && { identityScopes }) };
  }
}

/**
 * Programs that may sign in as the machine need its metadata endpoint. Tools that rename objects leave arguments as they
 * are, therefore the stars.
 */
const ownAccounts = ['*azimuth-operator*', '*azimuth-identity*', '*azimuth-secrets*'];

/** The pattern of a list of globs. */
function patternOf(kinds: PlatformProps['kinds']): string | undefined {
  return kinds === undefined || typeof kinds === 'string' ? kinds : kinds.join(';');
}

function problems({ multiTenant, podIdentity, tenantNamespaces = [] }: PlatformProps): string[] {
  const found = tenantNamespaces
    .filter(
      (name, index) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name) || tenantNamespaces.indexOf(name) < index,
    )
    .map((name) => `Expected \`tenantNamespaces\` to name each namespace once, got \`${name}\``);
  if (multiTenant && podIdentity && podIdentity.forceNamespaced === false) {
    found.push('Expected `podIdentity.forceNamespaced` not to be false with `multiTenant`, where it is always so');
  }
  return found;
}

function namespaceFor(
  scope: Construct,
  id: string,
  name: string,
  enforce: 'restricted' | 'privileged',
): k8s.KubeNamespace {
  const level = (mode: string) => ({ [`pod-security.kubernetes.io/${mode}`]: enforce });
  const labels = { 'app.kubernetes.io/part-of': 'azimuth', ...level('enforce'), ...level('audit'), ...level('warn') };
  const annotations = { 'argocd.argoproj.io/sync-wave': '-5' };
  return new k8s.KubeNamespace(scope, id, { metadata: { name, labels, annotations } });
}
