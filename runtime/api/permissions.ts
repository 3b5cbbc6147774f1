/**
 * What each program may do in the cluster. The synthesized RBAC is made from this, and the cluster tests run the
 * programs with it, so a permission that is missing shows as a failure and one that is needless as dead data here.
 */
import { v1Outputs } from './key-vault-outputs.ts';
import type { KindDefinition } from './types.ts';

export { mostWatchedNamespaces } from '../base/watched-namespaces.ts';

/** A rule in RBAC's own shape. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The RBAC rules that a program needs. */
export interface Permissions {
  /** Granted in every namespace (ClusterRole). */
  readonly cluster: readonly PolicyRule[];
  /** Granted in the program's own namespace (Role). */
  readonly namespace: readonly PolicyRule[];
  /** Granted in each namespace that the program works in, where those are listed (Role). */
  readonly targets?: readonly PolicyRule[];
  /** Granted in `kube-system`, where events about objects without a namespace lie (Role). */
  readonly system?: readonly PolicyRule[];
}

/** The Secret in the operator's own namespace with the key that signs what it keeps in objects. */
export const operatorKeySecret = 'azimuth-operator-fingerprints';

const machinesGroup = 'azimuth.dev';

/** ManagedSecrets, and the identities that some of them are. */
const managedSecretRules: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['managedsecrets'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [machinesGroup], resources: ['managedsecrets/status'], verbs: ['patch'] },
  {
    apiGroups: ['managedidentity.azure.com'],
    resources: ['userassignedidentities'],
    verbs: ['create', 'delete'],
  },
];

const managedSecretWatch: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['managedsecrets'], verbs: ['list', 'watch'] },
];

/** The gates, which belong to no namespace. Approvals are read only: RBAC of people decides who may approve. */
const featureRules: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['featureregistrations', 'featureapprovals'], verbs: ['list', 'watch'] },
  { apiGroups: [machinesGroup], resources: ['featureregistrations/status'], verbs: ['patch'] },
];

/** What changes the rules of the operator. */
export interface OperatorPermissionOptions {
  /** Whether it works in target namespaces only. @default false */
  readonly targets?: boolean;
  /** Whether these are so many that each kind is watched once for all. @default false */
  readonly manyTargets?: boolean;
  /** Whether it reconciles ManagedSecrets (`--machine-secrets`). @default false */
  readonly machineSecrets?: boolean;
}

/**
 * The resource operator: the kinds it reconciles, what it reads for them and what it writes out for them. With target
 * namespaces that is granted in those alone: no rule for the cluster lets it read a Secret. With more than eight of them it may
 * list and watch its kinds in the whole cluster, as each is watched once then.
 */
export function operatorPermissions(
  kinds: readonly Pick<KindDefinition, 'group' | 'plural'>[],
  { targets = false, manyTargets = false, machineSecrets = false }: OperatorPermissionOptions = {},
): Permissions {
  const plurals = new Map<string, string[]>();
  for (const { group, plural } of kinds) plurals.set(group, [...(plurals.get(group) ?? []), plural]);
  const groups = [...plurals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, names]) => [group, names.sort()] as const);
  const objects: PolicyRule[] = [
    ...groups.flatMap(([group, names]): PolicyRule[] => [
      { apiGroups: [group], resources: names, verbs: ['get', 'list', 'watch', 'patch'] },
      { apiGroups: [group], resources: names.map((name) => `${name}/status`), verbs: ['patch'] },
    ]),
    { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
    ...(machineSecrets ? managedSecretRules : []),
  ];
  const namespaces: PolicyRule = { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] };
  // Whether an object goes with its definition: without the answer nothing is deleted in Azure.
  const definitions: PolicyRule = {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: ['list'],
  };
  const events: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };
  const leases: PolicyRule = {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'create', 'update'],
  };
  const features = machineSecrets ? featureRules : [];
  if (!targets) return { cluster: [...objects, ...features, namespaces, definitions, events], namespace: [leases] };
  // Of many namespaces each kind is listed and watched once; specs hold no secrets.
  const whole = groups.map(
    ([group, names]): PolicyRule => ({ apiGroups: [group], resources: names, verbs: ['list', 'watch'] }),
  );
  return {
    cluster: [
      ...(manyTargets ? [...whole, ...(machineSecrets ? managedSecretWatch : [])] : []),
      ...features,
      namespaces,
      definitions,
    ],
    targets: [...objects, events],
    // Events about a Namespace that is being deleted.
    system: [events],
    // A rule for `create` cannot name objects.
    namespace: [
      leases,
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'patch'], resourceNames: [operatorKeySecret] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      events,
    ],
  };
}

/**
 * The Azure actions that reconciling these kinds takes, for a custom role of the operator's identity: read, write and
 * delete of each ARM type, and the POST actions that read its secrets. Role assignments are left out: who may assign
 * roles may give itself any, so that power is granted apart (see stacks/platform).
 */
export function azureActions(kinds: readonly Pick<KindDefinition, 'arm' | 'group' | 'kind'>[]): string[] {
  const actions = new Set<string>();
  for (const { group, kind, arm } of kinds) {
    if (!arm || arm.armType.startsWith('Microsoft.Authorization/')) continue;
    const type = arm.armType.replace(
      /^Microsoft\.Resources\/resourceGroups$/,
      'Microsoft.Resources/subscriptions/resourceGroups',
    );
    actions.add(`${type}/read`).add(`${type}/write`);
    if (arm.deletable) actions.add(`${type}/delete`);
    const { action, actions: several = {} } = arm.secretSource ?? {};
    const answers = Object.values(v1Outputs[`${group}/${kind}`]?.answers ?? {}).map((answer) => answer.action);
    for (const { method, path } of [...(action ? [action] : []), ...Object.values(several), ...answers]) {
      if (method !== 'POST') continue;
      // Of `authorizationRules/RootManageSharedAccessKey/listKeys`, the types: every other segment.
      const types = path.split('/').filter((_, index) => index % 2 === 0);
      actions.add(`${type}/${types.join('/')}/action`);
    }
  }
  return [...actions].sort();
}

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
}

/**
 * The node daemon. It watches pods, and RBAC cannot grant those of one node only; the daemon selects its own.
 * Secrets are read by name, never listed: `secretNames` narrows that to the names given, which RBAC allows for `get`.
 *
 * Identities of type 3 take tokens of the pods' service accounts. RBAC cannot bound that to pods of a node nor to an
 * audience: whoever has this right for an account can become it in the cluster, so accounts are named one by one.
 */
export function nmiPermissions({ secretNames, federatedAccounts = [] }: NmiPermissionOptions = {}): Permissions {
  const kinds = ['azureidentities', 'azureidentitybindings', 'azureassignedidentities', 'azurepodidentityexceptions'];
  return {
    cluster: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: ['aadpodidentity.k8s.io'], resources: kinds, verbs: ['list', 'watch'] },
      ...named({ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }, secretNames),
      ...named({ apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }, federatedAccounts),
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ],
    namespace: [],
  };
}

/** The rule for objects of these names, or for all. To RBAC no names mean any, so there is no rule where there are none. */
function named(rule: PolicyRule, names: readonly string[] | 'all' = 'all'): PolicyRule[] {
  if (names === 'all') return [rule];
  return names.length === 0 ? [] : [{ ...rule, resourceNames: [...names].sort() }];
}

/**
 * The secret endpoint: it watches ManagedSecrets and reads the objects that these name. It reads no Secret: its own
 * certificate is mounted.
 */
export function secretsPermissions({ targets = false }: { readonly targets?: boolean } = {}): Permissions {
  const objects: PolicyRule[] = [
    { apiGroups: ['azimuth.dev'], resources: ['managedsecrets'], verbs: ['list', 'watch'] },
    { apiGroups: ['keyvault.azure.com'], resources: ['vaults'], verbs: ['get'] },
    { apiGroups: ['managedidentity.azure.com'], resources: ['userassignedidentities'], verbs: ['get'] },
    {
      apiGroups: ['compute.azure.com'],
      resources: ['virtualmachines', 'virtualmachinescalesets'],
      verbs: ['get'],
    },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ];
  return targets ? { cluster: [], namespace: [], targets: objects } : { cluster: objects, namespace: [] };
}

/**
 * The node agent of Key Vault volumes: it watches pods, of which it asks for those of its node, and reads no Secret, since
 * kubelet gives the driver what a volume needs.
 */
export function volumesPermissions(): Permissions {
  return {
    cluster: [
      { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    ],
    namespace: [],
  };
}

/** Rules of the same agent for Secrets of service principals, which it reads again when Entra ID refuses them. */
export function renewalRules(names: readonly string[]): readonly PolicyRule[] {
  return [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: names }];
}

/**
 * What the same agent may in a namespace whose workloads it may restart. RBAC cannot limit a patch to annotations: who may
 * patch a workload may run anything in it.
 */
export const restartRules: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get'] },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['patch'] },
];
