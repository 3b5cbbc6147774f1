import { readFileSync } from 'node:fs';
import { addKindsNamedIn } from '../runtime/api/named-kinds.ts';
import { manifestFiles } from './version-choice.ts';

/**
 * Reads `AZIMUTH_KINDS`: globs over `group/Kind`, or `used:<file or folder>` for the kinds of Azure resources that the
 * manifests there name: those of the objects, of their references, and of the owners that they name.
 *
 * @throws where the file does not exist, is no YAML, or names no kind of Azure resources
 */
export function kindsOf(word: string): string {
  const path = /^used:(.+)$/.exec(word)?.[1];
  if (path === undefined) return word;
  const found = new Set<string>();
  for (const file of manifestFiles(path, 'AZIMUTH_KINDS')) {
    const text = readFileSync(file, 'utf8');
    try {
      addKindsNamedIn(text, found);
    } catch (error) {
      throw new Error(`Expected ${file} to be YAML: ${(error as Error).message}`);
    }
  }
  if (found.size > 0) return [...found].sort().join(';');
  throw new Error(`Expected AZIMUTH_KINDS to name manifests with kinds of docs/reference/kinds.md, got \`${word}\``);
}
