import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtOnce } from '../fakes/built-once.ts';

/** Below the repository, so that packages can be hard links. tools/judge-tests.ts removes it at the end. */
const work = resolve('.azimuth', 'release-judge');

/** Taken once: a commit between two clones must not make them differ. */
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

/** Runs a program to its end; what it prints. @throws with its standard error where it fails */
export function run(program: string, args: readonly string[], cwd: string): string {
  // Jest has an environment of its own, which a child does not get by itself.
  const options = { cwd, encoding: 'utf8', maxBuffer: 1 << 28, env: process.env } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Why there are no images; empty where there are. */
export const whyNoImages = process.env['AZIMUTH_WITHOUT_IMAGES'] ?? '';
const others = ['npm', 'manifests', 'definitions', 'chart', 'standalone', 'sbom', 'notes'];
const withoutImages = whyNoImages === '' ? [] : others.flatMap((name) => ['--only', name]);

/**
 * The artefacts of the current commit, made in a clone of its own with further words for the command. Uncommitted changes
 * are not in.
 */
export async function artefacts(name: string, words: readonly string[] = []): Promise<string> {
  const folder = join(work, name, 'dist', 'release');
  await builtOnce(`release-${name}`, async () => {
    const clone = join(work, name);
    rmSync(clone, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    run('git', ['clone', '--quiet', '--no-hardlinks', resolve('.'), clone], '.');
    run('git', ['checkout', '--quiet', '--detach', commit], clone);
    run('cp', ['-al', resolve('node_modules'), clone], '.');
    mkdirSync(join(clone, '.azimuth'));
    // Both take the same packages, which the first may have to get.
    for (const cache of ['bun', 'images', 'sdk']) {
      mkdirSync(resolve('.azimuth', cache), { recursive: true });
      symlinkSync(resolve('.azimuth', cache), join(clone, '.azimuth', cache));
    }
    run('npm', ['run', '--silent', 'release', '--', ...withoutImages, ...words], clone);
  });
  return folder;
}

/** The one artefact that a pattern names. */
export async function artefact(pattern: string): Promise<string> {
  const [path, ...others] = globSync(join(await artefacts('first'), pattern));
  if (path === undefined || others.length > 0) throw new Error(`Not one artefact ${pattern}, but ${[path, ...others]}`);
  return path;
}
