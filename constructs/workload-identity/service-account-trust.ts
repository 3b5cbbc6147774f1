import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import {
  accountsExpression,
  claimsFit,
  parseClaimsExpression,
  subjectOf,
  tokenAudience,
} from '../../runtime/api/workload-identity.ts';
import { AzureResource } from '../azure-resource.ts';
import { checkName } from '../private/unique-names.ts';
import type { ExportedConfigValue } from '../resources/exported-value.ts';
import { issuerFields, issuerProblems } from './issuer.ts';

/** Properties of `ServiceAccountTrust`. */
export interface ServiceAccountTrustProps {
  /** The identity, an object of the same namespace. */
  readonly identity: AzureResource<'managedidentity.azure.com/UserAssignedIdentity'>;

  /** The issuer of the cluster's service account tokens, as for `WorkloadIdentity`. */
  readonly issuer: string | ExportedConfigValue;

  /**
   * Names of the service accounts: `*` stands for any characters and `?` for one, such as `shop-*`. The identity trusts
   * every account of the namespace whose name fits, whoever makes it.
   */
  readonly accounts: string;

  /**
   * Namespace of the service accounts.
   *
   * @default that of the identity, else of the chart
   */
  readonly namespace?: string;
}

/** Characters of the name of a service account, with the two that stand for others. */
const pattern = /^[a-z0-9.*?-]+$/;

/**
 * One federated credential for many service accounts of a namespace, where the 20 credentials of an identity are not
 * enough: a flexible federated credential, which is a preview of Azure.
 *
 * ```ts
 * const trust = new ServiceAccountTrust(chart, 'shops', { identity, issuer, accounts: 'shop-*' });
 * new WorkloadIdentity(chart, 'shop-web', { identity, trust }).inject(deployment);
 * ```
 */
export class ServiceAccountTrust extends Construct {
  readonly identity: AzureResource<'managedidentity.azure.com/UserAssignedIdentity'>;
  /** Namespace of the service accounts. */
  readonly namespace: string;
  readonly #expression: string;

  constructor(scope: Construct, id: string, props: ServiceAccountTrustProps) {
    super(scope, id);
    const { identity, issuer, accounts } = props;
    this.identity = identity;
    this.namespace = props.namespace ?? identity.namespace ?? Chart.of(this).namespace ?? '';
    const expression = accountsExpression(this.namespace, accounts);
    this.#expression = expression.value;
    const credential = new AzureResource(this, 'Credential', {
      kind: 'managedidentity.azure.com/FederatedIdentityCredential',
      metadata: { name: `${identity.name}-${id.toLowerCase()}`, namespace: this.namespace },
      spec: {
        owner: identity,
        claimsMatchingExpression: expression,
        audiences: [tokenAudience],
        ...issuerFields(issuer),
      },
    });
    checkName(this, 'the id in lower case, or `metadata.name` of the identity,', ApiObject.of(credential));
    this.node.addValidation({ validate: () => [...this.#problems(accounts), ...issuerProblems(issuer)] });
  }

  /** Why the identity of a construct does not trust its service account by this credential; empty where it does. */
  problemsOf(
    { identity, namespace }: Pick<ServiceAccountTrustProps, 'namespace'> & { readonly identity?: unknown },
    name: string,
  ): string[] {
    const claims = { sub: subjectOf(namespace ?? '', name) };
    return [
      ...(identity === this.identity
        ? []
        : [`Expected \`trust\` to be of the same identity, and it is of ${this.identity.node.path}`]),
      ...(claimsFit(parseClaimsExpression(this.#expression) ?? [], claims)
        ? []
        : [
            `Expected \`accounts\` of ${this.node.path} to fit the service account ${name} of the namespace ${namespace}`,
          ]),
    ];
  }

  #problems(accounts: string): string[] {
    return [
      ...(this.namespace === ''
        ? ['Expected `namespace` to be set, here or on the chart: the federated credential names it']
        : []),
      ...(pattern.test(accounts)
        ? []
        : [`Expected \`accounts\` to be a name with \`*\` and \`?\`, such as \`shop-*\`, got \`${accounts}\``]),
    ];
  }
}
