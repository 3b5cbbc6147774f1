import type { PlatformProps } from './platform.ts';

/** What can be deployed, by the names that `AZIMUTH_PROGRAMS` has for it. */
export const programNames = ['operator', 'pod-identity', 'key-vault-volumes'] as const;

const listOf = (text: string) =>
  text
    .split(';')
    .map((name) => name.trim())
    .filter(Boolean);

/**
 * Reads a list of programs, separated by `;`, such as `operator;pod-identity`, into the props that deploy them with their
 * defaults. `accounts` lists the service accounts that federate, `*` for all of them.
 *
 * @throws where a name is not known, or none is given
 */
export function programsOf(
  list: string,
  accounts = '',
): Pick<PlatformProps, 'operator' | 'podIdentity' | 'keyVaultVolumes'> {
  const names = listOf(list);
  const federatedAccounts = accounts.trim() === '*' ? 'all' : listOf(accounts);
  const unknown = names.filter((name) => !programNames.some((known) => known === name));
  if (names.length === 0 || unknown.length > 0) {
    throw new Error(`Expected programs to be some of ${programNames.join(', ')}, separated by ;, got \`${list}\``);
  }
  return {
    operator: names.includes('operator') ? {} : false,
    podIdentity: names.includes('pod-identity') ? { node: { federatedAccounts } } : false,
    keyVaultVolumes: names.includes('key-vault-volumes') ? {} : false,
  };
}
