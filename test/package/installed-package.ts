import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtOnce } from '../fakes/built-once.ts';
import { npmProgram } from '../fakes/npm-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The packages that a project has beside azimuth. */
const peers = ['cdk8s', 'cdk8s-plus-27', 'constructs'];

/** Runs a program to its end, with the environment of somebody outside of this repository; what it prints. */
export function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const outside = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|JEST_|AZIMUTH_|INIT_CWD)/i.test(name));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...Object.fromEntries(outside), ...env },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** A directory with the tarballs of azimuth, as `npm pack` makes it, and of its peers, as this repository has them. */
export const tarballs = () =>
  builtOnce('tarballs', async (directory) => {
    mkdirSync(directory);
    run('npm', ['pack', '--silent', '--pack-destination', directory], root);
    // `npm pack` leaves out what a package brings along unless its own directory is the current one.
    for (const peer of peers) {
      run('npm', ['pack', '--silent', '--pack-destination', directory], join(root, 'node_modules', peer));
    }
  });

/** The tarball of azimuth. */
export async function tarball(): Promise<string> {
  const [path] = globSync(join(await tarballs(), 'azimuth-*.tgz'));
  if (path === undefined) throw new Error('npm pack has made no tarball');
  return path;
}

/** An empty project with azimuth and its peers, installed without a network. Its modules are of `type`. */
export async function projectWithAzimuth(directory: string, type: 'module' | 'commonjs'): Promise<void> {
  const files = globSync(join(await tarballs(), '*.tgz'));
  mkdirSync(directory, { recursive: true });
  // The override that docs/guides/using-the-package.md gives.
  const overrides = { backport: 'npm:noop2@^2' };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'shop', private: true, type, overrides }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], directory);
}

/** Compiles a program of the guide in the project, without the declarations of this repository's packages. */
export function compile(directory: string, example: string, compiler: string, options: object): string {
  copyFileSync(join(root, example), join(directory, 'shop.ts'));
  const compilerOptions = { target: 'es2022', strict: true, types: [], outDir: 'built', ...options };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }));
  run(process.execPath, [compiler, '--project', '.'], directory);
  return join(directory, 'built', 'shop.js');
}

/** The path of the `tsc` of this repository. */
export const repositoryCompiler = join(root, 'node_modules/@typescript/native/bin/tsc');

/**
 * The executable of a line of Node, from npm's cache or registry; undefined where neither has it.
 */
export function nodeOf(major: number): string | undefined {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  try {
    return npmProgram(`node@${major}`, 'node');
  } catch {
    return undefined;
  }
}
