/**
 * `npm run release [-- FOLDER]`: the artefacts of a release, from the commit that is checked out, into dist/release or
 * another folder, which it makes anew. Two runs on one commit give the same bytes (docs/adr/0055-release-artefacts.md).
 * `--image REPOSITORY` is the image in the manifests and the chart. `--only NAME`, also several times, makes some
 * artefacts. `--key FILE` signs the checksums.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeChart } from './release/chart.ts';
import { writeChecksums } from './release/checksums.ts';
import { writeImages } from './release/images/images.ts';
import { writeDefinitions, writeManifests } from './release/manifests.ts';
import { writeNotes } from './release/notes.ts';
import { writeNpmPackage } from './release/npm-package.ts';
import { writeSboms } from './release/sbom.ts';
import { writeSignature } from './release/signature.ts';
import { type Release, readSource } from './release/source.ts';
import { writeStandalone } from './release/standalone.ts';

/** What makes each group of artefacts. */
const makers: Readonly<Record<string, (release: Release) => void | Promise<void>>> = {
  npm: writeNpmPackage,
  manifests: writeManifests,
  definitions: writeDefinitions,
  chart: writeChart,
  standalone: writeStandalone,
  images: writeImages,
  sbom: writeSboms,
  notes: writeNotes,
};

/** No registry has this name (RFC 2606): a reader who forgets to replace it pulls nobody's image. */
const noImage = 'registry.example/azimuth';

const { values, positionals } = parseArgs({
  options: { image: { type: 'string' }, only: { type: 'string', multiple: true }, key: { type: 'string' } },
  allowPositionals: true,
});
const names = values.only ?? Object.keys(makers);
for (const name of names) {
  if (!makers[name]) throw new Error(`Expected --only to be one of ${Object.keys(makers).join(', ')}, got ${name}`);
}
const folder = resolve(positionals[0] ?? 'dist/release');
const release: Release = { ...readSource(), folder, image: values.image ?? noImage };
if (positionals[0] !== undefined && !isEmptyOrRelease(folder))
  throw new Error(`${folder} has other files than a release: name another folder`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of names) {
  console.log(`release: ${name}`);
  await makers[name]?.(release);
}
writeChecksums(folder);
if (values.key !== undefined) writeSignature(folder, values.key);
console.log(`release: ${release.version} of commit ${release.commit} is in ${folder}`);

function isEmptyOrRelease(path: string): boolean {
  return !existsSync(path) || readdirSync(path).length === 0 || existsSync(join(path, 'SHA256SUMS'));
}
