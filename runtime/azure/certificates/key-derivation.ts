import { hash, pbkdf2 as pbkdf2WithCallback } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';

/**
 * Rounds of key derivation that one PKCS#12 file may ask for in all: a second or two of work, done in pieces. OpenSSL writes
 * files with 2,048 rounds for each of three keys, Java wrote some with 200,000 in all.
 */
export const maxRounds = 1_000_000;

/**
 * The same of an encrypted key in PEM, where OpenSSL derives at one stretch, in which the program does nothing else: a tenth
 * of a second. scrypt counts with N x r x p, by default 131,072.
 */
export const maxRoundsAtOnce = 200_000;

/** Rounds of one piece: some milliseconds. */
const pieceRounds = 4096;
/** Derivations longer than a piece run one at a time, so that many files take no more of a program's time than one. */
const semaphore = new FairSemaphore({ total: 1 });

/** The file needs more work than the limit, whatever the password. */
export class TooMuchWork extends Error {}

/** A key derivation with too many rounds; the message explains how to write the file with fewer. */
export class TooManyRounds extends TooMuchWork {
  constructor(asked: string, max: number) {
    super(
      `${asked}, more than the ${max} that are read; write the file again with fewer, such as with ` +
        '`openssl pkcs12 -export -iter 10000` or `openssl pkcs8 -topk8 -iter 10000`',
    );
  }
}

/** Counts the rounds that one file asks for, before any of them is done. */
export class Rounds {
  readonly #max: number;
  #asked = 0;

  constructor(max = maxRounds) {
    this.#max = max;
  }

  /** Each block of the derived key takes all iterations. Throws TooManyRounds, or a plain Error for no number above 0. */
  take(iterations: number, blocks = 1): void {
    if (!(iterations >= 1)) throw new Error(`its key derivation has the iteration count ${iterations}`);
    const max = this.#max;
    if (iterations > max) throw new TooManyRounds(`its key derivation has the iteration count ${iterations}`, max);
    this.#asked += iterations * blocks;
    if (this.#asked > max) throw new TooManyRounds(`its key derivations take ${this.#asked} rounds in all`, max);
  }
}

/** PBKDF2 (RFC 8018 5.2). All bytes are strings of Latin-1, as node-forge has them. */
export async function pbkdf2(
  password: string,
  salt: string,
  iterations: number,
  length: number,
  digest: string,
  rounds: Rounds,
): Promise<string> {
  const blocks = Math.ceil(length / digestBytes(digest));
  rounds.take(iterations, blocks);
  const bytes = [Buffer.from(password, 'latin1'), Buffer.from(salt, 'latin1')] as const;
  const key = await oneAtATime(iterations * blocks, () => inThread(...bytes, iterations, length, digest));
  return key.toString('latin1');
}

const inThread = promisify(pbkdf2WithCallback);

async function oneAtATime<T>(rounds: number, derive: () => Promise<T>): Promise<T> {
  return rounds <= pieceRounds ? derive() : semaphore.run('', undefined, derive);
}

/** Inputs of the key derivation of PKCS#12. */
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
export async function pkcs12Key(derivation: Pkcs12Derivation, rounds: Rounds): Promise<Buffer> {
  const { iterations, length, digest } = derivation;
  const blocks = Math.ceil(length / digestBytes(digest));
  rounds.take(iterations, blocks);
  return oneAtATime(iterations * blocks, () => inPieces(derivation));
}

async function inPieces(derivation: Pkcs12Derivation): Promise<Buffer> {
  const { password, salt, purpose, iterations, length, digest } = derivation;
  const digestLength = digestBytes(digest);
  const blockLength = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const secret = password === undefined ? Buffer.alloc(0) : Buffer.from(`${password}\0`, 'utf16le').swap16();
  const diversifier = Buffer.alloc(blockLength, purpose);
  const mixed = Buffer.concat([filled(salt, blockLength), filled(secret, blockLength)]);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; made += digestLength) {
    let part = hash(digest, Buffer.concat([diversifier, mixed]), 'buffer');
    for (let round = 1; round < iterations; round++) {
      part = hash(digest, part, 'buffer');
      if (round % pieceRounds === 0) await nextTurn();
    }
    parts.push(part);
    const addend = filled(part, blockLength).subarray(0, blockLength);
    for (let block = 0; block < mixed.length; block += blockLength) addOne(mixed, block, addend);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Adds the number in `addend`, and one, to the block of the same length at `start`, without the last carry. */
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
