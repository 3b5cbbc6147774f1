import { createHash } from 'node:crypto';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../engine/index.ts';
import type { DurableOperation } from '../effects/operation.ts';

/** The memo of a rotation in its journal. It contains no key, and no value that reveals one. */
export interface RotationMemo {
  /** Index of the next step; the steps before it are done. */
  readonly step: number;
  /** End of the last publication that consumers must have read, in milliseconds since the epoch. */
  readonly since?: number;
  /** Fingerprint of the key when its renewal was announced: a different one proves that Azure renewed the key. */
  readonly before?: string;
  /** When the renewal was announced, in milliseconds since the epoch. */
  readonly sentAt?: number;
  readonly operation?: DurableOperation;
  readonly correlationId?: string;
  readonly refused?: Refusal;
}

/** Why Azure did not renew a key. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Refusals in a row. */
  readonly times: number;
  /** Earliest next try, in milliseconds since the epoch; absent: only after the object changes. */
  readonly until?: number;
  /** Fingerprint of the object at the time: a changed object is tried again. */
  readonly under: string;
}

/** The memo of a new rotation. */
export const firstMemo: RotationMemo = { step: 0 };

/** The memo in a journal entry; the first memo where the entry has none. */
export function memoOf(json: Json | undefined): RotationMemo {
  const isMemo = isObject(json) && Number.isInteger(json['step']) && Number(json['step']) >= 0;
  return isMemo ? (json as unknown as RotationMemo) : firstMemo;
}

/** The memo as JSON for the journal. */
export const jsonOf = (memo: RotationMemo): Json => memo as unknown as Json;

/** Fingerprint of a key, as 16 hexadecimal digits. Keys are random and long, so a fingerprint reveals none. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
