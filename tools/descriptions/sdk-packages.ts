/**
 * The packages of Azure's SDK that describe the kinds, from npm by version and hash: `packages.json`. They are no
 * dependencies, and no file of them is in the repository: `.azimuth`, which git ignores, keeps what is read of them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { declarations, scripts } from './read-models.ts';

/** A package of Azure's SDK. */
export interface SdkPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the archive, as package-lock.json writes it. */
  readonly integrity: string;
  /** The kinds that it describes: how their file in tools/catalogue begins, such as `cache/RedisEnterprise`. */
  readonly describes: readonly string[];
}

/** The packages, by name. */
export function sdkPackages(): readonly SdkPackage[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8')) as SdkPackage[];
}

/** The packages of the closest match of a kind, which is named as in `idOf`. */
export function packagesFor(id: string, packages: readonly SdkPackage[]): readonly SdkPackage[] {
  const closeness = ({ describes }: SdkPackage) =>
    Math.max(
      0,
      ...describes
        .filter((start) => `${id}/`.startsWith(start.includes('/') ? start : `${start}/`))
        .map((start) => start.length),
    );
  const closest = Math.max(0, ...packages.map(closeness));
  return closest === 0 ? [] : packages.filter((each) => closeness(each) === closest);
}

const cache = join(import.meta.dirname, '..', '..', '.azimuth', 'sdk');

/** Where the files of a package are once `fetchPackages` has returned. */
export const folderOf = ({ name, version }: SdkPackage) => join(cache, `${name.replace('@azure/', '')}-${version}`);

/**
 * Gets the packages that are not there yet by npm, from its cache or the registry.
 *
 * @throws Error where npm cannot get one, or its hash is another
 */
export function fetchPackages(packages: readonly SdkPackage[]): void {
  const missing = packages.filter((each) => !existsSync(folderOf(each)));
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'fetch-'));
  try {
    const specs = missing.map(({ name, version }) => `${name}@${version}`);
    // `npm pack` of this repository runs the build: its destination and dry run are not those of the packages here.
    const here = [`--pack-destination=${work}`, '--dry-run=false'];
    execFileSync('npm', ['pack', ...specs, ...here, '--silent', '--prefer-offline'], { cwd: work, stdio: 'pipe' });
    for (const each of missing) unpack(each, work);
  } catch (cause) {
    const message = `npm could not get the packages that describe the kinds: ${(cause as Error).message}`;
    throw new Error(message, { cause });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function unpack(each: SdkPackage, work: string): void {
  const { name, version, integrity } = each;
  const archive = join(work, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  checkArchive(`${name} ${version}`, readFileSync(archive), integrity);
  const whole = mkdtempSync(join(work, 'whole-'));
  const part = mkdtempSync(join(work, 'part-'));
  execFileSync('tar', ['-xzf', archive, '-C', whole, '--strip-components=1'], { stdio: 'pipe' });
  for (const file of globSync([...declarations, ...scripts, 'package.json', 'LICENSE*'], { cwd: whole })) {
    cpSync(join(whole, file), join(part, file), { recursive: true });
  }
  rmSync(whole, { recursive: true });
  if (!existsSync(folderOf(each))) renameSync(part, folderOf(each));
}

/** @throws Error where an archive has another hash than `integrity` */
export function checkArchive(name: string, archive: Buffer, integrity: string): void {
  const hash = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (hash !== integrity) throw new Error(`${name} is ${hash}, not ${integrity}`);
}
