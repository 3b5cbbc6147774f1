import { expected } from '../../base/errors.ts';
import type { Flag } from '../../base/program.ts';
import { named, type Text } from '../../base/settings.ts';
import { type ScopeRule, scopesAllow, tryParseScopeRules } from '../arm/scopes.ts';

/** The setting of every program that gives pods identities. */
export const identityScopesSetting = {
  flag: 'identity-scopes',
  env: 'AZIMUTH_IDENTITY_SCOPES',
  default: '',
  meaning:
    'which namespaces may use which user-assigned identities, as namespace=/arm/id;*=/arm/id; any when empty, none with --multi-tenant',
  parse: (_setting, text): ScopeRule[] | undefined => identityScopes(text),
} as const satisfies Flag;

/** The rules of the setting; undefined without one. Throws AZ_CONFIG_INVALID that shows the form. */
function identityScopes(text: Text): ScopeRule[] | undefined {
  const value = text(identityScopesSetting).trim();
  if (value === '') return undefined;
  const rules = tryParseScopeRules(value);
  if (rules) return rules;
  throw expected(named(identityScopesSetting), 'rules such as team-a=/subscriptions/<id>/resourceGroups/<name>', value);
}

/** Which identities the AzureIdentities of a namespace may name. The controller and the node daemon decide by it alike. */
export interface IdentityPolicy {
  /** Without a rule nothing is allowed, and Secrets lie in the namespace of the AzureIdentity. */
  readonly multiTenant: boolean;
  /** Of `--identity-scopes`; undefined where the flag is not set. */
  readonly scopes: readonly ScopeRule[] | undefined;
}

/** Actions on other namespaces that a program's settings allow a namespace, for its warning at start. May be empty. */
export function openToNamespaces({
  multiTenant,
  forceNamespaced,
  scopes,
}: IdentityPolicy & { readonly forceNamespaced: boolean }): string[] {
  if (multiTenant) return [];
  return [
    ...(forceNamespaced ? [] : ['bindings may select pods of other namespaces: set --forceNamespaced']),
    ...(scopes ? [] : ['an AzureIdentity may name any user-assigned identity: set --identity-scopes']),
    'an AzureIdentity may name a Secret of any namespace: set --multi-tenant',
  ];
}

/** The members of an AzureIdentity's spec that the policy is about. */
export interface PolicySubject {
  readonly type?: number | undefined;
  readonly resourceID?: string | undefined;
  readonly clientPassword?: { readonly namespace?: string | undefined } | undefined;
}

/** Why the policy refuses an AzureIdentity: a reason for conditions, and how to fix it. Names no other object. */
export interface PolicyProblem {
  readonly reason: 'IdentityNotAllowed' | 'SecretNotAllowed';
  readonly message: string;
}

/** The problem of a namespace with an AzureIdentity of its own; undefined where the policy allows it. */
export function identityPolicyProblem(
  { multiTenant, scopes }: IdentityPolicy,
  namespace: string,
  { type = 0, resourceID = '', clientPassword }: PolicySubject,
): PolicyProblem | undefined {
  if (type === 0) {
    if (scopes === undefined && !multiTenant) return undefined;
    if (scopesAllow(scopes ?? [], namespace, resourceID)) return undefined;
    return {
      reason: 'IdentityNotAllowed',
      message:
        `the namespace ${namespace} may not use the identity of spec.resourceID; an administrator allows it with ` +
        `--identity-scopes='${namespace}=<ARM id of the identity or of its resource group>'`,
    };
  }
  const usesSecret = type === 1 || type === 2;
  if (!multiTenant || !usesSecret || (clientPassword?.namespace ?? namespace) === namespace) return undefined;
  return {
    reason: 'SecretNotAllowed',
    message: `spec.clientPassword.namespace must be ${namespace}: a Secret of another namespace is not read`,
  };
}
