import type { PendingCertificate } from '../../../azure/key-vault/certificate-requests.ts';
import { orderPoll } from '../../../compute/managed-secrets/rotation.ts';
import { PlaceProblem } from './vault-places.ts';

/** The order of a certificate at an issuer, as this process knows it. Times in milliseconds since the epoch. */
export interface OrderMemory {
  /** When this process placed the order, or saw it first. */
  seenAt: number | undefined;
  /** Whether this process placed it. */
  placed: boolean;
  /** The refused order whose failure counts already: another one may be placed. */
  refused: string | undefined;
}

/** The memory of a process that has seen no order. */
export function newOrderMemory(): OrderMemory {
  return { seenAt: undefined, placed: false, refused: undefined };
}

/** An order that the issuer refused, or that somebody canceled. */
export class OrderRefused extends PlaceProblem {
  readonly orderId: string;
  /** When the order was placed; undefined where the vault does not say. */
  readonly orderedAt: number | undefined;

  constructor({ id, status, error }: PendingCertificate, orderedAt: number | undefined) {
    const refusal = `The issuer refused the certificate: ${error ?? 'it gave no reason'}`;
    super('IssuerRefused', status === 'failed' ? refusal : 'Somebody canceled the order of the certificate');
    this.orderId = id;
    this.orderedAt = orderedAt;
  }
}

/** Whether an order has ended without a certificate. */
export function isRefused({ status }: PendingCertificate): boolean {
  return status === 'failed' || status === 'canceled' || status === 'cancelled';
}

/** Milliseconds to the next read of an order that the issuer works on. */
export function nextRead(order: OrderMemory, { retryAfterMs }: PendingCertificate, now: number): number {
  order.seenAt ??= now;
  return orderPoll(now - order.seenAt, retryAfterMs);
}

/** When to list the versions again while the vault works on an order, which may have been placed before a pin. */
export function orderedReadAt({ seenAt }: OrderMemory, now: number): number | undefined {
  return seenAt === undefined ? undefined : now + orderPoll(now - seenAt);
}
