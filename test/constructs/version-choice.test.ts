import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { descriptionsOf, versionsOf } from '../../constructs/version-choice.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf } from '../../runtime/api/kinds.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-versions-'));
  mkdirSync(join(folder, 'apps', 'deep'), { recursive: true });
  writeFileSync(
    join(folder, 'one.yaml'),
    'apiVersion: storage.azure.com/v1api20230101\nkind: StorageAccount\n---\napiVersion: v1\nkind: Secret\n',
  );
  writeFileSync(
    join(folder, 'apps', 'deep', 'list.yml'),
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: "resources.azure.com/v1api20200601" # old\n  kind: ResourceGroup\n',
  );
  writeFileSync(join(folder, 'notes.txt'), 'apiVersion: sql.azure.com/v1api20211101\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('versions are those that the manifests of a folder name, or those of one file', () => {
  const [account, group] = ['storage.azure.com/v1api20230101', 'resources.azure.com/v1api20200601'];
  expect(versionsOf(`used:${folder}`)).toEqual([group, account]);
  expect(versionsOf(`used:${join(folder, 'one.yaml')}`)).toEqual([account]);
  expect([versionsOf('all'), versionsOf('newest')]).toEqual(['all', 'newest']);
});

test('what is not there is refused', () => {
  expect(() => versionsOf(`used:${join(folder, 'none')}`)).toThrow('that exists');
  expect(() => versionsOf('used:')).toThrow('one of all, newest');
});

test('a definition serves its newest version, which is stored, and those that are named', () => {
  const versions = versionsOf(`used:${folder}`);
  const served = (group: string, kind: string) =>
    crdManifest(kindOf(group, kind), { versions }).spec.versions.map(({ name, storage }) => [name, storage]);
  const newest = kindOf('storage.azure.com', 'StorageAccount').versions[0]?.name;
  expect(served('storage.azure.com', 'StorageAccount')).toEqual([
    [newest, true],
    ['v1api20230101', false],
  ]);
  expect(served('sql.azure.com', 'Server')).toHaveLength(1);
});

test('descriptions are chosen by a word, and a clone has none by default', () => {
  expect(['newest', 'all', 'none'].map((word) => descriptionsOf(word))).toEqual(['newest', 'all', false]);
  expect([descriptionsOf(undefined, 'used:apps'), descriptionsOf('')]).toEqual([false, false]);
  expect(() => descriptionsOf('true')).toThrow('AZIMUTH_DESCRIPTIONS to be one of newest, all, none, got `true`');
});
