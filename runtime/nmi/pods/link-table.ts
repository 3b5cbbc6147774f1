import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';

/** The interface and neighbour by which the node reaches an address. */
export interface Link {
  /** Interface index. The kernel never reuses one: a new pod's veth has a new index, even under the same name. */
  readonly index: number;
  /** MAC of the neighbour, where known; distinguishes pods on one bridge. IPv4 only. */
  readonly mac: string | undefined;
  /** Name of the interface, which another one may get later. */
  readonly device?: string;
}

/** The routes and neighbours of the node at one moment. */
export interface LinkTable {
  /** The link of an address; undefined where the kernel's main table has no route to it except the default one. */
  of(address: string): Link | undefined;
}

interface Route {
  readonly network: bigint;
  readonly bits: number;
  readonly device: string;
}

/** Reads the kernel's routes from /proc and /sys. `root`: root directory, for tests. */
export function readLinkTable(root = '/'): LinkTable {
  const lines = (path: string) => tryRead(join(root, path)).split('\n');
  const lazily = <T>(make: () => T) => {
    let made: T | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const routes4 = lazily(() => lines('proc/net/route').flatMap(routeOfIpv4));
  const routes6 = lazily(() => lines('proc/net/ipv6_route').flatMap(routeOfIpv6));
  const indexes = new Map<string, number>();
  const indexOf = (device: string) => {
    const index = indexes.get(device) ?? interfaceIndex(device, root);
    indexes.set(device, index);
    return index;
  };
  const neighbours = lazily(() => lines('proc/net/arp').map((line) => line.split(/\s+/)));
  return {
    of(address) {
      const four = isIPv4(address);
      if (!four && !isIPv6(address)) return undefined;
      const [width, value, routes] = four ? [32, ipv4Value(address), routes4()] : [128, ipv6Value(address), routes6()];
      let best: Route | undefined;
      for (const route of routes) {
        const shift = BigInt(width - route.bits);
        if (value >> shift === route.network >> shift && route.bits > (best?.bits ?? 0)) best = route;
      }
      if (!best) return undefined;
      const { device } = best;
      const index = indexOf(device);
      if (!(index > 0)) return undefined;
      const complete = 2;
      const entry = four
        ? neighbours().find(([ip, , flags, , , on]) => ip === address && on === device && Number(flags) & complete)
        : undefined;
      return { index, mac: entry?.[3], device };
    },
  };
}

/** The present index of the interface of that name; 0 where there is none. `root`: root directory, for tests. */
export function interfaceIndex(device: string, root = '/'): number {
  return Number(tryRead(join(root, 'sys/class/net', device, 'ifindex')));
}

/** Whether both may belong to one pod: the same interface, and no two different known neighbours. */
export function sameLink(a: Link, b: Link): boolean {
  return a.index === b.index && (a.mac === undefined || b.mac === undefined || a.mac === b.mac);
}

/** `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, numbers in the byte order of the machine. */
function routeOfIpv4(line: string): Route[] {
  const [device = '', destination = '', , , , , , mask = ''] = line.split(/\s+/);
  if (!/^[0-9A-F]{8}$/.test(destination) || !/^[0-9A-F]{8}$/.test(mask)) return [];
  const bits = [...BigInt(`0x${mask}`).toString(2)].filter((bit) => bit === '1').length;
  return [{ network: BigInt(`0x${Buffer.from(destination, 'hex').reverse().toString('hex')}`), bits, device }];
}

/** `destination bits source bits next-hop metric references use flags device`, hexadecimal. */
function routeOfIpv6(line: string): Route[] {
  const [destination = '', bits = '', , , , , , , , device = ''] = line.trim().split(/\s+/);
  if (!/^[0-9a-f]{32}$/.test(destination) || device === '') return [];
  return [{ network: BigInt(`0x${destination}`), bits: Number.parseInt(bits, 16), device }];
}

function ipv4Value(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** The value of an address in the kernel's spelling: compressed, without zone. */
function ipv6Value(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
