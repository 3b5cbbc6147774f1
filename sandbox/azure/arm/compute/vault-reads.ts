import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import { isObject } from '../../../../runtime/base/json.ts';
import { at, stringOf } from '../../json.ts';
import type { SandboxState, VaultVersion } from '../../state.ts';
import type { BehaviourContext, OperationFailure } from '../behaviour.ts';
import { normalLocation } from '../write-checks.ts';
import type { SecretReference } from './profile.ts';

const failed = (code: string, message: string): OperationFailure => ({ state: 'failed', code, message });

/** The vault that a secret's URL leads to: by its host, or by the port that the sandbox gave it on localhost. */
function vaultNameOf(url: URL, { vaults }: SandboxState): string | undefined {
  const [first = ''] = url.hostname.split('.');
  if (url.hostname !== 'localhost') return first;
  return Object.keys(vaults).find((name) => String(vaults[name]?.port) === url.port);
}

/**
 * Reads secrets of vaults as Compute does for a machine: with its own power, so that no role counts, but only out of a
 * vault that is enabled for deployment and in the machine's region. The first that cannot be read ends the operation.
 */
export function readSecrets(
  references: readonly SecretReference[],
  location: string,
  context: Pick<BehaviourContext, 'state' | 'vaultAway'>,
): OperationFailure | undefined {
  for (const reference of references) {
    const failure = readSecret(reference, location, context);
    if (failure) return failure;
  }
  return undefined;
}

function readSecret(
  { url: text, vaultId, content }: SecretReference,
  location: string,
  { state, vaultAway }: Pick<BehaviourContext, 'state' | 'vaultAway'>,
): OperationFailure | undefined {
  const url = new URL(text);
  const [, , name = '', id = ''] = url.pathname.split('/');
  const vault = state.resources.get(vaultId);
  const owner = vaultNameOf(url, state);
  const open = at(vault?.body, 'properties.enabledForDeployment') === true;
  if (!vault || !open || owner?.toLowerCase() !== vault.name.toLowerCase()) {
    return failed(
      'KeyVaultAccessForbidden',
      `Key Vault ${text} either has not been enabled for deployment or the vault id provided, ${vaultId}, does not match the Key Vault's true resource id.`,
    );
  }
  const where = stringOf(vault.body['location']);
  if (normalLocation(where) !== normalLocation(location)) {
    // The message is on record, the code is not.
    return failed(
      'KeyVaultAndVMInDifferentRegions',
      `The Key Vault ${text} is located in location ${where}, which is different from the location of the VM, ${location}. The VM and Key Vault need to be located within the same region.`,
    );
  }
  if (vaultAway(vault.name)) {
    // Nobody has recorded this answer of Azure.
    return failed('InternalExecutionError', 'An internal execution error occurred. Please retry later.');
  }
  const object = state.vaults[vault.name.toLowerCase()]?.secrets[name.toLowerCase()];
  const live = object && object.deletedAt === undefined ? object.versions : [];
  const version = live.find((each) => each.version === id.toLowerCase());
  if (!version?.enabled) {
    return failed('KeyVaultSecretDoesNotExist', `The Key Vault secret referenced with the URL ${text} does not exist.`);
  }
  return content === 'certificate' ? contentFailure(text, version) : undefined;
}

/** The problem of a secret that is to be installed as a certificate. */
function contentFailure(url: string, { value = '', contentType, managed }: VaultVersion): OperationFailure | undefined {
  const improper = (message: string) => failed('CertificateImproperlyFormatted', message);
  // Made by the vault itself, and therefore well formed.
  if (managed && contentType === 'application/x-pkcs12') return undefined;
  const notPfx = improper(
    `The secret's JSON representation retrieved from ${url} has a data field which is not a properly formatted PFX file, or the password provided does not decode the PFX file correctly.`,
  );
  if (contentType === 'application/x-pkcs12') return isPfx(value, '') ? undefined : notPfx;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
  } catch {
    return improper(`The data retrieved from ${url} is not deserializable into JSON.`);
  }
  const { data, dataType, password } = isObject(parsed) ? parsed : {};
  if (stringOf(dataType).toLowerCase() !== 'pfx' || typeof data !== 'string') return notPfx;
  return isPfx(data, stringOf(password)) ? undefined : notPfx;
}

/** OpenSSL knows newer encryption and curves, forge a PFX without a key. */
function isPfx(base64: string, passphrase: string): boolean {
  const pfx = Buffer.from(base64, 'base64');
  try {
    createSecureContext({ pfx, passphrase });
    return true;
  } catch {
    // Tried again below.
  }
  try {
    forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(forge.util.createBuffer(pfx.toString('binary'))), passphrase);
    return true;
  } catch {
    return false;
  }
}
