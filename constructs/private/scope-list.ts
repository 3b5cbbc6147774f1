/** ARM ids by namespace, `*` for any namespace: each id with all that lies under it; `/` is everything. */
export type NamespaceScopes = Readonly<Record<string, readonly string[]>>;

const namespacePattern = /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?|\*)$/;
/** A path with a single reading as a URL; the programs accept no others. */
const scopePattern = /^\/$|^(\/[^/;=%?#\\\s]+)+$/;

/** The text that the flags of the programs take, such as `team-a=/subscriptions/...;*=/...`. */
export function scopeText(scopes: NamespaceScopes): string {
  return Object.entries(scopes)
    .flatMap(([namespace, ids]) => ids.map((id) => `${namespace}=${id}`))
    .join(';');
}

/** The flag with its scopes; none where the prop is not set. */
export function scopeArguments(flag: string, scopes: NamespaceScopes | undefined): string[] {
  return scopes === undefined ? [] : [`--${flag}=${scopeText(scopes)}`];
}

/** The problems of the value of a property. */
export function scopeProblems(prop: string, scopes: NamespaceScopes = {}): string[] {
  return Object.entries(scopes).flatMap(([namespace, ids]) => [
    ...(namespacePattern.test(namespace)
      ? []
      : [`Expected \`${prop}\` to have names of namespaces or * as its keys, got \`${namespace}\``]),
    ...ids
      .filter((id) => !scopePattern.test(id))
      .map(
        (id) => `Expected \`${prop}\` to have ARM ids such as \`/subscriptions/<id>\` for ${namespace}, got \`${id}\``,
      ),
  ]);
}
