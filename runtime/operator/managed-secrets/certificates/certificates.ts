import { X509Certificate } from 'node:crypto';
import type { ManagedSecretSpec } from '../../../api/machines/managed-secret-spec.ts';
import type { JsonObject } from '../../../base/json.ts';
import { leafNotAfter, mustReissueLeaf, orderPoll } from '../../../compute/managed-secrets/rotation.ts';
import { type SecretVersion, tagsOf } from '../../../compute/managed-secrets/vault-tags.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import { ownerOf, validityOf } from '../secret-object.ts';
import { isRefused, newOrderMemory, nextRead, type OrderMemory, OrderRefused } from '../vaults/orders.ts';
import { type NewVersion, unlessDeleted } from '../vaults/secret-steps.ts';
import { type OpenVault, PlaceProblem, type SecretContext } from '../vaults/vault-places.ts';
import { type CertificateAuthority, readAuthority } from './certificate-authority.ts';
import { type LeafProperties, signCertificate } from './sign-certificate.ts';

const skewMs = 300_000;
const monthMs = 730 * 3_600_000;
/** Server and client authentication. */
const defaultUses = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

/** Certificates: the home vault makes key and request, and issues by its own issuers. */
export class CertificateSource {
  readonly #deps: ReconcileDeps;

  constructor(deps: ReconcileDeps) {
    this.#deps = deps;
  }

  /**
   * Orders the certificate, or goes on with the order that the vault works on. Throws OrderRefused for one that has ended
   * without a certificate, which stays in the vault until the next order, so that another process finds it too.
   */
  async create(context: SecretContext, atHome: OpenVault, version: NewVersion): Promise<number | undefined> {
    const { name, signal, object } = context;
    const { certificates } = atHome.vault;
    const authority = await this.#authority(context, version.now);
    const { number, now, request } = version;
    const tags = tagsOf(ownerOf(object), { number, created: now, ...(request !== undefined && { request }) });
    const { order } = version;
    let pending = await certificates.tryGetPending(name, signal);
    if (pending && isRefused(pending)) {
      if (pending.id !== order.refused) {
        throw new OrderRefused(pending, await certificates.tryGetOrderTime(name, signal));
      }
      await certificates.deletePending(name, signal);
    }
    if (pending?.status === 'completed' && order.seenAt !== undefined) {
      // Issued since the versions were listed: the next list has it.
      Object.assign(order, newOrderMemory());
      return orderPoll(0);
    }
    if (pending?.status !== 'inProgress') {
      pending = undefined;
      await unlessDeleted(context, atHome.vault, 'certificates', name, async () => {
        pending = await certificates.create(name, { policy: policyOf(object.spec), tags }, signal);
      });
      Object.assign(order, { placed: true, seenAt: now, refused: undefined });
    }
    if (!pending) return orderPoll(0);
    if (!authority || pending.status !== 'inProgress') return nextRead(order, pending, now);
    const leaf = signCertificate(pending.csr, leafOf(object.spec, now, authority), authority);
    await certificates.merge(name, [leaf, ...authority.chain], { tags }, signal);
    return undefined;
  }

  async followOrder({ name, signal }: SecretContext, { vault }: OpenVault, order: OrderMemory): Promise<void> {
    if (order.seenAt === undefined) return;
    const pending = await vault.certificates.tryGetPending(name, signal);
    if (!pending || isRefused(pending)) Object.assign(order, newOrderMemory());
  }

  /** Whether another key of the CA signs now, or the certificate outlives its CA. */
  async isOutdated(context: SecretContext, { vault }: OpenVault, current: SecretVersion): Promise<boolean> {
    const authority = await this.#authority(context, this.#deps.runtime.clock.now());
    if (!authority) return false;
    const { certificate } = await vault.getCertificate(context.name, current.version, context.signal);
    const leaf = new X509Certificate(certificate);
    const isSigner = leaf.verify(authority.certificate.publicKey);
    const keyId = authority.certificate.fingerprint256;
    return mustReissueLeaf(
      { notAfter: Date.parse(leaf.validTo), issuerKeyId: isSigner ? keyId : '' },
      { notAfter: authority.notAfter, keyId },
    );
  }

  async #authority(context: SecretContext, now: number): Promise<CertificateAuthority | undefined> {
    const ca = context.object.spec.certificate?.issuer?.caSecret;
    if (!ca) return undefined;
    const authority = await readAuthority(this.#deps.runtime.client, context, ca.name);
    if (leafNotAfter(now, validityOf(context.object.spec), authority) !== undefined) return authority;
    throw new PlaceProblem('IssuerInvalid', `The CA in Secret ${ca.name} is not valid now: renew it`, true);
  }
}

function leafOf(spec: ManagedSecretSpec, now: number, authority: CertificateAuthority): LeafProperties {
  const { dnsNames = [], extendedKeyUsages = defaultUses } = spec.certificate ?? {};
  // Machines whose clocks are a little behind accept it at once.
  const notBefore = Math.max(authority.notBefore, now - skewMs);
  const notAfter = leafNotAfter(now, validityOf(spec), authority) ?? now;
  return { notBefore, notAfter, dnsNames, uses: extendedKeyUsages };
}

/** The policy of Key Vault. The vault renews nothing itself: it reports an end that comes near, and the operator renews. */
function policyOf(spec: ManagedSecretSpec): JsonObject {
  const { subject = '', dnsNames = [], extendedKeyUsages, issuer, keyType = 'RSA', keySize } = spec.certificate ?? {};
  const isEc = keyType === 'EC';
  const size = keySize ?? (isEc ? 256 : 2048);
  return {
    issuer: { name: issuer?.caSecret ? 'Unknown' : (issuer?.keyVault ?? 'Self') },
    key_props: {
      exportable: true,
      kty: keyType,
      key_size: size,
      reuse_key: false,
      ...(isEc && { crv: `P-${size}` }),
    },
    secret_props: { contentType: 'application/x-pkcs12' },
    x509_props: {
      subject,
      ...(dnsNames.length > 0 && { sans: { dns_names: [...dnsNames] } }),
      // Keys of RSA alone encipher others.
      key_usage: ['digitalSignature', ...(isEc ? [] : ['keyEncipherment'])],
      ekus: [...(extendedKeyUsages ?? defaultUses)],
      validity_months: Math.max(1, Math.round(validityOf(spec) / monthMs)),
    },
    lifetime_actions: [{ trigger: { lifetime_percentage: 90 }, action: { action_type: 'EmailContacts' } }],
  };
}
