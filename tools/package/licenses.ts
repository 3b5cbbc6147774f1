/** The licences of the packages whose code is in a bundle, as their terms ask. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The folders of the packages whose code is in a bundle. */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): readonly string[] {
  const folders = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return [...new Set(folders)];
}

/**
 * Name, version, licence and its text of the packages in these folders, by name.
 *
 * @throws Error for a package without a licence
 */
export function licenceNotices(folders: readonly string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const texts = globSync('{licen[sc]e,LICEN[SC]E,NOTICE}*', { cwd: folder })
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (!license && texts.length === 0) throw new Error(`${name} ${version} has no licence: it may not be bundled`);
    return [`${name} ${version}${license ? `, ${license}` : ''}`, ...texts].join('\n\n');
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `The files of this folder contain code or descriptions of these packages.${line}${notices.sort().join(line)}\n`;
}
