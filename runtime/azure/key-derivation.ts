import { hash, pbkdf2Sync } from 'node:crypto';

/**
 * Rounds of key derivation that one file may ask for in all: a second or two of work, in which the program does nothing else.
 * OpenSSL writes files with 2,048 rounds for each of three keys, Java wrote some with 200,000 in all; scrypt counts with
 * N x r x p, by default 131,072.
 */
export const maxRounds = 1_000_000;

/** What a file asks for is more than `maxRounds`. */
export class TooManyRounds extends Error {
  constructor(asked: string) {
    super(
      `${asked}, more than the ${maxRounds} that are read; write the file anew with fewer, such as with ` +
        '`openssl pkcs12 -export -iter 10000` or `openssl pkcs8 -topk8 -iter 10000`',
    );
  }
}

/** Counts the rounds that one file asks for, before any of them is done. */
export class Rounds {
  #asked = 0;

  /** Each block of the derived key takes all iterations. Throws TooManyRounds, or a plain Error for no number above 0. */
  take(iterations: number, blocks = 1): void {
    if (!(iterations >= 1)) throw new Error(`its key derivation has the iteration count ${iterations}`);
    if (iterations > maxRounds) throw new TooManyRounds(`its key derivation has the iteration count ${iterations}`);
    this.#asked += iterations * blocks;
    if (this.#asked > maxRounds) throw new TooManyRounds(`its key derivations take ${this.#asked} rounds in all`);
  }
}

/** PBKDF2 (RFC 8018 5.2). All bytes are strings of Latin-1, as node-forge has them. */
export function pbkdf2(
  password: string,
  salt: string,
  iterations: number,
  length: number,
  digest: string,
  rounds: Rounds,
): string {
  rounds.take(iterations, Math.ceil(length / digestBytes(digest)));
  return pbkdf2Sync(Buffer.from(password, 'latin1'), Buffer.from(salt, 'latin1'), iterations, length, digest).toString(
    'latin1',
  );
}

export interface Pkcs12Derivation {
  /** Without one, and with an empty one, other bytes are hashed. */
  readonly password: string | undefined;
  readonly salt: Buffer;
  /** 1 for a key, 2 for an initialization vector, 3 for a MAC. */
  readonly purpose: number;
  readonly iterations: number;
  /** Of the result, in bytes. */
  readonly length: number;
  readonly digest: string;
}

/** The derivation of PKCS#12 (RFC 7292 B.2). */
export function pkcs12Key(
  { password, salt, purpose, iterations, length, digest }: Pkcs12Derivation,
  rounds: Rounds,
): Buffer {
  const digestLength = digestBytes(digest);
  const blockLength = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  rounds.take(iterations, Math.ceil(length / digestLength));
  const secret = password === undefined ? Buffer.alloc(0) : Buffer.from(`${password}\0`, 'utf16le').swap16();
  const diversifier = Buffer.alloc(blockLength, purpose);
  const mixed = Buffer.concat([filled(salt, blockLength), filled(secret, blockLength)]);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; made += digestLength) {
    let part = hash(digest, Buffer.concat([diversifier, mixed]), 'buffer');
    for (let round = 1; round < iterations; round++) part = hash(digest, part, 'buffer');
    parts.push(part);
    const addend = filled(part, blockLength).subarray(0, blockLength);
    for (let block = 0; block < mixed.length; block += blockLength) addOne(mixed, block, addend);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Adds the number in `addend`, and one, to the block of the same length at `start`; what overflows is lost. */
function addOne(target: Buffer, start: number, addend: Buffer): void {
  let carry = 1;
  for (let index = addend.length - 1; index >= 0; index--) {
    carry += (target[start + index] ?? 0) + (addend[index] ?? 0);
    target[start + index] = carry & 0xff;
    carry >>= 8;
  }
}

/** The bytes again and again, up to a whole number of blocks. */
function filled(bytes: Buffer, blockLength: number): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.alloc(blockLength * Math.ceil(bytes.length / blockLength), bytes);
}

function digestBytes(digest: string): number {
  return hash(digest, '', 'buffer').length;
}
