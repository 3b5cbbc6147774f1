import { createHmac } from 'node:crypto';
import type { StoredResource } from '../../arm/resources/stored-resources.ts';

/** The key that Azure gives a principal for its own signatures, the same for the same members (`skoid` to `skv`). */
export function delegationKey(account: StoredResource, keys: readonly string[], members: readonly string[]): string {
  const text = [account.id.toLowerCase(), ...members].join('\n');
  return createHmac('sha256', keys.join('\n')).update(text).digest('base64');
}
