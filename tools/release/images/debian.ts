/** Packages of Debian, by the apt sources of the machine, with lists of apt's own for each processor. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, readTar } from '../archive.ts';
import { sha256 } from '../checksums.ts';
import { type DebianPackage, type Lock, type Processor, packageCache, processors } from './packages.ts';

/** Runs apt-get as a machine of that processor without installed packages; what it prints. */
export function apt(processor: Processor, args: readonly string[], cwd = packageCache): string {
  const state = join(packageCache, `apt-${processor}`);
  for (const folder of ['lists', 'cache/archives']) mkdirSync(join(state, folder, 'partial'), { recursive: true });
  const settings = {
    'Dir::State::Lists': join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(state, 'cache'),
    'APT::Architecture': processor,
    'APT::Architectures': processor,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return execFileSync('apt-get', [...options, '-qq', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

/** Reads the lists of packages anew. */
export const updateLists = (processor: Processor): string => apt(processor, ['update']);

const fileOf = ({ name, version }: DebianPackage, processor: Processor) =>
  join(packageCache, `${name}_${encodeURIComponent(version)}_${processor}.deb`);

/**
 * The paths of the packages' .deb files, which apt-get gets where the cache lacks them.
 *
 * @throws Error where apt-get is missing, has no such version, or its file has another hash
 */
export function fetchDebianPackages(packages: readonly DebianPackage[], processor: Processor): readonly string[] {
  mkdirSync(packageCache, { recursive: true });
  const missing = packages.filter((each) => !existsSync(fileOf(each, processor)));
  if (missing.length > 0) {
    const work = mkdtempSync(join(packageCache, 'fetch-'));
    try {
      updateLists(processor);
      apt(processor, ['download', ...missing.map(({ name, version }) => `${name}=${version}`)], work);
      for (const each of missing) {
        const file = readdirSync(work).find((path) => path.startsWith(`${each.name}_`)) ?? '';
        checkHash(each, join(work, file));
        renameSync(join(work, file), fileOf(each, processor));
      }
    } catch (cause) {
      const message =
        'The images need packages of Debian in the versions of tools/release/images/lock.json, by apt-get and the ' +
        'sources of Debian. Where Debian has newer ones, run node tools/release/images/lock.ts and commit the file: ';
      throw new Error(`${message}${(cause as Error).message}`, { cause });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return packages.map((each) => {
    checkHash(each, fileOf(each, processor));
    return fileOf(each, processor);
  });
}

/** Why the packages of a lock cannot be had here, such as a version that Debian replaced; undefined where all can. */
export function whyNotFetched({ debian }: Lock): string | undefined {
  try {
    for (const processor of processors) {
      const { base, tools } = debian[processor];
      fetchDebianPackages([...base, ...tools], processor);
    }
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

function checkHash({ name, version, sha256: expected }: DebianPackage, path: string): void {
  const digest = sha256(readFileSync(path));
  if (digest !== expected)
    throw new Error(`The SHA-256 of ${name} ${version} is ${digest}, not ${expected}: remove ${path}`);
}

/** Documentation that a container has no use for. Licences stay. */
const unused = /^usr\/share\/(?:(?:man|locale|info|lintian|bug|bash-completion)\/|doc\/[^/]+\/(?!copyright$))/;

/**
 * The files of a package, with `/bin`, `/lib` and the like below `/usr`, as Debian has them, and without documentation.
 * Its description is below var/lib/dpkg/status.d, where scanners of images look for it. No script of the package runs.
 */
export async function debianFiles(deb: string, name: string): Promise<readonly Entry[]> {
  const dpkg = (...args: string[]) => execFileSync('dpkg-deb', [...args, deb], { maxBuffer: 1 << 28 });
  const entries = await readTar(dpkg('--fsys-tarfile'));
  const description: Entry = {
    path: `var/lib/dpkg/status.d/${name}`,
    type: 'File',
    mode: 0o644,
    content: dpkg('--field'),
  };
  const files = entries
    .filter(({ path }) => path !== '.' && path !== '' && !unused.test(path) && !/^(?:s?bin|lib|lib64)$/.test(path))
    .map((entry) => ({ ...entry, path: entry.path.replace(/^(?=(?:s?bin|lib|lib64)\/)/, 'usr/') }));
  return [...files, description];
}
