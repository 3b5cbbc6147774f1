import { parseClaimsExpression } from '../../../../runtime/api/workload-identity.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf } from '../../json.ts';
import type { ArmSettings, WriteContext } from '../behaviour.ts';

/** The first api-version in which a credential may have an expression in place of a subject. */
const firstWithExpressions = '2025-01-31-preview';

/**
 * The claims that an expression may compare, by issuer: those that Entra lists, and AKS, which the examples of the
 * API have.
 *
 * @link https://learn.microsoft.com/entra/workload-id/workload-identities-flexible-federated-identity-credentials
 */
const expressionIssuers: readonly { readonly issuer: RegExp; readonly claims: readonly string[] }[] = [
  { issuer: /^https:\/\/token\.actions\.githubusercontent\.com$/, claims: ['sub', 'job_workflow_ref'] },
  { issuer: /^https:\/\/gitlab(\.[a-z0-9-]+)?\.(com|ca)$/, claims: ['sub'] },
  { issuer: /^https:\/\/app(\.eu)?\.terraform\.io$/, claims: ['sub'] },
  { issuer: /^https:\/\/([a-z0-9]+\.)?(oic|oidc)\.prod-aks\.azure\.com\/[^/]+\/[^/]+\/?$/, claims: ['sub'] },
];

/** Checks the write of a federated credential as Microsoft.ManagedIdentity does. */
export function checkFederatedCredential(context: WriteContext): void {
  const { request, path, state, settings, now, apiVersion } = context;
  const { issuer, subject, audiences, claimsMatchingExpression } = objectOf(request['properties']);
  const expression = apiVersion >= firstWithExpressions ? (claimsMatchingExpression ?? undefined) : undefined;
  requireText('issuer', issuer);
  if (expression === undefined) requireText('subject', subject);
  else checkExpression({ expression: objectOf(expression), subject, issuer: String(issuer) }, settings);
  if (!Array.isArray(audiences) || audiences.length !== 1) {
    throw bad("The federated identity credential property 'audiences' must hold exactly one audience.");
  }
  const siblings = state.resources
    .below(`${path.parentId}/federatedIdentityCredentials`)
    .filter(({ id }) => id.toLowerCase() !== path.id.toLowerCase());
  if (siblings.length >= 20) throw bad('Too many federated identity credentials: an identity has at most 20.');
  const value = at(expression, 'value');
  const isSame = (body: Json) =>
    at(body, 'properties.issuer') === issuer &&
    (value === undefined
      ? at(body, 'properties.subject') === subject
      : at(body, 'properties.claimsMatchingExpression.value') === value);
  if (siblings.some(({ body }) => isSame(body))) {
    const what = value === undefined ? `subject '${subject}'` : `expression '${value}'`;
    throw refuse(
      409,
      'Conflict',
      `A federated identity credential with issuer '${issuer}' and ${what} exists on this identity.`,
    );
  }
  const window = settings.federatedWriteWindowMs;
  if (window > 0 && siblings.some((other) => now - other.changedAt < window)) {
    throw refuse(
      409,
      'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
      `Too many Federated Identity Credentials are written concurrently for the managed identity '${path.parentId}'. Concurrent Federated Identity Credentials writes under the same managed identity are not supported.`,
    );
  }
}

const bad = (message: string) => refuse(400, 'BadRequest', message);

function requireText(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  throw bad(`The federated identity credential property '${name}' is missing or empty.`);
}

function checkExpression(
  { expression, subject, issuer }: { expression: Json; subject: unknown; issuer: string },
  settings: ArmSettings,
): void {
  if (subject !== undefined && subject !== null) {
    throw bad("Either 'subject' or 'claimsMatchingExpression' must be defined, but not both.");
  }
  const { languageVersion, value } = expression;
  if (languageVersion !== 1) throw bad(`The language version '${languageVersion}' of the expression is not supported.`);
  const comparisons = typeof value === 'string' ? parseClaimsExpression(value) : undefined;
  const invalid = (why: string) =>
    refuse(
      400,
      'InvalidFederatedIdentityCredentialValue',
      `The FederatedIdentityCredential.ClaimsMatchingExpression.Value is invalid. Rule exception: ${why}`,
    );
  if (!comparisons) throw invalid(`The expression '${value}' cannot be parsed.`);
  const isListed = settings.expressionIssuers.includes(issuer);
  const claims = isListed ? ['sub'] : expressionIssuers.find((each) => each.issuer.test(issuer))?.claims;
  if (!claims) throw invalid(`Expressions are not supported for issuer '${issuer}'.`);
  if (comparisons.some(({ claim }) => !claims.includes(claim))) {
    throw invalid(
      `Expression configured for issuer '${issuer}' either lacks all required claims or contains unallowed claims.`,
    );
  }
}
