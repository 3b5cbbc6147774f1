import type { NamespaceScopes } from './private/scope-list.ts';

/** Values separated by `;`, without blanks around them. */
export const listOf = (text = ''): string[] =>
  text
    .split(';')
    .map((name) => name.trim())
    .filter(Boolean);

/**
 * Reads a boolean variable as the programs do. `fallback`: where it is not set. @default false
 *
 * @throws for another value, naming the variable
 */
export function booleanOf(name: string, env: Readonly<Record<string, string | undefined>>, fallback = false): boolean {
  const value = env[name]?.trim() ?? '';
  if (value === '') return fallback;
  if (/^(true|t|1)$/i.test(value)) return true;
  if (/^(false|f|0)$/i.test(value)) return false;
  throw new Error(`Expected ${name} to be true or false, got \`${value}\``);
}

/**
 * Reads a list of service accounts, such as `monitoring/prometheus`, separated by `;`.
 *
 * @throws for another form, naming the variable
 */
export function accountsOf(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): { namespace: string; name: string }[] {
  return listOf(env[name]).map((entry) => {
    const [namespace = '', account = '', ...rest] = entry.split('/');
    if (namespace !== '' && account !== '' && rest.length === 0) return { namespace, name: account };
    throw new Error(`Expected ${name} to be namespace/name of service accounts separated by ;, got \`${entry}\``);
  });
}

/**
 * Reads a variable such as `team-a=/subscriptions/...;*=/...`; undefined where it is not set.
 *
 * @throws for another form, naming the variable
 */
export function scopesOf(name: string, env: Readonly<Record<string, string | undefined>>): NamespaceScopes | undefined {
  const rules = listOf(env[name]);
  if (rules.length === 0) return undefined;
  const scopes: Record<string, string[]> = {};
  for (const rule of rules) {
    const at = rule.indexOf('=');
    const [namespace, id] = [rule.slice(0, Math.max(at, 0)).trim(), rule.slice(at + 1).trim()];
    if (namespace === '' || !id.startsWith('/')) {
      throw new Error(`Expected ${name} to be namespace=/subscriptions/... or *=/... separated by ;, got \`${rule}\``);
    }
    scopes[namespace] = [...(scopes[namespace] ?? []), id];
  }
  return scopes;
}
