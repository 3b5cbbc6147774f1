import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DescriptionChoice, VersionChoice } from '../runtime/api/crd.ts';
import { hasFieldTexts } from '../runtime/api/schema/field-texts.ts';

/** The forms of `AZIMUTH_VERSIONS`, which selects the served versions of the kinds. */
export const versionChoices = ['all', 'newest', 'used:<file or folder>'] as const;

/**
 * Reads such a value. `used:` names a YAML file, or a folder with YAML files at any depth: the API server then serves
 * the newest versions, and those that these manifests name.
 *
 * @throws for another value, or where the file does not exist
 */
export function versionsOf(word: string): VersionChoice {
  if (word === 'all' || word === 'newest') return word;
  const path = /^used:(.+)$/.exec(word)?.[1];
  if (path !== undefined) return namedIn(path);
  throw new Error(`Expected AZIMUTH_VERSIONS to be one of ${versionChoices.join(', ')}, got \`${word}\``);
}

/**
 * Reads `AZIMUTH_DESCRIPTIONS`: which versions of the kinds say what their fields mean, or `none`.
 *
 * @param kinds The value of `AZIMUTH_KINDS`. Where it is `used:...`, the built package describes the newest by default:
 * few kinds cost an API server little.
 * @throws for another value
 */
export function descriptionsOf(word: string | undefined, kinds = ''): DescriptionChoice | false {
  if (word === 'newest' || word === 'all') return word;
  if (word === 'none') return false;
  if (!word) return kinds.startsWith('used:') && hasFieldTexts() ? 'newest' : false;
  throw new Error(`Expected AZIMUTH_DESCRIPTIONS to be one of newest, all, none, got \`${word}\``);
}

/** The YAML files of a folder at any depth, or the one file. Throws, naming the variable, where there is none. */
export function manifestFiles(path: string, variable: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`Expected ${variable} to name a file or folder that exists, got \`${path}\``);
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(path, name));
}

/** Every `group/version` in a line like `apiVersion: storage.azure.com/v1api20230101`, each once. */
function namedIn(path: string): string[] {
  const named = manifestFiles(path, 'AZIMUTH_VERSIONS').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/^[\s-]*apiVersion:\s*["']?([a-z0-9.-]+\/[a-z0-9]+)["']?\s*(?:#.*)?$/gm),
    ].map(([, version = '']) => version),
  );
  return [...new Set(named)].sort();
}
