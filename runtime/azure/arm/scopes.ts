import { normalizeText } from '../../base/text/normalize.ts';
import { tryNormalizePath } from './resource-ids.ts';

/** Objects of the namespace, `*` for any, may reach the resource with this ARM id and its children; '' is everything. */
export interface ScopeRule {
  readonly namespace: string;
  /** Lower case, without a slash at its end. */
  readonly scope: string;
}

/** The rules of a text such as `team-a=/subscriptions/…;*=/…`; undefined for a text of another form. */
export function tryParseScopeRules(text: string): ScopeRule[] | undefined {
  const rules: ScopeRule[] = [];
  const parts = text.split(';').map(normalizeText);
  for (const part of parts.filter(Boolean)) {
    const [namespace = '', ...rest] = part.split('=').map(normalizeText);
    const path = rest.join('=');
    const scope = path.startsWith('/') ? tryPath(path) : undefined;
    if (!/^([a-z0-9.-]+|\*)$/.test(namespace) || scope === undefined) return undefined;
    rules.push({ namespace, scope });
  }
  return rules;
}

/** Whether a rule lets the namespace reach this ARM id. No rule allows nothing. */
export function scopesAllow(rules: readonly ScopeRule[], namespace: string, armId: string): boolean {
  const own = rules.filter((rule) => rule.namespace === '*' || rule.namespace === namespace);
  return own.some(({ scope }) => isWithinScope(armId, scope));
}

/** Whether an id lies at or under a scope (lower case, no slash at its end). False for an id that cannot be parsed. */
export function isWithinScope(id: string, scope: string): boolean {
  const path = tryPath(id);
  return path !== undefined && (path === scope || path.startsWith(`${scope}/`));
}

/** Refuses spaces: a text with one may hold a second id after the first. */
function tryPath(id: string): string | undefined {
  return id.includes(' ') ? undefined : tryNormalizePath(id);
}
