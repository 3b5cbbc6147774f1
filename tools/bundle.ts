/**
 * `npm run bundle`: the programs for the container image, minified, dist/image/azimuth.mjs and the parts it loads. The
 * sandbox and the demonstration stay outside: nothing that runs in a cluster needs them.
 */
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { build, type Plugin } from 'esbuild';

/**
 * Of undici only what runtime/base/http uses: its entry module also evaluates fetch, WebSockets, caches and mocks, 12 MB
 * of resident memory in every process. A name that is missing here fails the bundling.
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

/**
 * An import statement of node:http reads all that the module has, also its WebSocket, for which Node then loads an undici
 * of its own: 12 MB of resident memory in every process. A name that is missing here fails the bundling.
 */
const leanHttp: Plugin = {
  name: 'lean-http',
  setup(context) {
    context.onResolve({ filter: /^(node:)?http$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lean-http' } : undefined,
    );
    context.onLoad({ filter: /./, namespace: 'lean-http' }, () => ({
      contents: `export const { Agent, createServer, request } = process.getBuiltinModule('node:http');`,
    }));
  },
};

/** The catalogue as JSON text, which costs 4 MB less in every process than literals that V8 has to compile first. */
const catalogueAsJson: Plugin = {
  name: 'catalogue-as-json',
  setup(context) {
    context.onLoad({ filter: /runtime.api.generated.[a-z0-9]+[\\/][^\\/]+\.ts$/ }, async ({ path }) => {
      const { entry, ...rest } = (await import(path)) as { entry: unknown };
      const json = JSON.stringify(entry);
      if (Object.keys(rest).length > 0 || !isDeepStrictEqual(JSON.parse(json), entry)) {
        throw new Error(`Expected ${path} to export an entry that is plain JSON, and nothing else`);
      }
      return { contents: `export const entry = JSON.parse(${JSON.stringify(json)});` };
    });
  },
};

/** Makes `directory` anew. Each program loads its own parts only, which keeps the node daemon 10 MB smaller. */
export async function bundle(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await build({
    // Other processes run these two: files of their own, beside the parts that start them.
    entryPoints: {
      azimuth: 'runtime/cli/azimuth.ts',
      'certificate-program': 'runtime/volumes/vault/certificate-program.ts',
      'expression-program': 'runtime/operator/export/expression-program.ts',
    },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    // Beside the files and not named in them: the image has no use for it, who reads a stack trace has.
    sourcemap: 'external',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: ['./sandbox.ts', './demo.ts'],
    plugins: [leanUndici, leanHttp, catalogueAsJson],
    // CommonJS packages in an ESM bundle look for this.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (import.meta.main) await bundle('dist/image');
