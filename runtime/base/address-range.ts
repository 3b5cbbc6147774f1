import { isIPv4, isIPv6 } from 'node:net';

/** An IPv4 or IPv6 address as a number. */
export interface Address {
  readonly value: bigint;
  /** Bits of an address of its family. */
  readonly bits: 32 | 128;
}

/** An address range. */
export interface AddressRange {
  readonly bits: 32 | 128;
  /** The first address. */
  readonly network: bigint;
  readonly prefix: number;
}

/** Reads an address; undefined for any other text, and for an address with a zone. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) {
    return { value: text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n), bits: 32 };
  }
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // The URL parser writes every form with hexadecimal groups.
  const [before = '', after] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const all = [...head, ...(after === undefined ? [] : zeros), ...tail];
  return { value: all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n), bits: 128 };
}

/** The address as text. */
export function addressText({ value, bits }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

/** The range that has the address of `10.0.0.7/24`; undefined for any other text. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = '', length = ''] = /^([0-9A-Fa-f.:]{2,45})\/([0-9]{1,3})$/.exec(text) ?? [];
  const parsed = parseAddress(address);
  const prefix = Number(length);
  if (!parsed || prefix > parsed.bits) return undefined;
  const host = BigInt(parsed.bits - prefix);
  return { bits: parsed.bits, network: (parsed.value >> host) << host, prefix };
}

/** The range as `10.0.0.0/24`. */
export const rangeText = ({ network, bits, prefix }: AddressRange): string =>
  `${addressText({ value: network, bits })}/${prefix}`;

/** How many addresses the range has. */
export const sizeOf = ({ bits, prefix }: AddressRange): bigint => 1n << BigInt(bits - prefix);

/** Whether the address lies in the range. */
export const hasAddress = (range: AddressRange, { value, bits }: Address): boolean =>
  bits === range.bits && value >= range.network && value < range.network + sizeOf(range);

/** Whether all of `inner` lies in `outer`. */
export const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  inner.prefix >= outer.prefix && hasAddress(outer, { value: inner.network, bits: inner.bits });

/** Whether two ranges have an address in common. */
export const overlaps = (a: AddressRange, b: AddressRange): boolean => contains(a, b) || contains(b, a);
