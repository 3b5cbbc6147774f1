import { userAssignedIdentitiesType } from '../pod-identity/identity-reference.ts';
import { metricsReaderRules, named, type Permissions, type PolicyRule } from './policy-rule.ts';

/** The UserAssignedIdentities that AzureIdentities take their ids from. */
const referencedIdentities: PolicyRule = {
  apiGroups: [userAssignedIdentitiesType.group],
  resources: [userAssignedIdentitiesType.plural],
  verbs: ['list', 'watch'],
};

const definitionOfReferenced = `${userAssignedIdentitiesType.plural}.${userAssignedIdentitiesType.group}`;

/** Definitions whose removal detaches nothing, one by one. */
const neededDefinitions = (resourceNames: readonly string[]): PolicyRule => ({
  apiGroups: ['apiextensions.k8s.io'],
  resources: ['customresourcedefinitions'],
  resourceNames,
  verbs: ['list'],
});

/**
 * The identity controller. The Secrets that identities name are watched one by one, by name and without their content, and
 * each version is read once, by a LIST of its name. RBAC accepts a list of names for `list` and `watch` that go by name, so
 * `secretNames` narrows both to the names given; `get` would add nothing.
 */
export function identityPermissions(options: { readonly secretNames?: readonly string[] } = {}): Permissions {
  const { secretNames } = options;
  const group = 'aadpodidentity.k8s.io';
  const conditioned = ['azureidentities', 'azureidentitybindings'];
  return {
    cluster: [
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list', 'watch'] },
      { apiGroups: [group], resources: conditioned, verbs: ['list', 'watch'] },
      referencedIdentities,
      neededDefinitions([...conditioned.map((name) => `${name}.${group}`), definitionOfReferenced]),
      { apiGroups: [group], resources: conditioned.map((name) => `${name}/status`), verbs: ['patch'] },
      {
        apiGroups: [group],
        resources: ['azureassignedidentities'],
        verbs: ['list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
      ...named({ apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] }, secretNames),
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ],
    namespace: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
      // Which identities it attached to which machine.
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'create', 'update', 'delete'] },
    ],
  };
}

/** Options that narrow or widen the node daemon's RBAC rules. */
export interface NmiPermissionOptions {
  /** Narrows `get` of Secrets to these names. @default any */
  readonly secretNames?: readonly string[];
  /** Service accounts it may ask tokens for, by name in any namespace, or all of them. @default none */
  readonly federatedAccounts?: readonly string[] | 'all';
  /** Whether it resolves `identityRef` of AzureIdentities itself, as in managed mode. @default false */
  readonly references?: boolean;
  /** Whether it authenticates readers of its metrics. @default false */
  readonly metricsReaders?: boolean;
}

/**
 * The node daemon. It watches pods, and RBAC cannot grant those of one node only; the daemon selects its own.
 * Secrets are read by name, never listed: `secretNames` narrows that to the names given, which RBAC allows for `get`.
 *
 * Identities of type 3 take tokens of the pods' service accounts. RBAC cannot bound that to pods of a node nor to an
 * audience: a program with this right for an account can act as it in the cluster, so accounts are named one by one.
 */
export function nmiPermissions({
  secretNames,
  federatedAccounts = [],
  references = false,
  metricsReaders = false,
}: NmiPermissionOptions = {}): Permissions {
  const kinds = ['azureidentities', 'azureidentitybindings', 'azureassignedidentities', 'azurepodidentityexceptions'];
  return {
    cluster: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: ['aadpodidentity.k8s.io'], resources: kinds, verbs: ['list', 'watch'] },
      ...(references ? [referencedIdentities] : []),
      ...named({ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }, secretNames),
      ...named({ apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }, federatedAccounts),
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      ...(metricsReaders ? metricsReaderRules : []),
    ],
    namespace: [],
  };
}
