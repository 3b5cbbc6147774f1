import { createHash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const first = 0xab0e9789;
const second = 0x239b961b;
const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

/** Little endian number of at most four bytes. */
function lane(bytes: Buffer, at: number): number {
  let value = 0;
  for (let index = 0; index < 4 && at + index < bytes.length; index++)
    value |= (bytes[at + index] as number) << (8 * index);
  return value;
}

function finish(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return value ^ (value >>> 16);
}

/** The 64-bit hash of `uniqueString`: a variant of Murmur with two lanes of 32 bits, over the bytes of UTF-8. */
export function templateHash(text: string): bigint {
  const bytes = Buffer.from(text, 'utf8');
  let [low, high] = [0, 0];
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    low ^= Math.imul(rotate(Math.imul(lane(bytes, at), second), 15), first);
    low = (Math.imul((rotate(low, 19) + high) | 0, 5) + 0x561ccd1b) | 0;
    high ^= Math.imul(rotate(Math.imul(lane(bytes, at + 4), first), 17), second);
    high = (Math.imul((rotate(high, 13) + low) | 0, 5) + 0x0bcaa747) | 0;
  }
  const rest = bytes.length - whole;
  if (rest > 0) low ^= Math.imul(rotate(Math.imul(lane(bytes, whole), second), 15), first);
  if (rest > 4) high ^= Math.imul(rotate(Math.imul(lane(bytes, whole + 4), first), 17), second);
  high ^= bytes.length;
  low = (low ^ bytes.length) + high;
  high += low;
  low = finish(low | 0);
  high = finish(high | 0);
  low = (low + high) | 0;
  high = (high + low) | 0;
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The 13 characters that `uniqueString` makes of its arguments, joined by `-`. */
export function uniqueText(text: string): string {
  let value = templateHash(text);
  let result = '';
  for (let index = 0; index < 13; index++) {
    result += alphabet[Number(value >> 59n)];
    value = BigInt.asUintN(64, value << 5n);
  }
  return result;
}

const namespace = Buffer.from('11fb06fb712d4ddd98c7e71bbd588830', 'hex');

/** The UUID of version 5 that `guid` makes of its arguments, joined by `-`. */
export function templateGuid(text: string): string {
  const bytes = createHash('sha1').update(namespace).update(text, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
