import { normalizeResourceId } from './resource-ids.ts';

/** Objects of the namespace, `*` for any, may reach what has this ARM id and what lies under it; '' is everything. */
export interface ScopeRule {
  readonly namespace: string;
  /** Lower case, without a slash at its end. */
  readonly scope: string;
}

/** The rules of a text such as `team-a=/subscriptions/…;*=/…`; undefined for a text of another form. */
export function tryParseScopeRules(text: string): ScopeRule[] | undefined {
  const rules: ScopeRule[] = [];
  for (const part of text
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [, namespace, scope] = /^([a-z0-9.-]+|\*)\s*=\s*(\/.*)$/.exec(part) ?? [];
    if (namespace === undefined || scope === undefined || !isPlainId(scope)) return undefined;
    rules.push({ namespace, scope: normalizeResourceId(scope) });
  }
  return rules;
}

/** Whether a rule lets the namespace reach this ARM id. No rule allows nothing. */
export function scopesAllow(rules: readonly ScopeRule[], namespace: string, armId: string): boolean {
  const own = rules.filter((rule) => rule.namespace === '*' || rule.namespace === namespace);
  return own.some(({ scope }) => isWithinScope(armId, scope));
}

/** `scope` in lower case, without a slash at its end. */
export function isWithinScope(id: string, scope: string): boolean {
  const lower = normalizeResourceId(id);
  return isPlainId(id) && (lower === scope || lower.startsWith(`${scope}/`));
}

/** Whether nothing in it has another meaning in a URL. */
function isPlainId(id: string): boolean {
  return !/[%?#\\\s\p{Cc}]|\/\/|\/\.{1,2}(\/|$)/u.test(id);
}
