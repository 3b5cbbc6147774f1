/**
 * `npm run build:kv [-- FILE]`: the FlexVolume driver as one executable, dist/kv by default, with its SHA-256 beside it.
 * It is this Node, stripped, with the bundled driver and its compiled code in it (docs/adr/0011-kv-driver.md).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { withNote } from './elf-note.ts';

/** Node's marks: the owner of the note, and the switch in the executable that makes it look for one. */
const owner = 'NODE_SEA_BLOB';
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';

/** Puts the driver's own HTTP client in the place of undici and of what wraps it. */
const slimHttp: Plugin = {
  name: 'slim-http',
  setup(bundle) {
    const path = join(import.meta.dirname, '..', 'runtime', 'volumes', 'slim-http.ts');
    bundle.onResolve({ filter: /^undici$|\/base\/http\.ts$/ }, ({ importer }) => (importer === path ? null : { path }));
  },
};

/** Builds the executable and returns its size in bytes. */
export async function buildDriver(target: string): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-kv-'));
  try {
    const main = join(work, 'kv.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, '..', 'runtime', 'volumes', 'kv.ts')],
      outfile: main,
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      legalComments: 'none',
      logLevel: 'warning',
      banner: { js: 'const importMetaUrl = undefined;' },
      plugins: [slimHttp],
      define: { 'import.meta.url': 'importMetaUrl' },
    });
    const config = {
      main,
      output: join(work, 'blob'),
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      // kubelet's environment has no say in how the driver runs.
      execArgv: ['--no-warnings', '--max-old-space-size=128'],
      execArgvExtension: 'none',
    };
    writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'sea.json')], { stdio: 'pipe' });
    const node = readFileSync(realpathSync(process.execPath));
    const at = node.indexOf(`${fuse}0`);
    if (at < 0 || node.indexOf(`${fuse}0`, at + 1) >= 0) throw new Error('This Node cannot become a single executable');
    node[at + fuse.length] = '1'.charCodeAt(0);
    const driver = withNote(node, owner, readFileSync(config.output));
    mkdirSync(dirname(target), { recursive: true });
    const fresh = join(dirname(target), `.${basename(target)}.${process.pid}`);
    writeFileSync(fresh, driver, { mode: 0o755 });
    renameSync(fresh, target);
    const digest = createHash('sha256').update(driver).digest('hex');
    writeFileSync(`${target}.sha256`, `${digest}  ${basename(target)}\n`);
    return driver.length;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const target = resolve(process.argv[2] ?? 'dist/kv');
  const size = await buildDriver(target);
  console.log(`${target}: ${(size / 1_000_000).toFixed(1)} MB`);
}
