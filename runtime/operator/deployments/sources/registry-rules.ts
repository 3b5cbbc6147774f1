import { isAllowedTarget, type TargetRule, tryParseTargetRule } from '../targets/allowed-targets.ts';

/** A registry that deployments may name, by HTTPS. */
export interface RegistryRule extends TargetRule {
  /** Where it may send the operator for a token or a file, beside its own host. */
  readonly others: readonly TargetRule[];
}

/** The rule of `registry` or `registry=host+host`, such as registry-1.docker.io=auth.docker.io; undefined for another text. */
export function tryParseRegistryRule(text: string): RegistryRule | undefined {
  const [registry = '', hosts, ...rest] = text.split('=');
  const rule = tryParseHost(registry);
  const others = hosts?.split('+').map(tryParseHost) ?? [];
  const isRule = rule && rest.length === 0 && others.every((each) => each !== undefined);
  return isRule ? { ...rule, others: others as TargetRule[] } : undefined;
}

/** The other hosts of every rule that allows the registry. */
export function otherHosts(registry: URL, rules: readonly RegistryRule[]): readonly TargetRule[] {
  return rules.flatMap((rule) => (isAllowedTarget(registry, [rule]) ? rule.others : []));
}

function tryParseHost(text: string): TargetRule | undefined {
  return /^[\w.*:[\]-]+$/.test(text) ? tryParseTargetRule(`https://${text}`) : undefined;
}
