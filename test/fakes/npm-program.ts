import { execFileSync } from 'node:child_process';
import { realpathSync, symlinkSync } from 'node:fs';
import { builtOnce } from './built-once.ts';

/**
 * The path of a program of a package that `npm ci` does not install here, from npm's cache or registry, as `npx` finds
 * it. Concurrent calls for the same package may disturb each other.
 * @param packageVersion as `cdk8s-cli@2.207.60`
 * @throws where neither the cache nor the registry has it
 */
export function npmProgram(packageVersion: string, program: string): string {
  const find = ['sh', '-c', 'command -v "$0"', program];
  const args = ['exec', '--yes', '--prefer-offline', `--package=${packageVersion}`, '--', ...find];
  // In a directory without packages: npm would take one of the current directory.
  const path = execFileSync('npm', args, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return realpathSync(path.trim());
}

/** The path of the script of `cdk8s`, fetched once a run. */
export async function cdk8sCli(): Promise<string> {
  const fetch = async (path: string) => symlinkSync(npmProgram('cdk8s-cli@2.207.60', 'cdk8s'), path);
  return realpathSync(await builtOnce('cdk8s-cli', fetch));
}
