/**
 * The rules that redirect pods' metadata requests to the daemon, as data. ADR 0010 has the reasons.
 */

/** An address family, as conntrack names it. */
export type Family = 'ipv4' | 'ipv6';

/** Addresses, kernel features and state that decide the rules of one address family. */
export interface RuleOptions {
  readonly family: Family;
  readonly metadataIps: readonly string[];
  readonly metadataPort: number;
  readonly redirectIp: string;
  readonly port: number;
  /** Whether the kernel has the rpfilter match. */
  readonly reversePath: boolean;
  /** Whether the kernel has the owner match. */
  readonly owner: boolean;
  /** Whether the daemon itself listens on the redirect address. False: the rules refuse connections to it. */
  readonly open: boolean;
}

/** A chain of the daemon with its rules, and the system's chain that jumps to it. */
export interface OwnChain {
  readonly table: 'raw' | 'nat' | 'filter';
  readonly parent: 'PREROUTING' | 'INPUT' | 'FORWARD' | 'OUTPUT';
  readonly name: string;
  /** As `iptables -S` prints them, without the leading `-A <chain> `. */
  readonly rules: readonly string[];
}

/** Names of the daemon's chains. */
export const ownChains = {
  raw: 'AZIMUTH-NMI-SOURCE',
  nat: 'AZIMUTH-NMI',
  input: 'AZIMUTH-NMI-IN',
  output: 'AZIMUTH-NMI-OUT',
  forward: 'AZIMUTH-NMI-GUARD',
} as const;

/** The whole rule set of one address family, in the order of creation: guards first. */
export function ruleSet(options: RuleOptions): OwnChain[] {
  const { family, metadataIps, metadataPort, redirectIp, port, reversePath, owner, open } = options;
  const bits = family === 'ipv4' ? 32 : 128;
  const host = family === 'ipv4' ? redirectIp : `[${redirectIp}]`;
  const toMetadata = metadataIps.map((ip) => `-d ${ip}/${bits} -p tcp -m tcp --dport ${metadataPort}`);
  const toDaemon = `-d ${redirectIp}/${bits} -p tcp -m tcp --dport ${port}`;
  const reset = '-j REJECT --reject-with tcp-reset';
  const chains: OwnChain[] = [
    {
      // Should the redirection be missing, pods still cannot reach the machine's own endpoint through the node.
      table: 'filter',
      parent: 'FORWARD',
      name: ownChains.forward,
      rules: toMetadata.map((match) => `${match} -j REJECT --reject-with tcp-reset`),
    },
    {
      // The redirect address accepts redirected connections only, none of neighbours that route to it through this
      // node. While the daemon does not listen, another process may: then the address accepts no connection.
      table: 'filter',
      parent: 'INPUT',
      name: ownChains.input,
      rules: [open ? `${toDaemon} -m conntrack ! --ctstate DNAT ${reset}` : `${toDaemon} ${reset}`],
    },
  ];
  if (owner) {
    chains.push({
      // Drops the answers of a non-root process that took the port after the daemon was killed. The kernel still resets.
      table: 'filter',
      parent: 'OUTPUT',
      name: ownChains.output,
      rules: [
        `-s ${redirectIp}/${bits} -p tcp -m tcp --sport ${port} ! --tcp-flags RST RST -m owner --socket-exists ! --uid-owner 0 -j DROP`,
      ],
    });
  }
  if (reversePath) {
    chains.push({
      // A source address counts only on the interface that leads back to it.
      table: 'raw',
      parent: 'PREROUTING',
      name: ownChains.raw,
      rules: [...toMetadata, toDaemon].map((match) => `${match} -m rpfilter --invert -j DROP`),
    });
  }
  chains.push({
    table: 'nat',
    parent: 'PREROUTING',
    name: ownChains.nat,
    rules: toMetadata.map((match) => `${match} -j DNAT --to-destination ${host}:${port}`),
  });
  return chains;
}

/** The state of one chain and its jumps, as `iptables -S` prints it. */
export interface TableState {
  /** Rules of the chain without the prefix; undefined when the chain is missing. */
  readonly rules: readonly string[] | undefined;
  /** Places (from 0) of the jumps to it among the parent's rules. */
  readonly jumps: readonly number[];
}

/** Parses the output of `iptables -S` for one chain. */
export function readTable(chain: OwnChain, listing: string): TableState {
  const lines = listing.split('\n').map((line) => line.trim());
  const chainPrefix = `-A ${chain.name} `;
  const parents = lines.filter((line) => line.startsWith(`-A ${chain.parent} `));
  const exists = lines.includes(`-N ${chain.name}`);
  return {
    rules: exists
      ? lines.filter((line) => line.startsWith(chainPrefix)).map((line) => line.slice(chainPrefix.length))
      : undefined,
    jumps: parents.flatMap((line, index) => (line === jump(chain) ? [index] : [])),
  };
}

/** Whether the chain has exactly its rules, and its jump is the parent's first rule. */
export function inPlace(chain: OwnChain, state: TableState): boolean {
  const { rules, jumps } = state;
  const same = rules?.length === chain.rules.length && rules.every((rule, index) => rule === chain.rules[index]);
  return same && jumps.length === 1 && jumps[0] === 0;
}

/**
 * Input of `iptables-restore --noflush` that repairs one table atomically: naming the chain empties it, and the jump
 * becomes the parent's first rule.
 */
export function repairScript(chain: OwnChain, state: TableState): string {
  const lines = [`*${chain.table}`, `:${chain.name} - [0:0]`, ...chain.rules.map((rule) => `-A ${chain.name} ${rule}`)];
  if (!(state.jumps.length === 1 && state.jumps[0] === 0)) {
    for (const _ of state.jumps) lines.push(`-D ${chain.parent} -j ${chain.name}`);
    lines.push(`-I ${chain.parent} 1 -j ${chain.name}`);
  }
  return `${[...lines, 'COMMIT'].join('\n')}\n`;
}

function jump(chain: OwnChain): string {
  return `-A ${chain.parent} -j ${chain.name}`;
}

/** Removes a chain and every jump to it; undefined when nothing of it is there. */
export function removalScript(chain: OwnChain, state: TableState): string | undefined {
  if (state.rules === undefined) return undefined;
  const jumps = state.jumps.map(() => `-D ${chain.parent} -j ${chain.name}`);
  return `${[`*${chain.table}`, ...jumps, `-F ${chain.name}`, `-X ${chain.name}`, 'COMMIT'].join('\n')}\n`;
}
