import { AzimuthError } from '../../base/errors.ts';
import type { RunCommand } from './command.ts';

export type Variant = 'nft' | 'legacy';

/** Chains that kubelet makes in the mangle table, in the variant that the node uses. */
const kubeletChains = /^:KUBE-(IPTABLES-HINT|KUBELET-CANARY) /m;

/**
 * Which of the two rule systems of the kernel the node uses: the one where kubelet left its mark, else the one with more
 * rules, else nft. Rules in the other one would work, but after or before those of everybody else. `programs` are those
 * that are needed: iptables, ip6tables or both.
 */
export async function detectVariant(run: RunCommand, programs: readonly string[]): Promise<Variant> {
  const found: { readonly variant: Variant; readonly marked: boolean; readonly rules: number }[] = [];
  for (const variant of ['nft', 'legacy'] as const) {
    const saved = await Promise.all(programs.map((name) => run(`${name}-${variant}-save`, [])));
    if (saved.some(({ code }) => code === 127)) continue;
    const text = saved.map(({ stdout }) => stdout).join('\n');
    found.push({ variant, marked: kubeletChains.test(text), rules: text.match(/^-A /gm)?.length ?? 0 });
  }
  const [best] = found.sort((a, b) => Number(b.marked) - Number(a.marked) || b.rules - a.rules);
  if (best) return best.variant;
  throw new AzimuthError(
    'AZ_REDIRECTION_FAILED',
    `Neither the nft nor the legacy variant of ${programs.join(' and ')} is installed; pods would reach the identities of the machine itself`,
  );
}
