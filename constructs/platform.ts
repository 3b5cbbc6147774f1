import { Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { everyKind, selectKinds } from '../runtime/api/kind-pattern.ts';
import { machineKinds, operatorKinds, podIdentityKinds } from '../runtime/api/kinds.ts';
import { Crds } from './crds.ts';
import { KeyVaultVolumes } from './key-vault/key-vault-volumes.ts';
import { SecretEndpoint } from './machine-secrets/secret-endpoint.ts';
import { OperatorDashboard } from './operator-dashboard.ts';
import type { PlatformProps } from './platform-props.ts';
import { IdentityController } from './pod-identity/identity-controller.ts';
import { NodeIdentity } from './pod-identity/node-identity.ts';
import { ResourceOperator } from './resource-operator.ts';
import { TenantNamespace } from './tenant-namespace.ts';
import { TenantRoles } from './tenant-roles.ts';

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
  /** Notes for the person who deploys this, one sentence each; none is an error. */
  readonly notes: readonly string[];

  constructor(scope: Construct, id: string, props: PlatformProps) {
    super(scope, id);
    const { image, version, kinds, versions, kubernetesVersion, multiTenant = false } = props;
    const profile = multiTenant ? { multiTenant } : {};
    const identities = { ...profile, ...(props.identityScopes && { identityScopes: props.identityScopes }) };
    this.notes = notesOf(props);
    this.namespace = props.namespace ?? 'azimuth-system';

    const served = [
      ...(props.podIdentity ? podIdentityKinds : []),
      ...(props.operator === false ? [] : selectKinds(kinds ?? everyKind, operatorKinds)),
      ...(props.machineSecrets ? machineKinds : []),
    ];
    // Volumes alone have no kinds, and kubectl refuses a file without objects.
    const definitions = served.length > 0 ? new Chart(scope, `${id}-crds`) : undefined;
    const programs = new Chart(scope, `${id}-programs`);
    if (definitions) programs.addDependency(definitions);
    this.crds = new Crds(definitions ?? programs, 'Crds', { kinds: served, versions, kubernetesVersion });

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
        ...(props.machineSecrets && { machineSecrets: true }),
      });
      this.operator.node.addDependency(namespace);
      if (props.dashboard) {
        const dashboard = new OperatorDashboard(programs, 'OperatorDashboard', {
          namespace: this.namespace,
          ...props.dashboard,
          version,
        });
        dashboard.node.addDependency(namespace);
      }
    }
    const { endpoint } = props.machineSecrets || {};
    if (endpoint) {
      this.secretEndpoint = new SecretEndpoint(programs, 'SecretEndpoint', {
        kubernetesVersion,
        ...endpoint,
        namespace: this.namespace,
        image,
        version,
        ...profile,
      });
      this.secretEndpoint.node.addDependency(namespace);
    }
    if (multiTenant) {
      const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'app.kubernetes.io/version': version };
      new TenantRoles(programs, 'TenantRoles', { kinds: this.crds.kinds, labels });
    }
    for (const name of props.tenantNamespaces ?? []) new TenantNamespace(programs, `Tenant-${name}`, { name });
    this.node.addValidation({ validate: () => problems(props) });
    if (!props.podIdentity && !props.keyVaultVolumes) return;

    const nodeNamespace = `${this.namespace}-nodes`;
    const privileged = namespaceFor(programs, 'NodeNamespace', nodeNamespace, 'privileged');
    if (props.keyVaultVolumes) {
      const own = { namespace: nodeNamespace, image, version, ...identities };
      this.keyVaultVolumes = new KeyVaultVolumes(programs, 'KeyVaultVolumes', { ...props.keyVaultVolumes, ...own });
      this.keyVaultVolumes.node.addDependency(privileged);
    }
    if (!props.podIdentity) return;

    const { controller, node, forceNamespaced = multiTenant, nodeImage = image } = props.podIdentity;
    this.identityController = new IdentityController(programs, 'IdentityController', {
      kubernetesVersion,
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
      namespace: nodeNamespace,
      image: nodeImage,
      version,
      ...(forceNamespaced && { forceNamespaced }),
      ...identities,
    });
    this.nodeIdentity.node.addDependency(privileged);
  }
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
  const labels = { 'app.kubernetes.io/part-of': 'azimuth', 'pod-security.kubernetes.io/enforce': enforce };
  return new k8s.KubeNamespace(scope, id, { metadata: { name, labels } });
}
