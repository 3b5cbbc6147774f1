import { AzimuthError } from '../../base/errors.ts';
import { nodeImageHint } from '../../base/process/node-image.ts';
import type { CommandRunner } from './command.ts';

/** The rule system of the kernel that a build of iptables uses. */
export type Variant = 'nft' | 'legacy';

/** Chains that kubelet makes in the mangle table, in the variant that the node uses. */
const kubeletChains = /^:KUBE-(IPTABLES-HINT|KUBELET-CANARY) /m;

/**
 * Detects the rule system that the node uses: the one with kubelet's chains, else the one with more rules, else nft.
 * Rules in the other one would run before or after all others. `programs`: iptables, ip6tables or both. Throws
 * AZ_REDIRECTION_FAILED where neither variant is installed.
 */
export async function detectVariant(run: CommandRunner, programs: readonly string[]): Promise<Variant> {
  const candidates: { readonly variant: Variant; readonly marked: boolean; readonly rules: number }[] = [];
  for (const variant of ['nft', 'legacy'] as const) {
    const saved = await Promise.all(programs.map((name) => run(`${name}-${variant}-save`, [])));
    if (saved.some(({ code }) => code === 127)) continue;
    const text = saved.map(({ stdout }) => stdout).join('\n');
    candidates.push({ variant, marked: kubeletChains.test(text), rules: text.match(/^-A /gm)?.length ?? 0 });
  }
  const [best] = candidates.sort((a, b) => Number(b.marked) - Number(a.marked) || b.rules - a.rules);
  if (best) return best.variant;
  throw new AzimuthError(
    'AZ_REDIRECTION_FAILED',
    `Neither the nft nor the legacy variant of ${programs.join(' and ')} is installed; pods would reach the identities of the machine itself. ${nodeImageHint}`,
  );
}
