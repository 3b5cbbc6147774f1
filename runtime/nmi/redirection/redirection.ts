import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { type CommandRunner, lockWaitSeconds, must, runCommand } from './command.ts';
import { ensureLoopbackAddress, removeLoopbackAddress } from './loopback-address.ts';
import { type FamilyPlan, type PlanOptions, planFamilies } from './plan.ts';
import { type Family, inPlace, type OwnChain, readTable, removalScript, repairScript, ruleSet } from './rules.ts';

/** Addresses of the redirection, and how it runs programs. */
export interface RedirectionOptions extends PlanOptions {
  /** End connections that are older than the rules. */
  readonly conntrack: boolean;
  readonly onRepair?: (family: Family) => void;
  /** @default programs of the system */
  readonly run?: CommandRunner;
  /** Whether IPv6 is on. @default reads the node's kernel setting */
  readonly ipv6?: () => boolean;
}

/**
 * Redirects pods' connections to the metadata endpoint to the daemon, and repairs the rules. The rules stay when the
 * daemon ends: they refuse pods then, so that no pod reaches the machine's own endpoint.
 */
export class Redirection {
  readonly #options: RedirectionOptions;
  readonly #run: CommandRunner;
  readonly #ipv6: () => boolean;
  #ipv6WasOff = false;
  #open = false;
  /** Whether the rules in place admit pods; undefined before the first `ensure`. */
  #ensured: boolean | undefined;
  #plans: readonly FamilyPlan[] | undefined;
  #problem: string | undefined = 'the rules are not in place yet';

  constructor(options: RedirectionOptions) {
    this.#options = options;
    this.#run = options.run ?? runCommand;
    this.#ipv6 = options.ipv6 ?? ipv6IsOn;
  }

  /** Redirect addresses to listen on; empty before `ensure` has added them. */
  get addresses(): string[] {
    const served = this.#plans?.filter(({ family }) => family === 'ipv4' || !this.#ipv6WasOff) ?? [];
    return served.map(({ redirectIp }) => redirectIp);
  }

  /** Readiness: why pods may not be redirected; undefined when they are. */
  notReady(): string | undefined {
    return this.#problem ?? (this.#open ? undefined : 'the daemon does not listen on the redirect address');
  }

  /**
   * Admits or refuses pods from the next `ensure` on. Open only while the daemon itself listens on the redirect
   * addresses: another process with the port must not answer pods.
   */
  admit(open: boolean): void {
    this.#open = open;
  }

  /** Adds missing rules and addresses and repairs changed ones. Throws AZ_REDIRECTION_FAILED. */
  async ensure(): Promise<void> {
    try {
      const first = this.#ensured !== this.#open;
      this.#plans ??= await planFamilies(this.#options, this.#run);
      // One family after the other, so that an error of the second leaves the first in place.
      for (const plan of this.#plans) {
        if (plan.family === 'ipv6' && this.#isOff()) {
          // IPv6 packets may still arrive. A kernel without IPv6 has no tables, and forwards none.
          await this.#ensureRules(plan, first).catch(() => undefined);
          continue;
        }
        await ensureLoopbackAddress(this.#run, plan.redirectIp);
        await this.#ensureRules(plan, first);
      }
      this.#ensured = this.#open;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = messageOf(error);
      throw error;
    }
  }

  #isOff(): boolean {
    const off = !this.#ipv6();
    const message = 'IPv6 is off on this node: the daemon does not serve its IPv6 metadata addresses';
    if (off && !this.#ipv6WasOff) this.#options.log.warn({}, message);
    this.#ipv6WasOff = off;
    return off;
  }

  async #ensureRules(plan: FamilyPlan, first: boolean): Promise<void> {
    const { log, onRepair } = this.#options;
    let redirectedNow = false;
    let repaired = false;
    for (const chain of plan.chains(this.#open)) {
      const state = await this.#read(plan.iptables, chain);
      if (inPlace(chain, state)) continue;
      await must(
        this.#run,
        `${plan.iptables}-restore`,
        ['--noflush', '-w', lockWaitSeconds],
        repairScript(chain, state),
      );
      repaired = true;
      redirectedNow ||= chain.table === 'nat';
      const difference = state.rules === undefined ? 'missing' : 'changed';
      log[first ? 'info' : 'warn'](
        { family: plan.family, table: chain.table, chain: chain.name, found: difference },
        'rules repaired',
      );
    }
    if (repaired && !first) onRepair?.(plan.family);
    if (redirectedNow && this.#options.conntrack) await this.#endOlderConnections(plan);
  }

  /** NAT applies to a connection's first packet only: older connections would bypass the daemon. */
  async #endOlderConnections(plan: FamilyPlan): Promise<void> {
    for (const ip of plan.metadataIps) {
      const port = String(this.#options.metadataPort);
      const args = ['-D', '-f', plan.family, '-p', 'tcp', '--orig-dst', ip, '--orig-port-dst', port];
      const { code, stderr } = await this.#run('conntrack', args);
      // conntrack exits with code 1 and "0 flow entries" when there was nothing to delete.
      if (code === 0 || /\b0 flow entries/.test(stderr)) continue;
      this.#options.log.warn(
        { family: plan.family, error: stderr.trim() },
        'conntrack could not end older connections',
      );
    }
  }

  async #read(iptables: string, chain: OwnChain) {
    return readTable(chain, await must(this.#run, iptables, ['-w', lockWaitSeconds, '-t', chain.table, '-S']));
  }

  /**
   * Removes the rules, chains and addresses of this daemon in both variants. Pods then reach the machine's own
   * endpoint.
   */
  async remove(): Promise<void> {
    const { log, redirectIps } = this.#options;
    const blank = {
      metadataIps: [],
      metadataPort: 0,
      redirectIp: '',
      port: 0,
      reversePath: true,
      owner: true,
      open: false,
    };
    for (const iptables of ['iptables-nft', 'ip6tables-nft', 'iptables-legacy', 'ip6tables-legacy']) {
      // `-save`, unlike `-S`, does not load tables that are not in use.
      const saved = await this.#run(`${iptables}-save`, []);
      const family = iptables.startsWith('ip6') ? 'ipv6' : 'ipv4';
      for (const chain of ruleSet({ ...blank, family }).toReversed()) {
        if (saved.code !== 0 || !saved.stdout.includes(`:${chain.name} `)) continue;
        const script = removalScript(chain, await this.#read(iptables, chain));
        if (script === undefined) continue;
        await must(this.#run, `${iptables}-restore`, ['--noflush', '-w', lockWaitSeconds], script);
        log.info({ iptables, table: chain.table, chain: chain.name }, 'rules removed');
      }
    }
    for (const ip of redirectIps) {
      const address = await removeLoopbackAddress(this.#run, ip);
      if (address !== undefined) log.info({ address }, 'address removed');
    }
    this.#plans = undefined;
    this.#ensured = undefined;
    this.#problem = 'the rules were removed';
  }
}

function ipv6IsOn(): boolean {
  try {
    return readFileSync('/proc/sys/net/ipv6/conf/lo/disable_ipv6', 'utf8').trim() === '0';
  } catch {
    return false;
  }
}
