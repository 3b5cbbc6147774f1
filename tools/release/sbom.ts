import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from './checksums.ts';
import { cleanEnvironment, type Release } from './source.ts';

interface CycloneDx {
  readonly metadata: { readonly component: { readonly version: string } };
}

interface Spdx {
  readonly name: string;
  readonly creationInfo: object;
}

/**
 * Writes azimuth-VERSION.cdx.json (CycloneDX) and azimuth-VERSION.spdx.json: every package of package-lock.json, as
 * `npm sbom` lists them. npm writes a new id, the present time and the name of the folder; these follow the commit here.
 */
export function writeSboms(release: Release): void {
  const { folder, version } = release;
  const write = (name: string, document: object) =>
    writeFileSync(join(folder, `azimuth-${version}.${name}.json`), `${JSON.stringify(document, undefined, 2)}\n`);
  write('cdx', ofCommit(listed<CycloneDx>('cyclonedx'), release));
  write('spdx', spdxOfCommit(listed<Spdx>('spdx'), release));
}

function listed<T>(format: string): T {
  const args = ['sbom', '--package-lock-only', `--sbom-format=${format}`];
  const text = execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26, env: cleanEnvironment() });
  return JSON.parse(text) as T;
}

/** The document with the id and the time of the commit. */
export function ofCommit(document: CycloneDx, { commit, time }: Pick<Release, 'commit' | 'time'>): CycloneDx {
  const { metadata } = document;
  return {
    ...document,
    serialNumber: `urn:uuid:${uuid(commit)}`,
    metadata: { ...metadata, timestamp: iso(time), component: { ...metadata.component, name: 'azimuth' } },
  } as CycloneDx;
}

/** The document with the namespace and the time of the commit. */
export function spdxOfCommit(document: Spdx, { commit, time }: Pick<Release, 'commit' | 'time'>): Spdx {
  return {
    ...document,
    documentNamespace: `http://spdx.org/spdxdocs/${document.name.replace('@', '-')}-${uuid(commit)}`,
    creationInfo: { ...document.creationInfo, created: iso(time) },
  } as Spdx;
}

const iso = (time: number) => new Date(time * 1000).toISOString();

/** A UUID of version 8 (RFC 9562), the same for the same text. */
function uuid(text: string): string {
  const digits = sha256(text);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}
