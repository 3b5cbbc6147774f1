/**
 * Writes runtime/api/generated from tools/catalogue.
 *
 *   npm run generate                      write the files anew
 *   npm run generate -- --check           write nothing; name every file that is out of date and exit 1
 *   npm run generate -- --from FILE       first take over a whole operator catalogue into tools/catalogue
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { importCatalogue, readCatalogue } from './generate/catalogue.ts';
import { servedKinds, shortNames } from './generate/kinds.ts';
import { render } from './generate/render.ts';

const folder = join(import.meta.dirname, '..', 'runtime', 'api', 'generated');

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
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, from: { type: 'string' } } });
  if (values.check) {
    const paths = drift();
    for (const path of paths) console.error(`runtime/api/generated/${path} is out of date: run npm run generate`);
    process.exitCode = paths.length === 0 ? 0 : 1;
  } else {
    if (values.from) console.log(`tools/catalogue: ${importCatalogue(values.from)} kinds`);
    write();
    console.log(`runtime/api/generated: ${servedKinds.length} kinds`);
  }
}
