import type { CrdsProps } from './crds.ts';

/** Which versions of the kinds can be served, by the words that `AZIMUTH_VERSIONS` has for them. */
export const versionChoices = ['all', 'newest'] as const satisfies readonly CrdsProps['versions'][];

/**
 * Reads such a word.
 *
 * @throws where it is another one
 */
export function versionsOf(word: string): (typeof versionChoices)[number] {
  const found = versionChoices.find((choice) => choice === word);
  if (!found) throw new Error(`Expected AZIMUTH_VERSIONS to be one of ${versionChoices.join(', ')}, got \`${word}\``);
  return found;
}
