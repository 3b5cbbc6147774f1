import { createHash } from 'node:crypto';
import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { AzimuthError } from '../../base/errors.ts';
import { normalizePassword, normalizeText } from '../../base/text/normalize.ts';
import { parseClientCertificate } from '../certificates/certificate-bundle.ts';

/** The credential in a Secret for an AzureIdentity of type 1 or 2, and a digest that distinguishes its versions. */
export interface IdentitySecret {
  readonly version: string;
  readonly value: Buffer;
  /** Of the certificate; '' where there is none, undefined for a client secret. */
  readonly password: string | undefined;
  /** AZ_CONFIG_INVALID where it holds no usable credential; `version` still distinguishes this state from others. */
  readonly problem: AzimuthError | undefined;
}

/** Most bytes of a credential with its password. */
const mostBytes = 64 * 1024;

/**
 * The members of a Secret's `data` that an identity of this type uses, as the API server gives it (base64). `id` is
 * namespace/name of the Secret, for messages.
 */
export function readIdentitySecret(
  data: Readonly<Record<string, string>>,
  type: number | undefined,
  id: string,
): IdentitySecret {
  const isCertificate = type === identityType.servicePrincipalCertificate;
  const key = isCertificate ? 'certificate' : secretKey(data);
  const stored = Buffer.from((key && data[key]) || '', 'base64');
  const value = isCertificate ? stored : Buffer.from(normalizeText(stored.toString('utf8')));
  const password = isCertificate
    ? normalizePassword(Buffer.from(data['password'] ?? '', 'base64').toString('utf8'))
    : undefined;
  const layout = isCertificate
    ? 'a PKCS#12 file under `certificate`'
    : 'the key `clientSecret`, or one key only, with a value';
  const length = value.length + (password?.length ?? 0);
  const expected = value.length === 0 ? layout : length > mostBytes ? `${layout} of at most 64 KiB` : undefined;
  const digest = createHash('sha256')
    .update(`${type} ${value.length} `)
    .update(value)
    .update(password ?? '');
  const version = digest.digest('hex');
  if (expected === undefined) return { version, value, password, problem: undefined };
  const problem = new AzimuthError('AZ_CONFIG_INVALID', `Expected the Secret ${id} to have ${expected}`);
  return { version, value: Buffer.alloc(0), password: isCertificate ? '' : undefined, problem };
}

/** Findings for or against a Secret, independent of Entra's answer. */
export interface IdentitySecretCheck {
  /** AZ_CONFIG_INVALID that names the source, never a value; undefined where nothing speaks against it. */
  readonly problem: AzimuthError | undefined;
  /** When its certificate ends, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** Whether a token can be asked for with such a Secret. `source` is for messages. */
export async function checkIdentitySecret(
  { value, password, problem }: IdentitySecret,
  source: string,
): Promise<IdentitySecretCheck> {
  if (problem || password === undefined) return { problem };
  try {
    const { chain } = await parseClientCertificate(value, password, source);
    return { problem: undefined, ...(chain[0] && { expiresAt: Date.parse(chain[0].validTo) }) };
  } catch (error) {
    if (error instanceof AzimuthError && error.code === 'AZ_CONFIG_INVALID') return { problem: error };
    throw error;
  }
}

/** Upstream took whichever key came first; here it is `clientSecret`, or the only one. */
function secretKey(data: Readonly<Record<string, string>>): string | undefined {
  const keys = Object.keys(data);
  if (keys.includes('clientSecret')) return 'clientSecret';
  return keys.length === 1 ? keys[0] : undefined;
}
