/**
 * `npm run bundle`: the programs as one minified file, dist/image/azimuth.mjs, for the container image. The sandbox and
 * the demonstration stay outside: nothing that runs in a cluster needs them.
 */
import { build } from 'esbuild';

export async function bundle(outfile: string): Promise<void> {
  await build({
    entryPoints: ['runtime/cli/azimuth.ts'],
    outfile,
    bundle: true,
    minify: true,
    sourcemap: 'linked',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: ['./sandbox.ts', './demo.ts'],
    // CommonJS packages in an ESM bundle look for this.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundle('dist/image/azimuth.mjs');
