/** The values of the kinds that the operator generates itself. Randomness comes from node:crypto. */
import { generateKeyPair, type JsonWebKey, randomBytes, randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import type { ManagedSecretSpec } from '../../../api/machines/managed-secret-spec.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { vmAccessContentType, vmAccessValue } from '../../../compute/machines/vm-access.ts';
import { generatePassword } from '../../../compute/managed-secrets/passwords.ts';
import { openSshPrivateKey, openSshPublicKey } from './open-ssh-key.ts';

/** A value with its content type in the vault. */
export interface SecretValue {
  readonly value: string;
  readonly contentType: string;
}

/** The account of a password or key where the spec names none. */
const defaultUser = 'azureuser';

/** A new value. Throws AZ_TERMINAL for a kind whose values come from elsewhere. */
export async function generateValue(spec: ManagedSecretSpec): Promise<SecretValue> {
  switch (spec.kind) {
    case 'Password':
      return { value: generatePassword(randomInt, spec.password?.length), contentType: 'text/plain' };
    case 'SymmetricKey': {
      const value = randomBytes(spec.symmetricKey?.bytes ?? 32).toString('base64');
      return { value, contentType: 'application/octet-stream' };
    }
    case 'SshKey':
      return { value: openSshPrivateKey(await keyPair(spec.sshKey)), contentType: 'text/plain' };
    default:
      throw new AzimuthError('AZ_TERMINAL', `The operator does not generate values of kind ${spec.kind}`);
  }
}

const generate = promisify(generateKeyPair);

async function keyPair({ algorithm, bits }: NonNullable<ManagedSecretSpec['sshKey']> = {}): Promise<JsonWebKey> {
  const { privateKey } =
    algorithm === 'RSA' ? await generate('rsa', { modulusLength: bits ?? 3072 }) : await generate('ed25519');
  return privateKey.export({ format: 'jwk' });
}

/** Whether machines get the kind by VMAccess, which reads a second secret with its protected settings. */
export function hasVmAccess({ kind }: Pick<ManagedSecretSpec, 'kind'>): boolean {
  return kind === 'Password' || kind === 'SshKey';
}

/** The account that a password or key is for; undefined for other kinds. */
export function userNameOf({ kind, password, sshKey }: ManagedSecretSpec): string | undefined {
  if (kind === 'Password') return password?.userName ?? defaultUser;
  return kind === 'SshKey' ? (sshKey?.userName ?? defaultUser) : undefined;
}

/** The protected settings of VMAccess for a value: the password, or the public key of the private one. */
export function vmAccessForm(spec: ManagedSecretSpec, value: string): SecretValue {
  const username = userNameOf(spec) ?? defaultUser;
  const os = spec.kind === 'Password' ? (spec.password?.os ?? 'Linux') : 'Linux';
  const secret = spec.kind === 'Password' ? { password: value } : { sshKey: openSshPublicKey(value, username) };
  return { value: vmAccessValue(os, { username, ...secret }), contentType: vmAccessContentType };
}
