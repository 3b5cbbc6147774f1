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
import { MetricsReader } from './monitoring/metrics-reader.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { ProgramDashboard } from './monitoring/program-dashboard.ts';
import type { PlatformProps } from './platform-props.ts';
import { IdentityController } from './pod-identity/identity-controller.ts';
import { NodeIdentity } from './pod-identity/node-identity.ts';
import { namedByApp } from './private/named-by-app.ts';
import { ResourceOperator } from './resource-operator.ts';
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

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    const { image, nodeImage = image, version, versions, kubernetesVersion, multiTenant = false } = props;
    const kinds = patternOf(props.kinds);
    const profile = multiTenant ? { multiTenant } : {};
    const metrics = props.metricsFrom ? { metricsFrom: props.metricsFrom } : {};
    const { metricsAuthentication = true } = props;
    const identities = { ...profile, ...(props.identityScopes && { identityScopes: props.identityScopes }) };
    this.#props = props;
    this.namespace = props.namespace ?? 'azimuth-system';

    const served = [
      ...(props.podIdentity ? podIdentityKinds : []),
      ...(props.operator === false ? [] : kinds === undefined ? [armResource] : selectKinds(kinds, operatorKinds)),
      ...(props.machineSecrets ? machineKinds : []),
      ...(props.deployments ? deploymentKinds : []),
    ];
    // Volumes alone have no kinds, and kubectl refuses a file without objects.
    const definitions = served.length > 0 ? new Chart(scope, `${id}-crds`) : undefined;
    const programs = new Chart(scope, `${id}-programs`);
    if (definitions) programs.addDependency(definitions);
    this.crds = new Crds(definitions ?? programs, 'Crds', {
      kinds: served,
      namedByApp: props.operator !== false && kinds === undefined,
      versions,
      kubernetesVersion,
    });

    const namespace = namespaceFor(programs, 'Namespace', this.namespace, 'restricted');
    if (props.operator !== false) {
      this.operator = new ResourceOperator(programs, 'Operator', {
        ...props.operator,
        namespace: this.namespace,
        image,
        version,
        kinds,
        kubernetesVersion,
        ...profile,
        ...metrics,
        ...(props.machineSecrets && { machineSecrets: true }),
        ...(props.deployments && { deployments: true }),
      });
      this.operator.node.addDependency(namespace);
    }
    const { endpoint } = props.machineSecrets || {};
    if (endpoint) {
      this.secretEndpoint = new SecretEndpoint(programs, 'SecretEndpoint', {
        kubernetesVersion,
        ...metrics,
        ...endpoint,
        namespace: this.namespace,
        image,
        version,
        ...profile,
      });
      this.secretEndpoint.node.addDependency(namespace);
    }
    if (props.ui) {
      this.ui = new WebPage(programs, 'Ui', { ...props.ui, namespace: this.namespace, image, version });
      this.ui.node.addDependency(namespace);
    }
    if (multiTenant) {
      const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'app.kubernetes.io/version': version };
      // Without a pattern the operator serves every kind that Azimuth defines in the cluster, now or later.
      const every = props.operator !== false && kinds === undefined ? operatorKinds : [];
      new TenantRoles(programs, 'TenantRoles', { kinds: [...new Set([...served, ...every])], labels });
    }
    for (const name of props.tenantNamespaces ?? []) new TenantNamespace(programs, `Tenant-${name}`, { name });
    this.node.addValidation({ validate: () => problems(props) });
    const nodes = `${this.namespace}-nodes`;
    const { operator, podIdentity, keyVaultVolumes } = props;
    const deployed: Partial<Record<MonitoredProgram, string>> = {
      ...(operator !== false && { operator: this.namespace }),
      ...(endpoint && { secrets: this.namespace }),
      ...(podIdentity && { identity: this.namespace, nmi: nodes }),
      ...(keyVaultVolumes && { volumes: nodes }),
    };
    if (props.monitoring) {
      const own = {
        namespace: this.namespace,
        ...props.monitoring,
        version,
        programs: deployed,
        metricsAuthentication,
      };
      new Monitoring(programs, 'Monitoring', own).node.addDependency(namespace);
    }
    for (const program of props.dashboard ? (Object.keys(deployed) as MonitoredProgram[]) : []) {
      const own = { namespace: this.namespace, ...props.dashboard, version, program };
      new ProgramDashboard(programs, `Dashboard-${program}`, own).node.addDependency(namespace);
    }
    if (!props.podIdentity && !props.keyVaultVolumes) return;

    if (metricsAuthentication) {
      const accountIn = props.monitoring ? (props.monitoring.namespace ?? this.namespace) : undefined;
      const own = { version, accountIn, ...(props.metricsReaders && { accounts: props.metricsReaders }) };
      new MetricsReader(programs, 'MetricsReader', own).node.addDependency(namespace);
    }
    const privileged = namespaceFor(programs, 'NodeNamespace', nodes, 'privileged');
    if (props.keyVaultVolumes) {
      const own = { namespace: nodes, image: nodeImage, version, metricsAuthentication, ...identities };
      this.keyVaultVolumes = new KeyVaultVolumes(programs, 'KeyVaultVolumes', { ...props.keyVaultVolumes, ...own });
      this.keyVaultVolumes.node.addDependency(privileged);
    }
    if (!props.podIdentity) return;

    const { controller, node, forceNamespaced = multiTenant } = props.podIdentity;
    this.identityController = new IdentityController(programs, 'IdentityController', {
      kubernetesVersion,
      ...metrics,
      ...controller,
      namespace: this.namespace,
      image,
      version,
      forceNamespaced,
      ...identities,
    });
    this.identityController.node.addDependency(namespace);
    this.nodeIdentity = new NodeIdentity(programs, 'NodeIdentity', {
      ...node,
      exceptedAccounts: [
        ...ownAccounts.map((name) => ({ namespace: this.namespace, name })),
        ...(node?.exceptedAccounts ?? []),
      ],
      namespace: nodes,
      image: props.podIdentity.nodeImage ?? nodeImage,
      version,
      metricsAuthentication,
      ...(forceNamespaced && { forceNamespaced }),
      ...identities,
    });
    this.nodeIdentity.node.addDependency(privileged);
  }

  /**
   * Notes for the person who deploys this, one sentence each; none is an error. Those about kinds are complete once the
   * app is.
   */
  get notes(): readonly string[] {
    return [...notesOf(this.#props), ...this.#kindNotes()];
  }

  #kindNotes(): string[] {
    const { operator, kinds } = this.#props;
    if (operator === false) return [];
    const defined = new Set(this.crds.kinds.filter((kind) => operatorKinds.includes(kind)).map(nameOf));
    if (kinds === undefined && defined.size === 1) {
      return [
        'Of the kinds of Azure resources only ArmResource is defined, as no object of this app names another one: name kinds ' +
          'by `kinds` (AZIMUTH_KINDS), such as used:<folder with manifests>, or all by *; `azimuth kinds` prints those that ' +
          'a cluster needs. The operator serves the kinds that Azimuth defines in the cluster. ' +
          'Before definitions leave the manifests of a cluster, read "Fewer definitions" in docs/guides/upgrading.md.',
      ];
    }
    return [...namedByApp(this)]
      .filter(([name]) => !defined.has(name))
      .map(
        ([name, path]) =>
          `${path} needs the kind ${name}, which this platform does not define: add it to \`kinds\` (AZIMUTH_KINDS), ` +
          'unless the cluster has it from elsewhere.',
      );
  }
}

/**
 * Programs that may sign in as the machine need its metadata endpoint. Tools that rename objects leave arguments as they
 * are, therefore the stars.
 */
const ownAccounts = ['*azimuth-operator*', '*azimuth-identity*', '*azimuth-secrets*'];

const nameOf = ({ group, kind }: KindDefinition) => `${group}/${kind}`;

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

function notesOf({ multiTenant, operator, podIdentity, keyVaultVolumes, identityScopes }: PlatformProps): string[] {
  if (!multiTenant) return [];
  return [
    ...(operator === false || operator?.credentialScopes
      ? []
      : [
          'Without `operator.credentialScopes` (AZURE_OPERATOR_CREDENTIAL_SCOPES) no namespace may use the credential of the ' +
            'operator: each needs a Secret `aso-credential` of its own.',
        ]),
    ...((!podIdentity && !keyVaultVolumes) || identityScopes
      ? []
      : [
          'Without `identityScopes` (AZIMUTH_IDENTITY_SCOPES) no AzureIdentity may name a user-assigned identity (type 0), and ' +
            "no volume may use the machine's: types 1, 2 and 3 are left.",
        ]),
  ];
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
