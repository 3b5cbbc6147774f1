import type { JsonObject } from '../../../runtime/base/json.ts';
import type { Machine, SecretUse, SecretVersion } from '../../../runtime/compute/machines/machine-model.ts';

export const subscriptionId = '11111111-1111-1111-1111-111111111111';
export const versionId = '0123456789abcdef0123456789abcdef';
const group = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers`;

export const vaultId = (name: string) => `${group}/Microsoft.KeyVault/vaults/${name}`;
export const identityId = (name: string) => `${group}/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
export const secretUrl = (vault: string, name: string) =>
  `https://${vault}.vault.azure.net/secrets/${name}/${versionId}`;

/** The version of a secret in a vault that is in order. */
export const version = (vault = 'kv1', name = 'web', change: Partial<SecretVersion> = {}): SecretVersion => ({
  vaultId: vaultId(vault),
  vaultLocation: 'westeurope',
  enabledForDeployment: true,
  secretUrl: secretUrl(vault, name),
  exportable: true,
  contentType: 'application/x-pkcs12',
  ...change,
});

/** A certificate for osProfile, in order. */
export const certificate = (change: Partial<SecretUse> = {}): SecretUse => ({
  name: 'web',
  kind: 'Certificate',
  delivery: 'OsProfile',
  version: version(),
  ...change,
});

/** A machine, in order, with members of its profile replaced. */
export function machine(
  kind: Machine['kind'],
  profile: JsonObject = {},
  { body = {}, properties = {}, ...rest }: Partial<Machine> & { properties?: JsonObject } = {},
): Machine {
  const inner = { osProfile: { adminUsername: 'ops' }, ...profile };
  return {
    kind,
    os: 'Linux',
    location: 'westeurope',
    subscriptionId,
    ...rest,
    body: {
      location: 'westeurope',
      ...body,
      properties: { ...properties, ...(kind === 'VirtualMachine' ? inner : { virtualMachineProfile: inner }) },
    },
  };
}
