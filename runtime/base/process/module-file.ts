import { basename } from 'node:path';

/**
 * The URL of a module that another process loads, such as `./expression-program.ts`: the source beside `importer`, the
 * `import.meta.url` of the caller, or in a bundle (tools/bundle.ts) the built file, which lies beside all others.
 */
export function moduleFile(importer: string, source: string): URL {
  return new URL(importer.endsWith('.ts') ? source : `${basename(source, '.ts')}.mjs`, importer);
}
