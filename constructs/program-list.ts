import type { PlatformProps } from './platform.ts';

/** What can be deployed, by the names that `AZIMUTH_PROGRAMS` has for it. */
export const programNames = ['operator', 'pod-identity'] as const;

/**
 * Reads a list of programs, separated by `;`, such as `operator;pod-identity`, into the props that deploy them with their
 * defaults.
 *
 * @throws where a name is not known, or none is given
 */
export function programsOf(list: string): Pick<PlatformProps, 'operator' | 'podIdentity'> {
  const names = list
    .split(';')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names.filter((name) => !programNames.some((known) => known === name));
  if (names.length === 0 || unknown.length > 0) {
    throw new Error(`Expected programs to be some of ${programNames.join(', ')}, separated by ;, got \`${list}\``);
  }
  return {
    operator: names.includes('operator') ? {} : false,
    podIdentity: names.includes('pod-identity') ? {} : false,
  };
}
