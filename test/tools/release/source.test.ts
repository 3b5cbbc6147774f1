import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { version } from '../../../runtime/base/version.ts';
import { checkVersions } from '../../../tools/release/source.ts';

const changelog = '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n## 0.1.0 (not released)\n';

test.each([
  ['a tag', ['v0.2.0']],
  ['no tag', []],
  ['a tag of something else', ['nightly']],
])('a commit with %s and equal versions is accepted', (_, tags) => {
  expect(() => checkVersions('0.2.0', '0.2.0', tags, changelog)).not.toThrow();
});

test.each([
  ['programs of another version', '0.2.0', '0.1.0', [], 'runtime/base/version.ts has 0.1.0, package.json has 0.2.0'],
  ['a tag of another version', '0.2.0', '0.2.0', ['v0.3.0'], 'the tag v0.3.0, package.json the version 0.2.0'],
  ['a version without a heading', '0.3.0', '0.3.0', [], 'no heading "## 0.3.0 (date)"'],
  ['a tag without a date', '0.1.0', '0.1.0', ['v0.1.0'], '"not released" for 0.1.0'],
])('%s is refused', (_, given, ofPrograms, tags, message) => {
  expect(() => checkVersions(given, ofPrograms, tags, changelog)).toThrow(message);
});

test('the sources at hand have one version', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(() => checkVersions(manifest.version, version, [], readFileSync('CHANGELOG.md', 'utf8'))).not.toThrow();
});

test('npm publish in the folder of the sources is refused', () => {
  const { scripts, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, ...args] = scripts.prepublishOnly.split(' ');
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Publish the tarball') });
  // Outside of a workflow npm cannot give provenance, and refuses.
  expect(publishConfig.provenance).toBe(true);
});
