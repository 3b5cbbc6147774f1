import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtOnce } from '../fakes/built-once.ts';

/** Below the repository, so that packages can be hard links. */
const work = resolve('.azimuth', 'release-judge');

/** Runs a program to its end; what it prints. */
export const run = (program: string, args: readonly string[], cwd: string) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });

/** The artefacts of the current commit, made in a clone of its own: `first` or `second`. Uncommitted changes are not in. */
export async function artefacts(name: 'first' | 'second'): Promise<string> {
  const folder = join(work, name, 'dist', 'release');
  await builtOnce(`release-${name}`, async () => {
    const clone = join(work, name);
    rmSync(clone, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    run('git', ['clone', '--quiet', '--no-hardlinks', resolve('.'), clone], '.');
    run('cp', ['-al', resolve('node_modules'), clone], '.');
    const bun = resolve('.azimuth', 'bun');
    if (existsSync(bun)) cpSync(bun, join(clone, '.azimuth', 'bun'), { recursive: true });
    run('npm', ['run', '--silent', 'release'], clone);
  });
  return folder;
}

/** The one artefact that a pattern names. */
export async function artefact(pattern: string): Promise<string> {
  const [path, ...others] = globSync(join(await artefacts('first'), pattern));
  if (path === undefined || others.length > 0) throw new Error(`Not one artefact ${pattern}, but ${[path, ...others]}`);
  return path;
}

/** Removes the clones. */
export const removeClones = () => rmSync(work, { recursive: true, force: true });
