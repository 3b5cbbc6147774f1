import { isIPv4, isIPv6 } from 'node:net';
import { templateObject } from '../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, stringAt } from './function-spec.ts';

/** An address range. */
interface Range {
  /** Bits of an address: 32 or 128. */
  readonly bits: 32 | 128;
  /** The first address. */
  readonly network: bigint;
  readonly prefix: number;
}

function addressOf(text: string): { readonly value: bigint; readonly bits: 32 | 128 } | undefined {
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

function textOf(value: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

function rangeAt(args: Parameters<typeof stringAt>[0], call: Call): Range {
  const [, address = '', length = ''] = /^([0-9A-Fa-f.:]{2,45})\/([0-9]{1,3})$/.exec(stringAt(args, 0, call)) ?? [];
  const parsed = addressOf(address);
  const prefix = Number(length);
  if (!parsed || prefix > parsed.bits) return fail(call, 'argument 1 is no address range such as 10.0.0.0/24');
  const host = BigInt(parsed.bits - prefix);
  return { bits: parsed.bits, network: (parsed.value >> host) << host, prefix };
}

const sizeOf = ({ bits, prefix }: Range): bigint => 1n << BigInt(bits - prefix);

/** Whether the range has a network and a broadcast address, which no host gets. */
const hasBroadcast = ({ bits, prefix }: Range): boolean => bits === 32 && prefix < 31;

/** Functions of address ranges, of IPv4 and IPv6. */
export const cidr: FunctionTable = {
  cidrHost: {
    arity: [2, 2],
    doc: 'An address of a range; 0 is the first that a host can have.',
    evaluate: (args, call) => {
      const range = rangeAt(args, call);
      const index = BigInt(intAt(args, 1, call));
      const offset = range.prefix === range.bits ? index : index + 1n;
      const end = sizeOf(range) - (hasBroadcast(range) ? 1n : 0n);
      if (index < 0n || offset >= end) fail(call, `argument 2: the range has no address ${index}`);
      return textOf(range.network + offset, range.bits);
    },
  },
  cidrSubnet: {
    arity: [3, 3],
    doc: 'A part of a range with another prefix, counted from 0.',
    evaluate: (args, call) => {
      const range = rangeAt(args, call);
      const [prefix, index] = [intAt(args, 1, call), BigInt(intAt(args, 2, call))];
      if (prefix < range.prefix || prefix > range.bits) {
        fail(call, `argument 2: the prefix must be from ${range.prefix} to ${range.bits}`);
      }
      const subnet = { ...range, prefix };
      if (index < 0n || index >= sizeOf(range) / sizeOf(subnet))
        fail(call, `argument 3: the range has no subnet ${index}`);
      return `${textOf(range.network + index * sizeOf(subnet), range.bits)}/${prefix}`;
    },
  },
  parseCidr: {
    arity: [1, 1],
    doc: 'The parts of a range: network, netmask, broadcast (IPv4), firstUsable, lastUsable, cidr.',
    evaluate: (args, call) => {
      const range = rangeAt(args, call);
      const { bits, network, prefix } = range;
      const last = network + sizeOf(range) - 1n;
      const mask = ((1n << BigInt(bits)) - 1n) ^ (sizeOf(range) - 1n);
      const [first, end] = hasBroadcast(range) ? [network + 1n, last - 1n] : [network, bits === 32 ? network : last];
      return templateObject([
        ['network', textOf(network, bits)],
        ['netmask', textOf(mask, bits)],
        ...(bits === 32 ? ([['broadcast', textOf(last, bits)]] as const) : []),
        ['firstUsable', textOf(first, bits)],
        ['lastUsable', textOf(end, bits)],
        ['cidr', prefix],
      ]);
    },
  },
};
