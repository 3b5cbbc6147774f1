/**
 * Writes runtime/api/generated from tools/catalogue, and docs/reference/kinds.md from that.
 *
 *   npm run generate                      write the files anew
 *   npm run generate -- --check           write nothing; name every file that is out of date and exit 1
 *   npm run generate -- --sizes           write nothing; print the size of every catalogue kind's CRD in bytes
 *   npm run generate -- --from FILE       first take over a whole operator catalogue into tools/catalogue
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { armKindDefinition } from '../runtime/api/arm-kind.ts';
import { crdManifest } from '../runtime/api/crd.ts';
import type { ArmKindDefinition } from '../runtime/api/kinds.ts';
import { idOf, importCatalogue, readCatalogue } from './generate/catalogue.ts';
import { servedKinds, shortNames } from './generate/kinds.ts';
import { mergeVersions } from './generate/merge-versions.ts';
import { render } from './generate/render.ts';
import { kindReference } from './kind-reference.ts';

const folder = join(import.meta.dirname, '..', 'runtime', 'api', 'generated');

const referencePath = join(import.meta.dirname, '..', 'docs', 'reference', 'kinds.md');

/** The reference as it must be, from the catalogue rather than from files that may be out of date. */
function reference(): string {
  const catalogue = new Map(readCatalogue().map((kind) => [idOf(kind), kind]));
  const definitions = servedKinds.flatMap((id) => {
    const kind = catalogue.get(id);
    return kind ? [armKindDefinition(mergeVersions(kind, shortNames[id] ?? [])) as ArmKindDefinition] : [];
  });
  return kindReference(definitions);
}

/** Whether docs/reference/kinds.md differs from the catalogue. */
export const referenceDrift = (): boolean =>
  !existsSync(referencePath) || readFileSync(referencePath, 'utf8') !== reference();

/** Paths below runtime/api/generated whose content is not what the catalogue yields now. */
export function drift(): string[] {
  const wanted = render(readCatalogue(), servedKinds, shortNames);
  const present = new Set(globSync('**/*.ts', { cwd: folder }));
  const paths = new Set([...wanted.keys(), ...present]);
  return [...paths]
    .filter((path) => !present.has(path) || readFileSync(join(folder, path), 'utf8') !== wanted.get(path))
    .sort();
}

function write(): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of render(readCatalogue(), servedKinds, shortNames)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  writeFileSync(referencePath, reference());
}

/** Bytes of the CRD of each kind of the catalogue, largest first. */
function sizes(): [id: string, versions: number, bytes: number][] {
  return readCatalogue()
    .map((kind): [string, number, number] => {
      const crd = crdManifest(armKindDefinition(mergeVersions(kind, shortNames[idOf(kind)] ?? [])));
      return [idOf(kind), crd.spec.versions.length, Buffer.byteLength(JSON.stringify(crd))];
    })
    .sort(([, , a], [, , b]) => b - a);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, from: { type: 'string' }, sizes: { type: 'boolean' } },
  });
  if (values.check) {
    const paths = drift();
    for (const path of paths) console.error(`runtime/api/generated/${path} is out of date: run npm run generate`);
    const stale = referenceDrift();
    if (stale) console.error('docs/reference/kinds.md is out of date: run npm run generate');
    process.exitCode = paths.length === 0 && !stale ? 0 : 1;
  } else if (values.sizes) {
    for (const [id, versions, bytes] of sizes()) console.log(`${String(bytes).padStart(8)}  ${versions} x ${id}`);
  } else {
    if (values.from) console.log(`tools/catalogue: ${importCatalogue(values.from)} kinds`);
    write();
    console.log(`runtime/api/generated: ${servedKinds.length} kinds`);
  }
}
