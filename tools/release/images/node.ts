import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkArchive } from '../../descriptions/sdk-packages.ts';
import { type Entry, readTar } from '../archive.ts';
import { type Lock, nodePackages, type Processor, packageCache } from './packages.ts';

/**
 * The program and the licence of Node.js, of the npm package for a processor, which npm gets where the cache lacks it.
 *
 * @throws Error where npm cannot get it, or its hash is another
 */
export async function nodeFiles({ version, integrity }: Lock['node'], processor: Processor): Promise<readonly Entry[]> {
  const name = nodePackages[processor];
  const archive = join(packageCache, `${name}-${version}.tgz`);
  if (!existsSync(archive)) download(`${name}@${version}`, archive);
  const bytes = readFileSync(archive);
  checkArchive(`${name} ${version}`, bytes, integrity[processor]);
  const entries = await readTar(bytes);
  const file = (path: string) => {
    const content = entries.find((entry) => entry.path === `package/${path}`)?.content;
    if (content === undefined) throw new Error(`The npm package ${name} ${version} has no ${path}`);
    return content;
  };
  return [
    { path: 'usr/local/bin/node', type: 'File', mode: 0o755, content: file('bin/node') },
    { path: 'usr/share/doc/nodejs/LICENSE', type: 'File', mode: 0o644, content: file('LICENSE') },
  ];
}

function download(spec: string, archive: string): void {
  mkdirSync(packageCache, { recursive: true });
  const work = mkdtempSync(join(packageCache, 'fetch-'));
  try {
    const here = [`--pack-destination=${work}`, '--dry-run=false'];
    execFileSync('npm', ['pack', spec, ...here, '--silent', '--prefer-offline'], { cwd: work, stdio: 'pipe' });
    renameSync(join(work, `${spec.replace('@', '-')}.tgz`), archive);
  } catch (cause) {
    throw new Error(`npm could not get ${spec}, which the images need: ${(cause as Error).message}`, { cause });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
