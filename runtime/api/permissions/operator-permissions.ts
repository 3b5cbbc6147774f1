import { approvalPolicyName } from '../deployments/approval-policy.ts';
import type { KindDefinition } from '../types.ts';
import type { Permissions, PolicyRule } from './policy-rule.ts';

/** The Secret in the operator's own namespace with the key that signs its records in objects. */
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

/** ManagedSecrets that deployments make. */
const madeSecretRules: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['managedsecrets'], verbs: ['create', 'patch', 'delete'] },
];

const managedSecretWatch: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['managedsecrets'], verbs: ['list', 'watch'] },
];

/** The gates, which belong to no namespace. Approvals are read only: RBAC of people decides who may approve. */
const featureRules: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['featureregistrations', 'featureapprovals'], verbs: ['list', 'watch'] },
  {
    apiGroups: [machinesGroup],
    resources: ['featureregistrations/status', 'featureapprovals/status'],
    verbs: ['patch'],
  },
];

/** Deployments and their runs. A run is made, recorded and deleted by the operator. */
const deploymentRules: readonly PolicyRule[] = [
  { apiGroups: [machinesGroup], resources: ['computedeployments'], verbs: ['get', 'list', 'watch', 'patch'] },
  {
    apiGroups: [machinesGroup],
    resources: ['computeruns'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  },
  { apiGroups: [machinesGroup], resources: ['computedeployments/status', 'computeruns/status'], verbs: ['patch'] },
  // Who approves is decided by RBAC of people.
  { apiGroups: [machinesGroup], resources: ['computeapprovals'], verbs: ['list', 'watch'] },
  // Whether the service account of a deployment may write an object.
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
];

const deploymentWatch: readonly PolicyRule[] = [
  {
    apiGroups: [machinesGroup],
    resources: ['computeapprovals', 'computedeployments', 'computeruns'],
    verbs: ['list', 'watch'],
  },
];

/** Jobs that gates of deployments make, where the deployment's own service account may make them too. */
const gateJobRule: PolicyRule = { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'create'] };

/** Whether a policy holds the names in approvals. */
const policyRules: readonly PolicyRule[] = [
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    resourceNames: [approvalPolicyName],
    verbs: ['get'],
  },
];

/** A service account has no secret; the operator asks for its metadata only. */
const serviceAccountWatch: PolicyRule = { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['list', 'watch'] };

const namespaceRule: PolicyRule = { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] };

const events: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };

const leases: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['get', 'create', 'update'],
};

/** Settings that change the rules of the operator. */
export interface OperatorPermissionOptions {
  /** Whether it works in target namespaces only. @default false */
  readonly targets?: boolean;
  /** Whether these are so many that each kind is watched once for all. @default false */
  readonly manyTargets?: boolean;
  /** Whether it serves the kinds that are defined (no `--kinds`), and so follows the definitions. @default false */
  readonly watchDefinitions?: boolean;
  /** Whether it reconciles ManagedSecrets (`--machine-secrets`). @default false */
  readonly machineSecrets?: boolean;
  /** Whether it reconciles ComputeDeployments (`--deployments`), which make and delete objects of its kinds. @default false */
  readonly deployments?: boolean;
  /** Whether gates of ComputeDeployments may be Jobs (`--gate-jobs`). @default false */
  readonly gateJobs?: boolean;
  /** Whether it reads the metadata of service accounts (`--check-service-accounts`). @default false */
  readonly checkServiceAccounts?: boolean;
}

/**
 * The resource operator: the kinds it reconciles, the objects it reads for them and its exports. With target namespaces
 * that is granted in those alone: no rule for the cluster lets it read a Secret. With more than eight of them it may
 * list and watch its kinds in the whole cluster, as each is watched once then.
 */
export function operatorPermissions(
  kinds: readonly Pick<KindDefinition, 'group' | 'plural'>[],
  options: OperatorPermissionOptions = {},
): Permissions {
  const { targets = false, manyTargets = false, machineSecrets = false, deployments = false } = options;
  const groups = pluralsByGroup(kinds);
  const objects: PolicyRule[] = [
    ...groups.flatMap(([group, names]): PolicyRule[] => [
      {
        apiGroups: [group],
        resources: names,
        verbs: ['get', 'list', 'watch', 'patch', ...(deployments ? ['create', 'delete'] : [])],
      },
      { apiGroups: [group], resources: names.map((name) => `${name}/status`), verbs: ['patch'] },
    ]),
    { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
    ...(machineSecrets ? managedSecretRules : []),
    ...(machineSecrets && deployments ? madeSecretRules : []),
    ...(deployments ? deploymentRules : []),
    ...(deployments && options.gateJobs ? [gateJobRule] : []),
    ...(options.checkServiceAccounts ? [serviceAccountWatch] : []),
  ];
  // Whether an object goes with its definition: without the answer nothing is deleted in Azure.
  const definitions: PolicyRule = {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: options.watchDefinitions ? ['list', 'watch'] : ['list'],
  };
  const features = [...(machineSecrets ? featureRules : []), ...(machineSecrets || deployments ? policyRules : [])];
  if (!targets) return { cluster: [...objects, ...features, namespaceRule, definitions, events], namespace: [leases] };
  // Of many namespaces each kind is listed and watched once; specs hold no secrets.
  const whole = groups.map(
    ([group, names]): PolicyRule => ({ apiGroups: [group], resources: names, verbs: ['list', 'watch'] }),
  );
  return {
    cluster: [
      ...(manyTargets
        ? [
            ...whole,
            ...(machineSecrets ? managedSecretWatch : []),
            ...(deployments ? deploymentWatch : []),
            ...(options.checkServiceAccounts ? [serviceAccountWatch] : []),
          ]
        : []),
      ...features,
      namespaceRule,
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

/** The plural names of each group, both sorted. */
function pluralsByGroup(kinds: readonly Pick<KindDefinition, 'group' | 'plural'>[]) {
  const plurals = new Map<string, string[]>();
  for (const { group, plural } of kinds) plurals.set(group, [...(plurals.get(group) ?? []), plural]);
  return [...plurals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, names]) => [group, names.sort()] as const);
}
