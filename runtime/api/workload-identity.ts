import { fitsPattern } from '../base/text/wildcard.ts';

/** Names of Microsoft Entra Workload ID on objects and in pods, as its webhook and Azure's SDKs use them. */
const prefix = 'azure.workload.identity';

/** Annotation of a service account: the client id of the identity whose tokens its pods get. */
export const clientIdAnnotation = `${prefix}/client-id`;
/** Annotation of a service account: the tenant of the identity. */
export const tenantIdAnnotation = `${prefix}/tenant-id`;
/** Our annotation of a service account: the name of the UserAssignedIdentity of its namespace that must trust it. */
export const trustedByAnnotation = 'azimuth.dev/trusted-by';
/** Label of a pod that gets token and variables. */
export const useLabel = `${prefix}/use`;
/** Annotation of a pod: names of containers that get neither, separated by `;`. */
export const skipContainersAnnotation = `${prefix}/skip-containers`;
/** Our label of a ConfigMap with the parameters of the policy that gives pods their token. */
export const injectionLabel = 'azimuth.dev/workload-identity';
/** Variable with the client id. */
export const clientIdVariable = 'AZURE_CLIENT_ID';
/** Name of the volume with the token. */
export const tokenVolume = 'azure-identity-token';
/** Directory of the token in a container. */
export const tokenDirectory = '/var/run/secrets/azure/tokens';
/** File of the token in the directory. */
export const tokenFile = 'azure-identity-token';
/** Longest life of a token, seconds. kubelet replaces it before. */
export const tokenLifetime = 3600;
/** The audience that Microsoft Entra ID expects in the token of a service account. */
export const tokenAudience = 'api://AzureADTokenExchange';

/** The subject of the tokens of a service account, as a federated credential names it. */
export function subjectOf(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The kinds, `group/Kind`, that show which service accounts an identity trusts, that are not among `kinds`. */
export function lackingTrustKinds(kinds: readonly { readonly group: string; readonly kind: string }[]): string[] {
  const served = new Set(kinds.map(({ group, kind }) => `${group}/${kind}`));
  return ['UserAssignedIdentity', 'FederatedIdentityCredential']
    .map((kind) => `managedidentity.azure.com/${kind}`)
    .filter((name) => !served.has(name));
}

/** The expression by which a flexible federated credential trusts service accounts of a namespace; `*` and `?` match. */
export function accountsExpression(namespace: string, names: string): { languageVersion: number; value: string } {
  return { languageVersion: 1, value: `claims['sub'] matches '${subjectOf(namespace, names)}'` };
}

/** One comparison of an expression of a flexible federated credential. */
export interface ClaimComparison {
  readonly claim: string;
  readonly operator: 'eq' | 'matches';
  readonly comparand: string;
}

const comparison = /^claims\['([^']+)'\] (eq|matches) '((?:[^']|'')*)'/;
const conjunction = ' and ';
/** Characters of an expression that is read; one of another length is not understood. */
const longestExpression = 1024;

/**
 * The comparisons of an expression, all of which must hold; undefined for one in another language.
 *
 * @link https://learn.microsoft.com/entra/workload-id/workload-identities-flexible-federated-identity-credentials
 */
export function parseClaimsExpression(expression: string): ClaimComparison[] | undefined {
  if (expression.length > longestExpression) return undefined;
  const comparisons: ClaimComparison[] = [];
  for (let rest = expression; ; rest = rest.slice(conjunction.length)) {
    const match = comparison.exec(rest);
    if (!match) return undefined;
    const [all, claim = '', operator, comparand = ''] = match;
    comparisons.push({ claim, operator: operator as 'eq' | 'matches', comparand: comparand.replaceAll("''", "'") });
    rest = rest.slice(all.length);
    if (rest === '') return comparisons;
    if (!rest.startsWith(conjunction)) return undefined;
  }
}

/** Whether claims fulfil every comparison; a claim that a token lacks fulfils none. */
export function claimsFit(comparisons: readonly ClaimComparison[], claims: Readonly<Record<string, unknown>>): boolean {
  return comparisons.every(({ claim, operator, comparand }) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (typeof value !== 'string') return false;
    return operator === 'eq' ? value === comparand : fitsPattern(value, comparand);
  });
}
