/**
 * `npm run build:kv [-- FILE]`: the FlexVolume driver as one executable, dist/kv by default, with its SHA-256 beside it.
 * It is Bun, with the bundled driver and its compiled code in it (docs/adr/0019-kv-driver-on-bun.md).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { withCleanStart } from './elf-entry.ts';

const volumes = join(import.meta.dirname, '..', 'runtime', 'volumes');

/** Puts a module of the executable in the place of others, which it may import. */
function inPlaceOf(filter: RegExp, name: string): Plugin {
  const path = join(volumes, name);
  const setup: Plugin['setup'] = (bundle) =>
    bundle.onResolve({ filter }, ({ importer }) => (importer === path ? null : { path }));
  return { name, setup };
}

/** How the driver is bundled: what an agent's answer needs is apart from what reads a vault. */
export const driverBundle = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  external: ['bun', 'bun:*'],
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    inPlaceOf(/^undici$|\/base\/http\.ts$/, 'slim-http.ts'),
    inPlaceOf(/\/agent-socket\.ts$/, 'slim-socket.ts'),
  ],
} satisfies BuildOptions;

/** Builds the executable, of another program for a test, and returns its size in bytes. */
export async function buildDriver(target: string, main = join(volumes, 'kv.ts')): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-kv-'));
  try {
    await build({ ...driverBundle, entryPoints: { kv: main }, outdir: work });
    const bun = bunProgram();
    const flags = [
      '--compile',
      // Files where kubelet happens to run have no say in how the driver runs.
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      '--format=esm',
      '--splitting',
      '--minify',
      '--bytecode',
      // A process this short is over before compiled code pays.
      '--compile-jit-policy=100',
      '--outfile=kv',
    ];
    execFileSync(bun, ['build', 'kv.mjs', ...flags], { cwd: work, env: {}, stdio: 'pipe' });
    // Nor has how kubelet runs: Bun reads variables that make it a package manager, load code, write or wait, and its
    // report of a crash shows the arguments, which have a client's secret.
    const driver = withCleanStart(readFileSync(join(work, 'kv')));
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

/** Bun of this machine's architecture, an optional package: npm installs the one that fits. */
function bunProgram(): string {
  const name = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/bun`);
  } catch (cause) {
    throw new Error(`The driver is built on Linux with glibc, x64 or arm64, by the package ${name}: run npm ci`, {
      cause,
    });
  }
}

if (import.meta.main) {
  const target = resolve(process.argv[2] ?? 'dist/kv');
  const size = await buildDriver(target);
  console.log(`${target}: ${(size / 1_000_000).toFixed(1)} MB`);
}
