/**
 * `npm run bundle`: the programs for the container image, minified, dist/image/azimuth.mjs and the parts it loads. The
 * sandbox and the demonstration stay outside: nothing that runs in a cluster needs them.
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { buildPage } from '../runtime/ui/http/build-page.ts';

/**
 * Of undici only the parts that runtime/base/http uses: its entry module also evaluates fetch, WebSockets, caches and
 * mocks, 12 MB of resident memory in every process. A name that is missing here fails the bundling.
 */
const leanUndici: Plugin = {
  name: 'lean-undici',
  setup(context) {
    context.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'lean-undici' }));
    context.onLoad({ filter: /./, namespace: 'lean-undici' }, () => ({
      resolveDir: process.cwd(),
      contents: `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import api from 'undici/lib/api/index.js';
        Object.assign(Dispatcher.prototype, api);
        export { default as Agent } from 'undici/lib/dispatcher/agent.js';
        export { default as Pool } from 'undici/lib/dispatcher/pool.js';
        export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
        export { default as Socks5ProxyAgent } from 'undici/lib/dispatcher/socks5-proxy-agent.js';
        export { default as errors } from 'undici/lib/core/errors.js';
      `,
    }));
    // createDispatcher turns HTTP/2 off; its client would load node:http2.
    context.onLoad({ filter: /undici.lib.dispatcher.client-h2\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error('HTTP/2 is not part of this bundle'); };`,
    }));
  },
};

/** The Azure SDK, in the standalone program only, takes the default export of node:http. */
const ofAzureSdk = /[\\/]node_modules[\\/]@(azure|typespec)[\\/]/;

/**
 * An import statement of node:http reads all that the module has, also its WebSocket, for which Node then loads an undici
 * of its own: 12 MB of resident memory in every process. A name that is missing here fails the bundling.
 */
const leanHttp: Plugin = {
  name: 'lean-http',
  setup(context) {
    context.onResolve({ filter: /^(node:)?http$/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && !ofAzureSdk.test(importer) ? { path, namespace: 'lean-http' } : undefined,
    );
    context.onLoad({ filter: /./, namespace: 'lean-http' }, () => ({
      contents: `export const { Agent, createServer, request } = process.getBuiltinModule('node:http');`,
    }));
  },
};

/** tedious signs in to Microsoft Entra ID by packages of the Azure SDK, which the operator does not use. */
const leanTedious: Plugin = {
  name: 'lean-tedious',
  setup(context) {
    context.onResolve({ filter: /^@azure\// }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]tedious[\\/]/.test(importer) ? { path, namespace: 'lean-tedious' } : undefined,
    );
    context.onLoad({ filter: /./, namespace: 'lean-tedious' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Each program, and the programs that other processes run: files of their own, beside the parts that start them. */
export const programs = {
  azimuth: 'runtime/cli/azimuth.ts',
  'expansion-program': 'runtime/operator/deployments/expansion-program.ts',
  'expression-program': 'runtime/operator/export/expression-program.ts',
  'tenant-text-program': 'runtime/volumes/agent/pool/tenant-text-program.ts',
};

/**
 * Makes `directory`, in place of a former one. Each program loads its own parts only, which keeps the node daemon 10 MB
 * smaller. `options` replace those of the image. Returns the inputs of each file.
 */
export async function bundle(
  directory: string,
  { plugins = [], ...options }: Omit<BuildOptions, 'outdir' | 'metafile'> = {},
): Promise<Metafile> {
  await rm(directory, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: programs,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    // Beside the files and not named in them: the image has no use for it, a reader of a stack trace has.
    sourcemap: 'external',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Commands on people's machines sign in with the SDK, where it is installed.
    external: ['./sandbox.ts', './demo.ts', './build-page.ts', '@azure/identity'],
    // CommonJS packages in an ESM bundle need this.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
    outdir: directory,
    metafile: true,
    plugins: [leanUndici, leanHttp, leanTedious, ...plugins],
  });
  // Each program reads the data of the kinds that it uses.
  await cp('runtime/api/generated', join(directory, 'generated'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  const page = join(directory, 'page');
  await mkdir(page);
  for (const [name, text] of Object.entries(await buildPage())) await writeFile(join(page, name), text);
  return metafile;
}

if (import.meta.main) await bundle('dist/image');
