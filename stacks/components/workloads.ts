import type { ServiceAccount } from './federated-identity.ts';
import type { RoleGrant } from './role-grant.ts';

/** The identity of a workload, as the configuration has it. */
export interface WorkloadSetting {
  /** The service accounts of its pods, as `namespace/name`. */
  readonly serviceAccounts: readonly string[];
  /**
   * Its roles.
   *
   * @default none
   */
  readonly roles?: readonly { readonly role: string; readonly scope: string; readonly reason: string }[];
}

/** The identity of a workload. */
export interface Workload {
  readonly name: string;
  readonly serviceAccounts: readonly ServiceAccount[];
  readonly roles: Readonly<Record<string, RoleGrant>>;
}

/**
 * Reads the setting `workloads`.
 *
 * @throws for another form, naming the workload and the expected form
 */
export function parseWorkloads(setting: Readonly<Record<string, WorkloadSetting>>): Workload[] {
  return Object.entries(setting).map(([name, { serviceAccounts = [], roles = [] }]) => ({
    name,
    serviceAccounts: serviceAccounts.map((text) => {
      const [namespace = '', account = '', ...rest] = String(text).split('/');
      if (namespace === '' || account === '' || rest.length > 0) {
        throw new Error(`Expected \`workloads.${name}.serviceAccounts\` to be namespace/name, got \`${text}\``);
      }
      return { namespace, name: account };
    }),
    roles: Object.fromEntries(
      roles.map((grant) => {
        const { role, scope, reason } = grant;
        if (![role, scope, reason].every((text) => typeof text === 'string' && text !== '')) {
          throw new Error(
            `Expected each of \`workloads.${name}.roles\` to have role, scope and reason, got ${JSON.stringify(grant)}`,
          );
        }
        return [`${role}-${scope.split('/').at(-1)}`.replace(/[^A-Za-z0-9-]+/g, '-'), { role, scope, reason }];
      }),
    ),
  }));
}

/** The value of AZIMUTH_IDENTITY_SCOPES: each namespace may use the identities of its own service accounts, and no other. */
export function identityScopes(
  workloads: readonly Workload[],
  place: { readonly subscriptionId: string; readonly resourceGroupName: string },
): string {
  const group = `/subscriptions/${place.subscriptionId}/resourceGroups/${place.resourceGroupName}`;
  const rules = workloads.flatMap(({ name, serviceAccounts }) =>
    serviceAccounts.map(
      ({ namespace }) => `${namespace}=${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
    ),
  );
  return [...new Set(rules)].join(';');
}
