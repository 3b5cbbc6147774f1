import { isIPv6 } from 'node:net';
import { AzimuthError } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { type CommandRunner, lockWaitSeconds } from './command.ts';
import { type Family, type OwnChain, ruleSet } from './rules.ts';
import { detectVariant, type Variant } from './variant.ts';

/** Addresses and ports of the redirection. */
export interface PlanOptions {
  readonly metadataIps: readonly string[];
  readonly metadataPort: number;
  readonly redirectIps: readonly string[];
  readonly port: number;
  readonly variant: Variant | 'auto';
  readonly log: Logger;
}

/** The redirection of one address family. */
export interface FamilyPlan {
  readonly family: Family;
  /** The program that changes the rules, such as `iptables-nft`. */
  readonly iptables: string;
  readonly redirectIp: string;
  readonly metadataIps: readonly string[];
  /** The rules while the daemon listens, and while it does not. */
  readonly chains: (open: boolean) => readonly OwnChain[];
}

/**
 * Plans the redirection of each address family that has a metadata address, with the matches that the kernel has.
 * Throws AZ_CONFIG_INVALID where a family has no redirect address, and AZ_REDIRECTION_FAILED without iptables.
 */
export async function planFamilies(options: PlanOptions, run: CommandRunner): Promise<FamilyPlan[]> {
  const { metadataIps, metadataPort, redirectIps, port, log } = options;
  const programs = metadataIps.some((ip) => isIPv6(ip)) ? ['iptables', 'ip6tables'] : ['iptables'];
  const variant = options.variant === 'auto' ? await detectVariant(run, programs) : options.variant;
  const plans: FamilyPlan[] = [];
  for (const family of ['ipv4', 'ipv6'] as const) {
    const ofFamily = (ip: string) => isIPv6(ip) === (family === 'ipv6');
    const targets = metadataIps.filter(ofFamily);
    if (targets.length === 0) continue;
    const redirectIp = redirectIps.find(ofFamily);
    if (!redirectIp) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `Expected --redirect-ip to have an address of the family of ${targets.join(', ')}`,
      );
    }
    const iptables = `${family === 'ipv4' ? 'iptables' : 'ip6tables'}-${variant}`;
    const reversePath = await hasMatch(run, iptables, 'raw', '-m rpfilter --invert');
    if (!reversePath) log.warn({ iptables }, 'no rpfilter match: source addresses are not tied to interfaces');
    const owner = await hasMatch(run, iptables, 'filter', '-m owner --socket-exists ! --uid-owner 0');
    if (!owner) log.warn({ iptables }, 'no owner match: another process may answer pods after the daemon is killed');
    const rules = { family, metadataIps: targets, metadataPort, redirectIp, port, reversePath, owner };
    const chains = (open: boolean) => ruleSet({ ...rules, open });
    plans.push({ family, iptables, redirectIp, metadataIps: targets, chains });
  }
  log.info({ variant, families: plans.map(({ family }) => family) }, 'redirection planned');
  return plans;
}

/** Whether the kernel accepts the match; tries it in a chain without a jump to it. */
async function hasMatch(
  run: CommandRunner,
  iptables: string,
  table: OwnChain['table'],
  match: string,
): Promise<boolean> {
  const chain = 'AZIMUTH-NMI-PROBE';
  const probe = `*${table}\n:${chain} - [0:0]\n-A ${chain} ${match} -j DROP\nCOMMIT\n`;
  const remove = `*${table}\n-F ${chain}\n-X ${chain}\nCOMMIT\n`;
  const { code } = await run(`${iptables}-restore`, ['--noflush', '-w', lockWaitSeconds], probe);
  if (code === 0) await run(`${iptables}-restore`, ['--noflush', '-w', lockWaitSeconds], remove);
  return code === 0;
}
