/**
 * Writes runtime/api/generated, constructs/generated and docs/reference/kinds from tools/catalogue, the names in
 * docs/reference/public-api.md, and docs/reference/sandbox-types.md.
 *
 *   npm run generate                      write the files
 *   npm run generate -- --check           write nothing; name every file that is out of date and exit 1
 *   npm run generate -- --sizes           write nothing; print the size of every catalogue kind's CRD in bytes
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { armKindDefinition } from '../runtime/api/arm-kind.ts';
import { crdManifest } from '../runtime/api/crd.ts';
import { idOf, readCatalogue } from './generate/catalogue.ts';
import { constructClasses } from './generate/construct-classes.ts';
import { mergeVersions } from './generate/merge-versions.ts';
import { render } from './generate/render.ts';
import { publicApiPage, publicApiText } from './package/public-api.ts';
import { kindReference } from './reference/kind-reference.ts';

const root = join(import.meta.dirname, '..');
const api = 'runtime/api/generated';
const classes = 'constructs/generated';
const docs = 'docs/reference/kinds';

/** The page of the embedded Azure, which reads the kinds as they are in runtime/api/generated. */
const typesPage = async () => {
  const { sandboxTypes, sandboxTypesPage } = await import('./reference/sandbox-types.ts');
  return { path: sandboxTypesPage, text: sandboxTypes() };
};

const definitions = () =>
  readCatalogue().map((kind) => {
    const { arm, meanings: _, ...names } = mergeVersions(kind);
    return armKindDefinition(names, () => arm);
  });

/** The text of every generated file, by its path below the root. */
function wanted(): Map<string, string> {
  const entries = readCatalogue().map(mergeVersions);
  const below = (folder: string, files: Map<string, string>) =>
    [...files].map(([path, text]): [string, string] => [`${folder}/${path}`, text]);
  return new Map([
    ...below(api, render(entries)),
    ...below(classes, constructClasses(entries)),
    ...below(
      'docs/reference',
      kindReference(definitions(), new Set(readCatalogue().flatMap((kind) => (kind.notInAso ? [idOf(kind)] : [])))),
    ),
  ]);
}

const present = () =>
  globSync([`${api}/**/*.{ts,json}`, `${classes}/**/*.ts`, `${docs}/*.md`, `${docs}.md`], { cwd: root });

/** Paths of generated files whose content differs from the catalogue's present output. */
export function drift(): string[] {
  const files = wanted();
  const found = new Set(present());
  return [...new Set([...files.keys(), ...found])]
    .filter((path) => !found.has(path) || readFileSync(join(root, path), 'utf8') !== files.get(path))
    .sort();
}

function write(): number {
  const files = wanted();
  for (const path of present()) rmSync(join(root, path));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return files.size;
}

/** Bytes of the CRD of each kind of the catalogue, largest first. */
function sizes(): [id: string, versions: number, bytes: number][] {
  return definitions()
    .map((definition): [string, number, number] => {
      const crd = crdManifest(definition);
      return [idOf(definition), crd.spec.versions.length, Buffer.byteLength(JSON.stringify(crd))];
    })
    .sort(([, , a], [, , b]) => b - a);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, sizes: { type: 'boolean' } } });
  if (values.check) {
    const paths = drift();
    if (publicApiText() !== readFileSync(join(root, publicApiPage), 'utf8')) paths.push(publicApiPage);
    const types = await typesPage();
    if (types.text !== readFileSync(join(root, types.path), 'utf8')) paths.push(types.path);
    for (const path of paths) console.error(`${path} is out of date: run npm run generate`);
    process.exitCode = paths.length === 0 ? 0 : 1;
  } else if (values.sizes) {
    for (const [id, versions, bytes] of sizes()) console.log(`${String(bytes).padStart(8)}  ${versions} x ${id}`);
  } else {
    const files = write();
    // Of the classes that were just written.
    writeFileSync(join(root, publicApiPage), publicApiText());
    const types = await typesPage();
    writeFileSync(join(root, types.path), types.text);
    console.log(`${files + 2} generated files`);
  }
}
