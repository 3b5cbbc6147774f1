/**
 * `npm run build:kv [-- FILE] [--arch x64|arm64]`: the FlexVolume driver as one executable, dist/kv for this machine's
 * architecture by default, with its SHA-256 beside it. It is Bun, with the bundled driver and its compiled code in it
 * (docs/adr/0019-kv-driver-on-bun.md).
 *
 * The first build gets Bun from the registry by npm, 40 MB, and keeps it in .azimuth/bun.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** The version of Bun, and the SHA-512 of its package for each architecture, as the registry lists it. */
const bunVersion = '1.4.5';
const bunDigests: Readonly<Record<string, string>> = {
  arm64: '4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  x64: 'IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
};

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
    const bun = bunProgram(process.arch);
    const other =
      arch === process.arch ? [] : [`--target=bun-linux-${arch}`, `--compile-executable-path=${bunProgram(arch)}`];
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

/**
 * Bun of an architecture. The first build gets it by npm, from its cache or the registry, and checks its digest; further
 * builds find it in `.azimuth`.
 */
function bunProgram(arch: string): string {
  const digest = bunDigests[arch];
  if (digest === undefined) throw new Error(`The driver is built on Linux with glibc, x64 or arm64, not on ${arch}`);
  const name = `@oven/bun-linux-${arch === 'arm64' ? 'aarch64' : arch}`;
  const folder = join(volumes, '..', '..', '.azimuth', 'bun');
  const program = join(folder, `bun-${bunVersion}-${arch}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'fetch-'));
  try {
    // `npm install` refuses a package of another processor.
    execFileSync('npm', ['pack', `${name}@${bunVersion}`, '--silent', '--prefer-offline'], {
      cwd: work,
      stdio: 'pipe',
    });
    const [archive = ''] = readdirSync(work);
    const fetched = createHash('sha512')
      .update(readFileSync(join(work, archive)))
      .digest('base64');
    if (fetched !== digest) throw new Error(`its SHA-512 is ${fetched}, not ${digest}`);
    execFileSync('tar', ['-xzf', archive, 'package/bin/bun'], { cwd: work, stdio: 'pipe' });
    putOnce(join(work, 'package', 'bin', 'bun'), program);
    return program;
  } catch (cause) {
    const message = `npm could not get ${name} ${bunVersion}, which builds the driver: ${(cause as Error).message}`;
    throw new Error(message, { cause });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Puts a program at its place. One that another build put there meanwhile stays: it runs, and opens its own file. */
export function putOnce(program: string, place: string): void {
  try {
    linkSync(program, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
