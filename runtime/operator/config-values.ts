import { vaultPattern } from '../api/common-schemas.ts';
import { selectKinds } from '../api/kind-pattern.ts';
import { operatorKinds } from '../api/kinds.ts';
import { type ScopeRule, tryParseScopeRules } from '../azure/arm/scopes.ts';
import { expected } from '../base/errors.ts';
import { list, named, type Setting, type Text } from '../base/settings.ts';
import { type RegistryRule, tryParseRegistryRule } from './deployments/sources/registry-rules.ts';
import { type TargetRule, tryParseTargetRule } from './deployments/targets/allowed-targets.ts';

/** The name or https URL of a Key Vault; undefined when empty. Throws AZ_CONFIG_INVALID for another text. */
export function vault(setting: Setting, text: Text): string | undefined {
  const value = text(setting);
  if (value === '') return undefined;
  if (new RegExp(vaultPattern).test(value)) return value;
  throw expected(named(setting), 'the name of a Key Vault or its https URL', value);
}

/** The rules of `namespace=ARM id` pairs. Throws AZ_CONFIG_INVALID for another text. */
export function scopeRules(setting: Setting, text: Text): ScopeRule[] {
  const rules = tryParseScopeRules(text(setting));
  if (rules) return rules;
  throw expected(named(setting), 'namespace=/subscriptions/... or *=/... separated by semicolons', text(setting));
}

/** Origins, separated by commas. Throws AZ_CONFIG_INVALID for another text. */
export function targetRules(setting: Setting, text: Text): TargetRule[] {
  return list(setting, text).map((each) => {
    const rule = tryParseTargetRule(each);
    if (rule) return rule;
    throw expected(named(setting), 'origins such as https://host:port or https://*.example.org', each);
  });
}

/** Registries with their other hosts, separated by commas. Throws AZ_CONFIG_INVALID for another text. */
export function registryRules(setting: Setting, text: Text): RegistryRule[] {
  return list(setting, text).map((each) => {
    const rule = tryParseRegistryRule(each);
    if (rule) return rule;
    const form = 'registries such as registry.example.org:5000, *.example.org or registry=host+host';
    throw expected(named(setting), form, each);
  });
}

/** A pattern that selects at least one kind of the operator. Throws AZ_CONFIG_INVALID for another text. */
export function kindPattern(setting: Setting, text: Text): string {
  const pattern = text(setting);
  if (pattern !== '') selectKinds(pattern, operatorKinds, named(setting));
  return pattern;
}
