import { booleanOf, listOf, scopesOf } from './environment.ts';
import type { PlatformProps } from './platform.ts';

/** The names in `AZIMUTH_PROGRAMS`. */
export const programNames = [
  'operator',
  'pod-identity',
  'key-vault-volumes',
  'key-vault-csi',
  'machine-secrets',
  'deployments',
  'ui',
] as const;

/**
 * Reads which programs to deploy, and their scopes: `AZIMUTH_PROGRAMS`, such as `operator;pod-identity` (default
 * `operator`), `AZIMUTH_FEDERATED_ACCOUNTS`, `AZURE_OPERATOR_CREDENTIAL_SCOPES`, `AZIMUTH_IDENTITY_SCOPES`,
 * `AZIMUTH_CHECK_SERVICE_ACCOUNTS`, `AZIMUTH_ALLOW_ACCESS_GRANTS`, `AZIMUTH_GATE_JOBS`, `AZIMUTH_SECRETS_AUDIENCE`,
 * `AZIMUTH_SECRETS_LOCATION`, `AZIMUTH_UI_HOSTS` and `AZIMUTH_UI_CLOUD`. Without an audience `machine-secrets` has no
 * endpoint.
 *
 * @throws where a name is not known, none is given, or scopes have another form
 */
export function programsOf(
  env: Readonly<Record<string, string | undefined>>,
): Pick<
  PlatformProps,
  'operator' | 'podIdentity' | 'keyVaultVolumes' | 'machineSecrets' | 'deployments' | 'ui' | 'identityScopes'
> {
  const list = env['AZIMUTH_PROGRAMS'] || 'operator';
  const names = listOf(list);
  const accounts = env['AZIMUTH_FEDERATED_ACCOUNTS'];
  const federatedAccounts = accounts?.trim() === '*' ? 'all' : listOf(accounts);
  const unknown = names.filter((name) => !programNames.some((known) => known === name));
  if (names.length === 0 || unknown.length > 0) {
    throw new Error(`Expected programs to be some of ${programNames.join(', ')}, separated by ;, got \`${list}\``);
  }
  const credentialScopes = scopesOf('AZURE_OPERATOR_CREDENTIAL_SCOPES', env);
  const checkServiceAccounts = booleanOf('AZIMUTH_CHECK_SERVICE_ACCOUNTS', env);
  const allowAccessGrants = booleanOf('AZIMUTH_ALLOW_ACCESS_GRANTS', env);
  const gateJobs = booleanOf('AZIMUTH_GATE_JOBS', env);
  const uiCloud = env['AZIMUTH_UI_CLOUD']?.trim();
  const identityScopes = scopesOf('AZIMUTH_IDENTITY_SCOPES', env);
  // One node agent serves both kinds of volumes.
  const [flex, csi] = [names.includes('key-vault-volumes'), names.includes('key-vault-csi')];
  return {
    operator: names.includes('operator')
      ? {
          ...(credentialScopes && { credentialScopes }),
          ...(checkServiceAccounts && { checkServiceAccounts }),
          ...(allowAccessGrants && { allowAccessGrants }),
          ...(gateJobs && { gateJobs }),
        }
      : false,
    podIdentity: names.includes('pod-identity') ? { node: { federatedAccounts } } : false,
    keyVaultVolumes: flex || csi ? { ...(!flex && { flex }), ...(csi && { csi: {} }) } : false,
    machineSecrets: names.includes('machine-secrets') ? { endpoint: endpointOf(env) } : false,
    ...(names.includes('deployments') && { deployments: true }),
    ...(names.includes('ui') && { ui: { hosts: listOf(env['AZIMUTH_UI_HOSTS']), ...(uiCloud && { cloud: uiCloud }) } }),
    ...(identityScopes && { identityScopes }),
  };
}

function endpointOf(
  env: Readonly<Record<string, string | undefined>>,
): { audiences: string[]; location?: string } | false {
  const audiences = listOf(env['AZIMUTH_SECRETS_AUDIENCE']);
  const location = env['AZIMUTH_SECRETS_LOCATION']?.trim();
  return audiences.length > 0 ? { audiences, ...(location && { location }) } : false;
}
