import { isObject } from '../../base/json.ts';
import type { VaultAnswer } from './transport.ts';
import { objectName } from './vault-names.ts';
import { undefinedIfAbsent, type VaultJson, type VaultRequests } from './vault-requests.ts';

/** The request for a certificate that the vault works on, or worked on last. */
export interface PendingCertificate {
  /** Id of this order, at most 128 characters; '' where the vault names none. */
  readonly id: string;
  /** PKCS#10 request, DER. */
  readonly csr: Buffer;
  /** inProgress, completed, failed, canceled or cancelled. */
  readonly status: string;
  /** Why it failed, as far as the issuer says. */
  readonly error: string | undefined;
  /** How long the vault asks to wait before the next read, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** How the vault is to issue a certificate: its policy in the form of Key Vault. */
export interface CertificateOrder {
  readonly policy: VaultJson;
  /** Tags of the new version. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Requests to issue certificates in a vault, whose key never leaves it for that. */
export class CertificateRequests {
  readonly #requests: VaultRequests;

  constructor(requests: VaultRequests) {
    this.#requests = requests;
  }

  /** Starts the issue of a new version; the vault refuses a second one meanwhile with 409. */
  async create(name: string, order: CertificateOrder, signal?: AbortSignal): Promise<PendingCertificate> {
    const action = { objects: 'certificates', permission: 'create', name } as const;
    const path = `/certificates/${objectName(name)}/create`;
    const body = { policy: order.policy, tags: order.tags, attributes: { enabled: true } };
    return pendingCertificate(await this.#requests.answer(action, 'POST', path, body, signal));
  }

  /** The newest request of that name; undefined where the vault has none. */
  async tryGetPending(name: string, signal?: AbortSignal): Promise<PendingCertificate | undefined> {
    const action = { objects: 'certificates', permission: 'get', name } as const;
    const path = `/certificates/${objectName(name)}/pending`;
    const certificate = await undefinedIfAbsent(this.#requests.answer(action, 'GET', path, undefined, signal));
    return certificate && pendingCertificate(certificate);
  }

  /** When the newest request was made, by the policy of the certificate; undefined where the vault does not say. */
  async tryGetOrderTime(name: string, signal?: AbortSignal): Promise<number | undefined> {
    const action = { objects: 'certificates', permission: 'get', name } as const;
    const path = `/certificates/${objectName(name)}/policy`;
    const certificate = await undefinedIfAbsent(this.#requests.send(action, 'GET', path, undefined, signal));
    const attributes = certificate?.['attributes'];
    const updated = isObject(attributes) ? attributes['updated'] : undefined;
    return typeof updated === 'number' && Number.isFinite(updated) ? updated * 1000 : undefined;
  }

  /** Forgets the newest request, so that another one can be made. */
  async deletePending(name: string, signal?: AbortSignal): Promise<void> {
    const action = { objects: 'certificates', permission: 'delete', name } as const;
    const path = `/certificates/${objectName(name)}/pending`;
    await undefinedIfAbsent(this.#requests.send(action, 'DELETE', path, undefined, signal));
  }

  /** Completes a request of issuer Unknown with the certificate and its chain, DER, the leaf first. */
  async merge(name: string, chain: readonly Buffer[], order: Pick<CertificateOrder, 'tags'>, signal?: AbortSignal) {
    const action = { objects: 'certificates', permission: 'update', name } as const;
    const path = `/certificates/${objectName(name)}/pending/merge`;
    const x5c = chain.map((der) => der.toString('base64'));
    await this.#requests.send(action, 'POST', path, { x5c, tags: order.tags }, signal);
  }
}

function pendingCertificate({ body, retryAfterMs }: VaultAnswer): PendingCertificate {
  const { csr, status, error, request_id: id } = body;
  return {
    id: typeof id === 'string' ? id.slice(0, 128) : '',
    csr: Buffer.from(typeof csr === 'string' ? csr : '', 'base64'),
    status: typeof status === 'string' ? status : '',
    error: isObject(error) && typeof error['message'] === 'string' ? error['message'].slice(0, 1024) : undefined,
    retryAfterMs,
  };
}
