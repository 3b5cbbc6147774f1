import { type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KubeObject } from '../client/types.ts';
import { hmacOf } from './program-key.ts';

/** Base64url digits of a 128-bit signature. */
const signatureLength = 22;
const prefix = 'v1.';

/** The object that a record is about, as the API server returned it: its uid is the server's, not the author's. */
export type RecordOwner = Pick<KubeObject, 'kind' | 'metadata'>;

/**
 * Records that a program keeps in annotations of objects whose metadata tenants may write. A record is a text with a
 * signature: `v1.<22 digits>.<text>`. It is valid only for the purpose and for the object (uid, kind, namespace, name)
 * that it was signed for, so it can neither be forged nor moved to another object. An older record of the same object
 * stays valid: a reader of the record must be safe against that one.
 */
export class SignedRecords {
  readonly #key: KeyObject;

  /** The key is the program's own: see ProgramKey. */
  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** Throws a RangeError for an object without a uid: it is not stored yet, so nothing can be bound to it. */
  sign(purpose: string, owner: RecordOwner, text: string): string {
    return `${prefix}${this.#signature(purpose, owner, text)}.${text}`;
  }

  /** The text of a valid record; undefined for every other text. */
  verify(purpose: string, owner: RecordOwner, record: string | undefined): string | undefined {
    if (record === undefined || owner.metadata.uid === undefined || !record.startsWith(prefix)) return undefined;
    const end = prefix.length + signatureLength;
    if (record[end] !== '.') return undefined;
    const text = record.slice(end + 1);
    const given = Buffer.from(record.slice(prefix.length, end));
    const expected = Buffer.from(this.#signature(purpose, owner, text));
    return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
  }

  #signature(purpose: string, { kind, metadata }: RecordOwner, text: string): string {
    const { uid, namespace = '', name } = metadata;
    if (!uid) throw new RangeError(`A record needs the uid of ${kind} ${name}, which is not stored yet`);
    const signature = hmacOf(this.#key, ['record', purpose, uid, kind, namespace, name, text]);
    return signature.toString('base64url').slice(0, signatureLength);
  }
}
