import { createHash } from 'node:crypto';
import type { Operation } from '../../azure/types.ts';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../engine/index.ts';

/** What a rotation keeps in its journal. No key is in it, and nothing that a key could be made from. */
export interface RotationMemo {
  /** Index of the step to do next; those before it are done. */
  readonly step: number;
  /** When the last publication that consumers must have read was over, in milliseconds since the epoch. */
  readonly since?: number;
  /** Fingerprint of the key as it was when its renewal was announced: another one means that it took place. */
  readonly before?: string;
  /** When it was announced, in milliseconds since the epoch. */
  readonly sentAt?: number;
  readonly operation?: Omit<Operation, 'nextPollAt' | 'state' | 'pollFailures'>;
  readonly correlationId?: string;
  readonly refused?: Refusal;
}

/** Why Azure did not renew a key. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Refusals in a row. */
  readonly times: number;
  /** Not before that, in milliseconds since the epoch; absent: not before the object changes. */
  readonly until?: number;
  /** Fingerprint of the object as it was: another one is worth another try. */
  readonly under: string;
}

export const firstMemo: RotationMemo = { step: 0 };

export function memoOf(json: Json | undefined): RotationMemo {
  const known = isObject(json) && Number.isInteger(json['step']) && Number(json['step']) >= 0;
  return known ? (json as unknown as RotationMemo) : firstMemo;
}

export const jsonOf = (memo: RotationMemo): Json => memo as unknown as Json;

/** Keys are random and long: nobody finds one that fits. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
