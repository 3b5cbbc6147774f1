/**
 * Bun, which makes executables: the driver `kv` (tools/build-kv.ts) and the standalone program (tools/release/standalone.ts).
 * The first use gets it from the registry by npm, 40 MB for each platform, and keeps it in .azimuth/bun.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The version of Bun. */
export const bunVersion = '1.4.5';

/** The package of each platform, and its SHA-512 as the registry lists it. */
const packages = {
  'linux-arm64': {
    name: 'linux-aarch64',
    digest: '4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  },
  'linux-x64': {
    name: 'linux-x64',
    digest: 'IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  },
  'darwin-arm64': {
    name: 'darwin-aarch64',
    digest: '4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  },
  'darwin-x64': {
    name: 'darwin-x64',
    digest: 'qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  },
  'windows-arm64': {
    name: 'windows-aarch64',
    digest: 'MiPFZnBNDnBXgr1oONc5pizC4fOLjnIOfNkYdFEnWzLmoFTg86naZIG3SvS7d/GglpQSAnCKMAzSjI/TAckiRw==',
  },
  'windows-x64': {
    name: 'windows-x64',
    digest: 'FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
  },
} as const;

/** An operating system and processor that Bun makes executables for. */
export type BunPlatform = keyof typeof packages;

/** The platforms, in order of their names. */
export const bunPlatforms = (Object.keys(packages) as BunPlatform[]).sort();

/** The path of Bun for a platform. @throws where npm has it neither in its cache nor in the registry */
export function bunProgram(platform: BunPlatform): string {
  const { name, digest } = packages[platform];
  const folder = join(import.meta.dirname, '..', '.azimuth', 'bun');
  const program = join(folder, `bun-${bunVersion}-${platform}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'fetch-'));
  try {
    // `npm install` refuses a package of another processor.
    // An `npm pack` that runs this has a destination of its own.
    const here = [`--pack-destination=${work}`, '--dry-run=false'];
    execFileSync('npm', ['pack', `@oven/bun-${name}@${bunVersion}`, ...here, '--silent', '--prefer-offline'], {
      cwd: work,
      stdio: 'pipe',
    });
    const [archive = ''] = readdirSync(work);
    const received = createHash('sha512')
      .update(readFileSync(join(work, archive)))
      .digest('base64');
    if (received !== digest) throw new Error(`its SHA-512 is ${received}, not ${digest}`);
    const path = `package/bin/bun${platform.startsWith('windows') ? '.exe' : ''}`;
    execFileSync('tar', ['-xzf', archive, path], { cwd: work, stdio: 'pipe' });
    putOnce(join(work, path), program);
    return program;
  } catch (cause) {
    const message = `npm could not get @oven/bun-${name} ${bunVersion}, which makes executables: ${(cause as Error).message}`;
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

/** Bun for Linux on a processor. @throws for a processor that has none */
export function bunForLinux(arch: string): string {
  const platform = bunPlatforms.find((each) => each === `linux-${arch}`);
  if (platform === undefined) throw new Error(`Bun is for Linux with glibc on x64 or arm64, not on ${arch}`);
  return bunProgram(platform);
}
