import type { KeyVaultSource } from '../../arm-kinds/inputs.ts';
import type { MachineConsumer, ManagedSecrets } from './resolver.ts';

/** A reader that is no machine. */
export type VersionReader = Pick<MachineConsumer, 'location' | 'subscription'>;

/**
 * The version of a ManagedSecret for a reader that is no machine, from the vault of its region or else of the first
 * region that has it. A reason where there is none.
 */
export function versionFor(
  secrets: Pick<ManagedSecrets, 'resolve' | 'locations'>,
  namespace: string,
  name: string,
  { location, subscription }: VersionReader,
): KeyVaultSource | { readonly reason: string; readonly message: string } {
  const ask = (region: string) =>
    secrets.resolve(namespace, name, { location: region, subscription, delivery: 'OsProfile' });
  const first = ask(location);
  const others = first.ok ? [] : secrets.locations(namespace, name).map(ask);
  const resolved = [first, ...others].find(({ ok }) => ok) ?? others[0] ?? first;
  if (!resolved.ok) return resolved;
  const { version } = resolved.secret;
  if (!version)
    return { reason: 'SecretNotReady', message: `ManagedSecret ${name} is an identity, which has no value` };
  const [, , secret = '', number = ''] = new URL(version.secretUrl).pathname.split('/');
  return { id: version.vaultId, secret, version: number };
}
