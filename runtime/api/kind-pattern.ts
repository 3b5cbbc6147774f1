import { expected } from '../base/errors.ts';
import type { KindDefinition } from './types.ts';

/** The pattern that takes every kind. */
export const everyKind = '*';

/** A glob as a regular expression: `*` for any characters, `?` for one; case does not matter. */
function matcher(glob: string): RegExp {
  const pattern = glob
    .replaceAll(/[\\^$+.()|[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 'i');
}

/**
 * The kinds that a pattern selects, in the order of the table: globs over `group/Kind`, separated by `;`, as in ASO v2's
 * crd-pattern. `resources.azure.com/*;storage.azure.com/StorageAccount` is all of one group and one kind of another.
 *
 * @param setting name of the setting that has the pattern, for messages
 * @throws AzimuthError AZ_CONFIG_INVALID for a glob that selects nothing, which is a typing error
 */
export function selectKinds<Kind extends Pick<KindDefinition, 'group' | 'kind'>>(
  pattern: string,
  kinds: readonly Kind[],
  setting = 'kinds (AZIMUTH_KINDS)',
): Kind[] {
  const globs = pattern
    .split(';')
    .map((glob) => glob.trim())
    .filter(Boolean);
  const wanted =
    'globs over group/Kind, separated by semicolons, that each select a kind of docs/reference/kinds.md, such as resources.azure.com/*;storage.azure.com/StorageAccount';
  if (globs.length === 0) throw expected(setting, wanted, pattern);
  const chosen = new Set<Kind>();
  for (const glob of globs) {
    const fits = matcher(glob);
    const fitting = kinds.filter(({ group, kind }) => fits.test(`${group}/${kind}`));
    if (fitting.length === 0) throw expected(setting, wanted, glob);
    for (const kind of fitting) chosen.add(kind);
  }
  return kinds.filter((kind) => chosen.has(kind));
}
