import type { ManagedSecretSpec } from '../../api/machines/managed-secret-spec.ts';
import type { JsonObject } from '../../base/json.ts';
import { tagsOf } from '../../compute/managed-secrets/vault-tags.ts';
import type { OperatorContext } from '../reconcile/operator-context.ts';
import { ownerOf, validityOf } from './secret-object.ts';
import { type NewVersion, unlessDeleted } from './secret-steps.ts';
import type { OpenVault, SecretRun } from './vault-places.ts';

/** Milliseconds between two looks at a certificate that the vault issues. */
const pollMs = 5000;
const monthMs = 730 * 3_600_000;
/** Server and client authentication. */
const defaultUses = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

/** Certificates: the home vault makes key and request, and issues by its own issuers. */
export class CertificateSource {
  readonly #context: OperatorContext;

  constructor(context: OperatorContext) {
    this.#context = context;
  }

  /** Orders the certificate, or goes on with the order that the vault works on. */
  async create(run: SecretRun, { vault }: OpenVault, version: NewVersion): Promise<number | undefined> {
    const { name, signal, object } = run;
    const pending = await vault.certificates.tryGetPending(name, signal);
    if (pending?.status === 'inProgress') return pollMs;
    if (pending?.error !== undefined) {
      this.#context.runtime.log.info({ name, error: pending.error }, 'the issuer refused a certificate');
    }
    const { number, now, request } = version;
    const tags = tagsOf(ownerOf(object), { number, hash: '', created: now, ...(request !== undefined && { request }) });
    const order = { policy: policyOf(object.spec), tags };
    await unlessDeleted(run, vault, 'certificates', name, async () => {
      await vault.certificates.create(name, order, signal);
    });
    return 1000;
  }
}

/** The policy of Key Vault. The vault renews nothing itself: it reports an end that comes near, and the operator renews. */
function policyOf(spec: ManagedSecretSpec): JsonObject {
  const { subject = '', dnsNames = [], extendedKeyUsages, issuer, keyType = 'RSA', keySize } = spec.certificate ?? {};
  const size = keySize ?? (keyType === 'EC' ? 256 : 2048);
  return {
    issuer: { name: issuer?.caSecret ? 'Unknown' : (issuer?.keyVault ?? 'Self') },
    key_props: {
      exportable: true,
      kty: keyType,
      key_size: size,
      reuse_key: false,
      ...(keyType === 'EC' && { crv: `P-${size}` }),
    },
    secret_props: { contentType: 'application/x-pkcs12' },
    x509_props: {
      subject,
      ...(dnsNames.length > 0 && { sans: { dns_names: [...dnsNames] } }),
      ekus: [...(extendedKeyUsages ?? defaultUses)],
      validity_months: Math.max(1, Math.round(validityOf(spec) / monthMs)),
    },
    lifetime_actions: [{ trigger: { lifetime_percentage: 90 }, action: { action_type: 'EmailContacts' } }],
  };
}
