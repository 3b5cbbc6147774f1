import { execFileSync } from 'node:child_process';
import { realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtOnce } from './built-once.ts';

/**
 * The path of a program of a package that `npm ci` does not install here, from npm's cache or registry, as `npx` finds
 * it. Concurrent calls for the same package may disturb each other.
 * @param packageVersion as `cdk8s-cli@2.207.60`
 * @throws where neither the cache nor the registry has it
 */
export const npmProgram = (packageVersion: string, program: string): string =>
  realpathSync(printed(packageVersion, `command -v ${program}`));

/**
 * The names that a package exports which `npm ci` does not install here; see `npmProgram`. Nothing knows its types.
 */
// biome-ignore lint/suspicious/noExplicitAny: the types are in the package.
export function importNpmPackage(name: string, version: string): Promise<any> {
  const programs = printed(`${name}@${version}`, 'echo "$PATH" | cut -d: -f1');
  const { resolve } = createRequire(join(programs, '..', 'none.js'));
  return import(pathToFileURL(resolve(name)).href);
}

/** What a command of the shell prints beside the programs of a package. */
function printed(packageVersion: string, command: string): string {
  const args = ['exec', '--yes', '--prefer-offline', `--package=${packageVersion}`, '--', 'sh', '-c', command];
  // In a directory without packages: npm would take one of the current directory.
  return execFileSync('npm', args, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** The path of the script of `cdk8s`, fetched once a run. */
export async function cdk8sCli(): Promise<string> {
  const fetch = async (path: string) => symlinkSync(npmProgram('cdk8s-cli@2.207.60', 'cdk8s'), path);
  return realpathSync(await builtOnce('cdk8s-cli', fetch));
}
