import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Release } from './source.ts';

/** Writes RELEASE-NOTES.md: the version's part of the changelog, and what was not run. */
export function writeNotes({ folder, version, commit }: Release): void {
  const notes = releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), version);
  const artefacts = readFileSync('docs/reference/artefacts.md', 'utf8');
  const standalone = /^## The standalone program\n(.*?)(?=^## )/ms.exec(artefacts)?.[1];
  if (standalone === undefined) throw new Error('docs/reference/artefacts.md has no part "The standalone program"');
  const text = [
    `# Azimuth ${version}`,
    `Commit ${commit}. The links are paths in its sources.`,
    notes,
    '## The standalone program',
    pathsFrom(dirname('docs/reference/artefacts.md'), standalone.trim()),
  ];
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), `${text.join('\n\n')}\n`);
}

/** The part of a changelog about a version, without its heading. @throws where it has none */
export function releaseNotes(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m);
  const part = parts.find((text) => text.startsWith(`${version} (`));
  if (part === undefined) throw new Error(`CHANGELOG.md has no part for ${version}`);
  return part.slice(part.indexOf('\n')).trim().replaceAll(/^### /gm, '## ');
}

/** The text with relative links as paths of the repository. */
function pathsFrom(directory: string, text: string): string {
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, path: string) => `](${posix.join(directory, path)})`);
}
