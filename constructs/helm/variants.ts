/** The objects that one choice of features gives: their text by an id. */
export interface Variant {
  readonly on: ReadonlySet<string>;
  readonly objects: ReadonlyMap<string, string>;
}

/**
 * One template text for all variants: an object that every variant has alike is written once, any other below the
 * conditions on which it depends.
 *
 * @param conditions expression of Helm by feature; every combination of these features needs a variant
 */
export function mergeVariants(variants: readonly Variant[], conditions: Readonly<Record<string, string>>): string {
  const ids = [...new Set(variants.flatMap(({ objects }) => [...objects.keys()]))];
  return ids.map((id) => branch(id, variants, Object.entries(conditions))).join('');
}

function branch(
  id: string,
  variants: readonly Variant[],
  [first, ...rest]: readonly (readonly [feature: string, condition: string])[],
): string {
  const texts = new Set(variants.map(({ objects }) => objects.get(id) ?? ''));
  if (texts.size <= 1 || !first) return [...texts][0] ?? '';
  const [feature, condition] = first;
  const part = (isOn: boolean) =>
    branch(
      id,
      variants.filter(({ on }) => on.has(feature) === isOn),
      rest,
    );
  const [yes, no] = [part(true), part(false)];
  if (yes === no) return yes;
  if (no === '') return `{{- if ${condition} }}\n${yes}{{- end }}\n`;
  if (yes === '') return `{{- if not (${condition}) }}\n${no}{{- end }}\n`;
  return `{{- if ${condition} }}\n${yes}{{- else }}\n${no}{{- end }}\n`;
}

/** Every subset of the features. */
export function subsets(features: readonly string[]): ReadonlySet<string>[] {
  return Array.from(
    { length: 2 ** features.length },
    (_, bits) => new Set(features.filter((_, index) => bits & (1 << index))),
  );
}
