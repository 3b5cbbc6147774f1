import { expected } from '../../base/errors.ts';
import type { Flag } from '../../base/program.ts';
import { list, named } from '../../base/settings.ts';
import type { Pod } from '../objects.ts';

/** Service accounts of one namespace: those of this name, or with any text before or after it. */
export interface AccountPattern {
  readonly namespace: string;
  readonly name: string;
  readonly anyBefore: boolean;
  readonly anyAfter: boolean;
}

const form = /^([a-z0-9][-a-z0-9]*)\/(\*?)([-.a-z0-9]+)(\*?)$/;

/**
 * `--excepted-accounts`: pods of these service accounts get the identities of the machine. Namespace and account of a pod
 * never change, and only users with permission to create pods in the namespace can choose the account.
 */
export const exceptedAccountsSetting = {
  flag: 'excepted-accounts',
  env: 'AZIMUTH_EXCEPTED_ACCOUNTS',
  default: '',
  meaning:
    'service accounts whose pods get the identities of the machine, as namespace/name, separated by commas; * before or after the name is any text',
  parse: (setting, text): AccountPattern[] =>
    list(setting, text).map((each) => {
      const [, namespace, before, name, after] = form.exec(each) ?? [];
      if (namespace === undefined || name === undefined) {
        throw expected(named(setting), 'accounts such as azimuth-system/azimuth-identity', each);
      }
      return { namespace, name, anyBefore: before === '*', anyAfter: after === '*' };
    }),
} as const satisfies Flag;

/** Whether the pod runs as one of the accounts. */
export function hasExceptedAccount({ metadata, spec }: Pod, accounts: readonly AccountPattern[]): boolean {
  const account = spec?.serviceAccountName;
  if (account === undefined) return false;
  return accounts.some(({ namespace, name, anyBefore, anyAfter }) => {
    if (namespace !== metadata.namespace) return false;
    if (anyBefore) return anyAfter ? account.includes(name) : account.endsWith(name);
    return anyAfter ? account.startsWith(name) : account === name;
  });
}
