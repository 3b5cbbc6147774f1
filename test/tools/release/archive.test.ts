import { execFileSync } from 'node:child_process';
import { linkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type Entry, readTar, tar, tarGz, tarOf } from '../../../tools/release/archive.ts';
import { ociLayout } from '../../../tools/release/chart.ts';
import { sha256, writeChecksums } from '../../../tools/release/checksums.ts';
import { scratch } from '../../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

const time = 1_700_000_000;

test('tar reads an archive: names in order, content, mode, time and no owner', () => {
  const archive = join(files.path, 'a.tar.gz');
  writeFileSync(archive, tarGz({ 'b/two': 'x'.repeat(513), 'a/one': 'é' }, time, ['b/two']));
  const list = execFileSync('tar', ['-tvzf', archive, '--utc'], { encoding: 'utf8' });
  expect(list.trim().split('\n')).toEqual([
    '-rw-r--r-- 0/0               2 2023-11-14 22:13 a/one',
    '-rwxr-xr-x 0/0             513 2023-11-14 22:13 b/two',
  ]);
  expect(execFileSync('tar', ['-xzOf', archive, 'a/one'], { encoding: 'utf8' })).toBe('é');
});

test('the same files in another order give the same bytes, and the gzip header names no time and no system', () => {
  const archive = tarGz({ a: '1', b: '2' }, time);
  expect(tarGz({ b: '2', a: '1' }, time)).toEqual(archive);
  expect([...archive.subarray(4, 8), archive[9]]).toEqual([0, 0, 0, 0, 255]);
});

test('a path that ustar cannot hold is an error', () => {
  expect(() => tar({ ['p'.repeat(101)]: '' }, time)).toThrow('cannot hold the path');
});

test('an archive gives back its files, directories and links', async () => {
  const entries: Entry[] = [
    { path: 'lib', type: 'SymbolicLink', mode: 0o777, linkpath: 'usr/lib' },
    { path: 'tmp', type: 'Directory', mode: 0o1777 },
    { path: `usr/${'p'.repeat(97)}`, type: 'File', mode: 0o755, content: Buffer.from('x'.repeat(1000)) },
  ];
  expect(await readTar(tarOf(entries.toReversed(), time))).toEqual(entries);
});

test('a member that is no file, directory or link is an error', async () => {
  const folder = join(files.path, 'hard-link');
  files.write('hard-link/one', '1');
  linkSync(join(folder, 'one'), join(folder, 'two'));
  const archive = execFileSync('tar', ['-cf', '-', '-C', folder, 'one', 'two']);
  await expect(readTar(archive)).rejects.toThrow('two of the archive is a Link');
});

test('each blob of the OCI layout has its digest as name, and the manifest has the digest and size of the chart', () => {
  const chart = Buffer.from('a chart');
  const layout = ociLayout(chart, '{"name":"azimuth"}', '1.2.3');
  const blobs = Object.entries(layout).filter(([path]) => path.startsWith('blobs/'));
  expect(blobs.map(([path]) => path)).toEqual(blobs.map(([, content]) => `blobs/sha256/${sha256(content)}`));
  const index = JSON.parse(String(layout['index.json']));
  expect(index.manifests[0].annotations).toEqual({ 'org.opencontainers.image.ref.name': '1.2.3' });
  const manifest = JSON.parse(String(layout[`blobs/${index.manifests[0].digest.replace(':', '/')}`]));
  expect(manifest.layers).toEqual([
    {
      mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
      digest: `sha256:${sha256(chart)}`,
      size: chart.length,
    },
  ]);
});

test('sha256sum accepts SHA256SUMS, whenever the files were written', () => {
  const one = files.write('sums/one', '1');
  files.write('sums/two', '2');
  utimesSync(one, 1, 1);
  const folder = join(files.path, 'sums');
  writeChecksums(folder);
  const told = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
  expect(told).toBe('one: OK\ntwo: OK\n');
});
