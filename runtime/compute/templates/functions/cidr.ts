import { type AddressRange, addressText, parseRange, rangeText, sizeOf } from '../../../base/address-range.ts';
import { templateObject } from '../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, stringAt } from './function-spec.ts';

function rangeAt(args: Parameters<typeof stringAt>[0], call: Call): AddressRange {
  return parseRange(stringAt(args, 0, call)) ?? fail(call, 'argument 1 is no address range such as 10.0.0.0/24');
}

/** Whether the range has a network and a broadcast address, which no host gets. */
const hasBroadcast = ({ bits, prefix }: AddressRange): boolean => bits === 32 && prefix < 31;

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
      return addressText({ value: range.network + offset, bits: range.bits });
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
      return rangeText({ ...subnet, network: range.network + index * sizeOf(subnet) });
    },
  },
  parseCidr: {
    arity: [1, 1],
    doc: 'The parts of a range: network, netmask, broadcast (IPv4), firstUsable, lastUsable, cidr.',
    evaluate: (args, call) => {
      const range = rangeAt(args, call);
      const { bits, network, prefix } = range;
      const last = network + sizeOf(range) - 1n;
      const textOf = (value: bigint) => addressText({ value, bits });
      const mask = ((1n << BigInt(bits)) - 1n) ^ (sizeOf(range) - 1n);
      const [first, end] = hasBroadcast(range) ? [network + 1n, last - 1n] : [network, bits === 32 ? network : last];
      return templateObject([
        ['network', textOf(network)],
        ['netmask', textOf(mask)],
        ...(bits === 32 ? ([['broadcast', textOf(last)]] as const) : []),
        ['firstUsable', textOf(first)],
        ['lastUsable', textOf(end)],
        ['cidr', prefix],
      ]);
    },
  },
};
