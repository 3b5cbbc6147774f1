import { tryNormalizePath } from './resource-ids.ts';

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
    const [, namespace, text] = /^([a-z0-9.-]+|\*)\s*=\s*(\/.*)$/.exec(part) ?? [];
    const scope = text === undefined ? undefined : tryPath(text);
    if (namespace === undefined || scope === undefined) return undefined;
    rules.push({ namespace, scope });
  }
  return rules;
}

/** Whether a rule lets the namespace reach this ARM id. No rule allows nothing. */
export function scopesAllow(rules: readonly ScopeRule[], namespace: string, armId: string): boolean {
  const own = rules.filter((rule) => rule.namespace === '*' || rule.namespace === namespace);
  return own.some(({ scope }) => isWithinScope(armId, scope));
}

/** Whether an id lies at or under a scope, which is in lower case and without a slash at its end. What is not understood does not. */
export function isWithinScope(id: string, scope: string): boolean {
  const path = tryPath(id);
  return path !== undefined && (path === scope || path.startsWith(`${scope}/`));
}

/** A space may end an id that stands in a longer text, and another one may follow. */
function tryPath(id: string): string | undefined {
  return id.includes(' ') ? undefined : tryNormalizePath(id);
}
