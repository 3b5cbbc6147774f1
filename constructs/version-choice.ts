import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionChoice } from '../runtime/api/crd.ts';

/** Which versions of the kinds can be served, by the words that `AZIMUTH_VERSIONS` has for them. */
export const versionChoices = ['all', 'newest', 'used:<file or folder>'] as const;

/**
 * Reads such a word. `used:` names a YAML file, or a folder with YAML files at any depth: the newest versions are served and
 * those that the manifests there name.
 *
 * @throws where it is another one, or there is no such file
 */
export function versionsOf(word: string): VersionChoice {
  if (word === 'all' || word === 'newest') return word;
  const path = /^used:(.+)$/.exec(word)?.[1];
  if (path !== undefined) return namedIn(path);
  throw new Error(`Expected AZIMUTH_VERSIONS to be one of ${versionChoices.join(', ')}, got \`${word}\``);
}

/** Every `group/version` in a line like `apiVersion: storage.azure.com/v1api20230101`, each once. */
function namedIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`Expected AZIMUTH_VERSIONS to name a file or folder that exists, got \`${path}\``);
  const files = found.isDirectory()
    ? globSync('**/*.{yaml,yml}', { cwd: path }).map((name) => join(path, name))
    : [path];
  const named = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/^[\s-]*apiVersion:\s*["']?([a-z0-9.-]+\/[a-z0-9]+)["']?\s*(?:#.*)?$/gm),
    ].map(([, version = '']) => version),
  );
  return [...new Set(named)].sort();
}
