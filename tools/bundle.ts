/**
 * `npm run bundle`: the programs as one minified file, dist/image/azimuth.mjs, for the container image. The sandbox and
 * the demonstration stay outside: nothing that runs in a cluster needs them.
 */
import { build } from 'esbuild';

await build({
  entryPoints: ['runtime/cli/azimuth.ts'],
  outfile: 'dist/image/azimuth.mjs',
  bundle: true,
  minify: true,
  sourcemap: 'linked',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  external: ['./sandbox.ts', './demo.ts', './demo/index.ts'],
  // CommonJS packages in an ESM bundle look for these.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  legalComments: 'none',
});
