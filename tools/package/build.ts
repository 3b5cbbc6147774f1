/**
 * `npm run build`, which `npm pack` also runs: dist/package, the built JavaScript and the declarations of the npm package.
 * The constructs and all programs are one bundle with common parts, for every supported Node.
 */
import { globSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Metafile, Plugin } from 'esbuild';
import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { dataPath } from '../../runtime/api/arm-kind-data.ts';
import { type FieldTexts, fieldTextsName } from '../../runtime/api/schema/field-texts.ts';
import { bundle, programs } from '../bundle.ts';
import { definitionTexts, kindTexts } from '../descriptions/kind-texts.ts';
import { folderOf, sdkPackages } from '../descriptions/sdk-packages.ts';
import { idOf, readCatalogue } from '../generate/catalogue.ts';
import { mergeVersions } from '../generate/merge-versions.ts';
import { typesFile } from '../generate/render.ts';
import { writeDeclarations } from './declarations.ts';
import { entryPoints } from './entry-points.ts';
import { bundledPackages, licenceNotices } from './licenses.ts';

/** A program of its own, which Node before 24.2 has no `import.meta.main` for. */
const startedAsProgram: Plugin = {
  name: 'started-as-program',
  setup(context) {
    context.onLoad({ filter: /runtime.*-program\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replace('import.meta.main', 'process.argv[1] === import.meta.filename'),
    }));
  },
};

/** The modules that processes of the demonstration load. */
const ofDemonstration = {
  main: 'main.ts',
  'end-with-parent': 'runtime/cli/demo/programs/end-with-parent.ts',
  'pod-network': 'runtime/cli/demo/pods/pod-network.ts',
};

/** Writes the package to `directory`. */
export async function buildPackage(directory: string): Promise<void> {
  const entries = entryPoints();
  const metafile = await bundle(directory, {
    entryPoints: { ...programs, ...ofDemonstration, ...entries },
    minify: false,
    minifyWhitespace: true,
    sourcemap: 'linked',
    target: 'node20',
    external: ['cdk8s', 'cdk8s-plus-27', 'constructs', '@azure/identity', './build-page.ts'],
    inject: ['tools/package/older-node.ts'],
    plugins: [startedAsProgram],
  });
  for (const manifest of globSync('runtime/cli/demo/**/*.yaml'))
    await copyFile(manifest, join(directory, basename(manifest)));
  const imported = reachedFrom(
    Object.keys(entries).map((name) => `${join(directory, name)}.mjs`),
    metafile,
  );
  for (const path of Object.keys(metafile.outputs)) {
    if (path.endsWith('.mjs') && !imported.has(path)) await dropSourceMap(path);
  }
  const described = describedKinds();
  writeDeclarations(Object.values(entries), join(directory, 'types'), described.types);
  await writeFile(join(directory, 'generated', fieldTextsName), brotliCompressSync(JSON.stringify(described.texts)));
  const describing = sdkPackages().map(folderOf);
  await writeFile(join(directory, 'LICENSES.txt'), licenceNotices([...bundledPackages(metafile), ...describing]));
}

/** What Azure's SDK says about the fields of each kind: in its types, by the source in whose place they are, and as texts. */
function describedKinds(): { readonly types: ReadonlyMap<string, string>; readonly texts: FieldTexts } {
  const entries = readCatalogue().map(mergeVersions);
  const found = kindTexts(entries);
  const textsOf = (entry: ArmKindEntry) => found.get(idOf(entry))?.texts ?? new Map<string, string>();
  return {
    types: new Map(
      entries.map((entry) => [`runtime/api/generated/${dataPath(entry)}.ts`, typesFile(entry, textsOf(entry))]),
    ),
    texts: Object.fromEntries(
      entries.map((entry) => [`${entry.group}/${entry.kind}`, definitionTexts(entry, textsOf(entry))]),
    ),
  };
}

/** The files that these files load, themselves included. */
function reachedFrom(files: readonly string[], { outputs }: Metafile): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) reached.add(path);
  }
  return reached;
}

/** Source maps are for the modules that people import: those of the programs would be half of the package. */
async function dropSourceMap(path: string): Promise<void> {
  await rm(`${path}.map`);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/^\/\/# sourceMappingURL=.*\n?$/m, ''));
}

if (import.meta.main) await buildPackage('dist/package');
