/**
 * `npm run build:kv [-- FILE] [--arch x64|arm64]`: the FlexVolume driver as one executable, dist/kv for this machine's
 * architecture by default, with its SHA-256 beside it. It is Bun, with the bundled driver and its compiled code in it
 * (docs/adr/0019-kv-driver-on-bun.md).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bunForLinux } from './bun.ts';

const volumes = join(import.meta.dirname, '..', 'runtime', 'volumes');

/** Puts a module of the executable in the place of others, which it may import. */
function inPlaceOf(filter: RegExp, name: string): Plugin {
  const path = join(volumes, name);
  const setup: Plugin['setup'] = (bundle) =>
    bundle.onResolve({ filter }, ({ importer }) => (importer === path ? null : { path }));
  return { name, setup };
}

/** How the driver is bundled: the code for an agent's answer is apart from the code that reads a vault. */
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
    inPlaceOf(/\/base\/http\/client\.ts$/, 'driver/slim-http.ts'),
    inPlaceOf(/\/agent-socket\.ts$/, 'driver/slim-socket.ts'),
  ],
} satisfies BuildOptions;

/** Builds the executable, of another program for a test, and returns its size in bytes. */
export async function buildDriver(
  target: string,
  main = join(volumes, 'driver', 'main.ts'),
  arch: string = process.arch,
): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-kv-'));
  try {
    await build({ ...driverBundle, entryPoints: { kv: main }, outdir: work });
    const bun = bunForLinux(process.arch);
    const other =
      arch === process.arch ? [] : [`--target=bun-linux-${arch}`, `--compile-executable-path=${bunForLinux(arch)}`];
    const flags = [
      '--compile',
      // Files in kubelet's working directory must not change how the driver runs.
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      '--format=esm',
      '--splitting',
      '--minify',
      '--bytecode',
      // A process this short is over before compiled code pays.
      '--compile-jit-policy=100',
      '--outfile=kv',
      ...other,
    ];
    execFileSync(bun, ['build', 'kv.mjs', ...flags], { cwd: work, env: {}, stdio: 'pipe' });
    const driver = readFileSync(join(work, 'kv'));
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
  const { values, positionals } = parseArgs({ options: { arch: { type: 'string' } }, allowPositionals: true });
  // As Docker calls it.
  const arch = values.arch === 'amd64' ? 'x64' : values.arch || process.arch;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`Expected --arch to be x64 or arm64, got ${arch}`);
  const target = resolve(positionals[0] ?? 'dist/kv');
  const size = await buildDriver(target, undefined, arch);
  console.log(`${target}: ${(size / 1_000_000).toFixed(1)} MB`);
}
