import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import { EnvValue, k8s, Volume, type Workload } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import {
  clientIdAnnotation,
  clientIdVariable,
  injectionLabel,
  subjectOf,
  tenantIdAnnotation,
  tokenAudience,
  tokenDirectory,
  tokenFile,
  tokenLifetime,
  tokenVolume,
  trustedByAnnotation,
  useLabel,
} from '../../runtime/api/workload-identity.ts';
import { AzureResource } from '../azure-resource.ts';
import { checkName } from '../private/unique-names.ts';
import type { ExportedConfigValue } from '../resources/exported-value.ts';
import { issuerFields, issuerProblems } from './issuer.ts';
import type { ServiceAccountTrust } from './service-account-trust.ts';

type UserAssigned = AzureResource<'managedidentity.azure.com/UserAssignedIdentity'>;

/** Properties of `WorkloadIdentity`. */
export interface WorkloadIdentityProps {
  /**
   * The identity: an object of the same namespace, or its ids. Only an object gets a federated credential here; with ids
   * somebody else makes the credential.
   */
  readonly identity: UserAssigned | { readonly clientId: string; readonly tenantId: string };

  /**
   * The issuer of the cluster's service account tokens: `az aks show --query oidcIssuerProfile.issuerUrl`, or the export
   * of a ManagedCluster.
   *
   * @default none; required for an identity that is an object, without `trust`
   */
  readonly issuer?: string | ExportedConfigValue;

  /**
   * One federated credential that the identity has for many service accounts, in place of one for this account.
   *
   * @default none
   */
  readonly trust?: ServiceAccountTrust;

  /**
   * Name of the service account.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * Namespace of the service account and its pods.
   *
   * @default that of the identity, else of the chart
   */
  readonly namespace?: string;

  /**
   * Authority of Microsoft Entra ID.
   *
   * @default 'https://login.microsoftonline.com/'
   */
  readonly authority?: string;

  /**
   * Leaves token and variables to the `WorkloadIdentityPolicy` of the cluster: every pod of the service account with the
   * label `azure.workload.identity/use: "true"` gets them, also pods that no construct makes.
   *
   * @default false
   */
  readonly byPolicy?: boolean;
}

const publicAuthority = 'https://login.microsoftonline.com/';
const variable = 'AZURE_FEDERATED_TOKEN_FILE';
const nameProperty = '`name`, which is the id in lower case by default,';

/** cdk8s-plus has no method for projected volumes, but its constructor accepts them. */
const AnyVolume = Volume as unknown as new (
  scope: Construct,
  id: string,
  name: string,
  source: Omit<k8s.Volume, 'name'>,
) => Volume;

/**
 * Microsoft Entra Workload ID without a webhook and without pod identities: a service account, the federated credential
 * by which the identity trusts it, and token and variables in each container that Azure's SDKs read.
 *
 * ```ts
 * new WorkloadIdentity(chart, 'web', { identity, issuer }).inject(deployment);
 * ```
 */
export class WorkloadIdentity extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  /** The object that grants can name; undefined where the identity was given by its ids. */
  readonly identity: UserAssigned | undefined;
  /** The client id; undefined where the identity is an object, whose ids only the cluster knows. */
  readonly clientId: string | undefined;
  readonly #props: WorkloadIdentityProps;

  constructor(scope: Construct, id: string, props: WorkloadIdentityProps) {
    super(scope, id);
    this.#props = props;
    const { identity } = props;
    this.identity = identity instanceof AzureResource ? identity : undefined;
    this.serviceAccountName = props.name ?? id.toLowerCase();
    this.namespace = props.namespace ?? this.identity?.namespace ?? Chart.of(this).namespace ?? '';
    const ids = 'clientId' in identity ? identity : undefined;
    this.clientId = ids?.clientId;
    const account = new k8s.KubeServiceAccount(this, 'Account', {
      metadata: {
        name: this.serviceAccountName,
        namespace: this.namespace,
        annotations: {
          // For the webhook of AKS and the CSI driver, where a cluster has them.
          ...(ids && { [clientIdAnnotation]: ids.clientId, [tenantIdAnnotation]: ids.tenantId }),
          // The operator reports the account when the trust is missing.
          ...(this.identity && { [trustedByAnnotation]: this.identity.name }),
        },
      },
    });
    checkName(this, nameProperty, account);
    if (this.identity) this.#trust(this.identity);
    if (props.byPolicy) this.#parameters();
    this.node.addValidation({ validate: () => this.#problems() });
  }

  /**
   * Runs the pods of the workload as the service account, and gives the containers that it has by now the token and the
   * variables AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_FEDERATED_TOKEN_FILE and AZURE_AUTHORITY_HOST. With `byPolicy` the
   * pods get the label instead, and the API server gives them the rest.
   */
  inject(workload: Workload): this {
    const pod = podPath(workload);
    const object = ApiObject.of(workload);
    object.addJsonPatch(JsonPatch.add(`${pod}/serviceAccountName`, this.serviceAccountName));
    if (this.#props.byPolicy) {
      workload.podMetadata.addLabel(useLabel, 'true');
      workload.node.addValidation({ validate: () => namespaceProblems(workload, this.namespace) });
      return this;
    }
    const volume = new AnyVolume(workload, `${this.node.id}-token`, tokenVolume, {
      projected: {
        sources: [
          { serviceAccountToken: { path: tokenFile, audience: tokenAudience, expirationSeconds: tokenLifetime } },
        ],
      },
    });
    const variables = this.#variables();
    for (const container of [...workload.containers, ...workload.initContainers]) {
      container.mount(tokenDirectory, volume, { readOnly: true });
      for (const [name, value] of Object.entries(variables)) container.env.addVariable(name, value);
    }
    workload.node.addValidation({ validate: () => injectionProblems(workload, this.namespace) });
    return this;
  }

  #variables(): Record<string, EnvValue> {
    const { identity, authority = publicAuthority } = this.#props;
    const ids =
      'clientId' in identity
        ? { client: EnvValue.fromValue(identity.clientId), tenant: EnvValue.fromValue(identity.tenantId) }
        : { client: identity.export('clientId').envValue, tenant: identity.export('tenantId').envValue };
    return {
      [clientIdVariable]: ids.client,
      AZURE_TENANT_ID: ids.tenant,
      [variable]: EnvValue.fromValue(`${tokenDirectory}/${tokenFile}`),
      AZURE_AUTHORITY_HOST: EnvValue.fromValue(authority),
    };
  }

  /** The parameters of the policy, which reads ConfigMaps of the namespace of a pod only. */
  #parameters(): void {
    const { identity, authority = publicAuthority } = this.#props;
    const exported = (member: 'clientId' | 'tenantId') => {
      if ('clientId' in identity) return { [member]: identity[member] };
      const { name, key } = identity.export(member);
      return { [`${member}ConfigMap`]: name, [`${member}Key`]: key };
    };
    const parameters = new k8s.KubeConfigMap(this, 'Parameters', {
      metadata: {
        name: `workload-identity-${this.serviceAccountName}`,
        namespace: this.namespace,
        labels: { [injectionLabel]: 'true' },
      },
      data: {
        serviceAccountName: this.serviceAccountName,
        authority,
        ...exported('clientId'),
        ...exported('tenantId'),
      },
    });
    checkName(this, nameProperty, parameters);
  }

  #trust(identity: UserAssigned): void {
    const { issuer, trust } = this.#props;
    if (issuer === undefined || trust) return;
    const credential = new AzureResource(this, 'Credential', {
      kind: 'managedidentity.azure.com/FederatedIdentityCredential',
      metadata: { name: `${identity.name}-${this.serviceAccountName}`, namespace: this.namespace },
      spec: {
        owner: identity,
        subject: subjectOf(this.namespace, this.serviceAccountName),
        audiences: [tokenAudience],
        ...issuerFields(issuer),
      },
    });
    checkName(this, `${nameProperty} or \`metadata.name\` of the identity`, ApiObject.of(credential));
  }

  #problems(): string[] {
    const { issuer, trust } = this.#props;
    const found: string[] = [];
    if (this.namespace === '') {
      found.push('Expected `namespace` to be set, here or on the chart: a federated credential names it');
    }
    if (trust) found.push(...trust.problemsOf(this, this.serviceAccountName));
    if (trust && issuer !== undefined) found.push('Expected `issuer` or `trust`, got both: `trust` has an issuer');
    if (!trust && this.identity && issuer === undefined) {
      found.push(
        'Expected `issuer` to be the issuer of the cluster, got none: without a federated credential the identity refuses ' +
          'the tokens of the service account',
      );
    }
    return [...found, ...issuerProblems(issuer)];
  }
}

/** Where the pod's spec is in the object of a workload. */
function podPath(workload: Workload): string {
  const { kind } = ApiObject.of(workload);
  if (kind === 'CronJob') return '/spec/jobTemplate/spec/template/spec';
  return '/spec/template/spec';
}

function injectionProblems(workload: Workload, namespace: string): string[] {
  const late = [...workload.containers, ...workload.initContainers].filter(
    ({ env }) => env.variables[variable] === undefined,
  );
  const found = late.map(
    ({ name }) => `The container \`${name}\` has no token of Azure: call \`inject\` after \`addContainer\``,
  );
  if (workload.containers.length === 0) found.push('The workload has no container: call `inject` after `addContainer`');
  return [...found, ...namespaceProblems(workload, namespace)];
}

function namespaceProblems(workload: Workload, namespace: string): string[] {
  const own = workload.metadata.namespace ?? Chart.of(workload).namespace ?? '';
  if (own === namespace) return [];
  return [
    `Expected the workload to be in the namespace \`${namespace}\` of its service account, and it is in \`${own}\``,
  ];
}
