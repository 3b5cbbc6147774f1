import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { version as versionOfPrograms } from '../../runtime/base/version.ts';

/** The commit that a release is made of. */
export interface Source {
  /** That of package.json, of the programs and of the changelog. */
  readonly version: string;
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** When the commit was made, in seconds since 1970: the time of every file of the release. */
  readonly time: number;
}

/** A release in the making. */
export interface Release extends Source {
  /** Where the artefacts go. */
  readonly folder: string;
  /** Repository of the image in manifests and chart; its tag is the version. */
  readonly image: string;
}

/** The environment without settings of the synthesis, so that a person's shell does not change a release. */
export const cleanEnvironment = () => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AZIMUTH_|AZURE_|KUBERNETES_VERSION$|CDK8S_)/.test(name)),
  ),
  TZ: 'UTC',
  LC_ALL: 'C',
});

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Reads the checked-out commit. @throws for uncommitted changes, a tag of another version, versions that differ */
export function readSource(): Source {
  const changes = git('status', '--porcelain');
  if (changes !== '')
    throw new Error(`A release is made of a commit: commit or remove these changes first\n${changes}`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const tags = git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean);
  checkVersions(version, versionOfPrograms, tags, readFileSync('CHANGELOG.md', 'utf8'));
  return { version, commit: git('rev-parse', 'HEAD'), time: Number(git('log', '-1', '--format=%ct')) };
}

/**
 * Compares the version of package.json with that of the programs, the changelog's heading and the tags of the commit
 * (`v` and the version; none is a rehearsal). @throws naming what differs
 */
export function checkVersions(version: string, ofPrograms: string, tags: readonly string[], changelog: string): void {
  if (ofPrograms !== version) {
    throw new Error(`runtime/base/version.ts has ${ofPrograms}, package.json has ${version}: make them equal`);
  }
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((.+)\\)$`, 'm').exec(changelog)?.[1];
  if (heading === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (date)": add it`);
  const tag = tags.find((name) => /^v\d/.test(name));
  if (tag === undefined) return;
  if (tag !== `v${version}`) throw new Error(`The commit has the tag ${tag}, package.json the version ${version}`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(`CHANGELOG.md says "${heading}" for ${version}, which has the tag ${tag}: write the date`);
  }
}
