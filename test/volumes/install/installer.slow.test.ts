import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { installDriver, removeDriver } from '../../../runtime/volumes/install/installer.ts';
import { pluginDirectories, pluginDirectoryOf } from '../../../runtime/volumes/install/plugin-directory.ts';
import { eventually } from '../../fakes/eventually.ts';
import { scratch } from '../../fakes/scratch.ts';

const place = scratch();
afterAll(() => place.remove());
let count = 0;
let targetDirectory: string;
let source: string;
beforeEach(() => {
  const base = join(place.path, `t${count++}`);
  targetDirectory = join(base, 'exec');
  source = join(base, 'kv');
  mkdirSync(base);
  release('#!/bin/sh\necho one\n');
});

function release(content: string): void {
  writeFileSync(source, content);
  writeFileSync(`${source}.sha256`, `${createHash('sha256').update(content).digest('hex')}  kv\n`);
}
const driver = () => join(targetDirectory, 'azure~kv', 'kv');

test('the driver appears complete, executable, and in a directory that never lacked it', async () => {
  mkdirSync(targetDirectory);
  const seen: string[] = [];
  const watcher = watch(targetDirectory, (_, name) => {
    if (name && !name.startsWith('.')) seen.push(`${name}: ${readdirSync(join(targetDirectory, name)).join()}`);
  });
  expect(await installDriver({ targetDirectory, source })).toMatchObject({ path: driver(), changed: true });
  await eventually('the directory is seen', () => seen.length > 0);
  watcher.close();
  expect(new Set(seen)).toEqual(new Set(['azure~kv: kv']));
  expect(statSync(driver()).mode & 0o777).toBe(0o755);
  expect(spawnSync(driver()).stdout.toString()).toBe('one\n');
  expect(readdirSync(targetDirectory)).toEqual(['azure~kv']);
});

test('the same driver is left alone; another one replaces it, even while it runs', async () => {
  await installDriver({ targetDirectory, source });
  const { ino } = statSync(driver());
  expect(await installDriver({ targetDirectory, source })).toMatchObject({ changed: false });
  expect(statSync(driver()).ino).toBe(ino);
  release(readFileSync('/bin/sleep', 'latin1'));
  writeFileSync(source, readFileSync('/bin/sleep'));
  writeFileSync(`${source}.sha256`, createHash('sha256').update(readFileSync(source)).digest('hex'));
  await installDriver({ targetDirectory, source });
  const running = spawn(driver(), ['30']);
  await new Promise((resolve) => running.once('spawn', resolve));
  release('#!/bin/sh\necho three\n');
  expect(await installDriver({ targetDirectory, source })).toMatchObject({ changed: true });
  expect(spawnSync(driver()).stdout.toString()).toBe('three\n');
  running.kill();
});

test('a driver that is not what its digest says is not installed, and the old one stays', async () => {
  await installDriver({ targetDirectory, source });
  writeFileSync(source, '#!/bin/sh\necho tampered\n');
  await expect(installDriver({ targetDirectory, source })).rejects.toThrow(/does not have the digest/);
  writeFileSync(`${source}.sha256`, 'nonsense');
  await expect(installDriver({ targetDirectory, source })).rejects.toThrow(/SHA-256/);
  expect(spawnSync(driver()).stdout.toString()).toBe('one\n');
});

test('what an interrupted installation left is cleared, and a damaged driver is restored', async () => {
  await installDriver({ targetDirectory, source });
  writeFileSync(join(targetDirectory, 'azure~kv', '.kv.4711'), 'half');
  mkdirSync(join(targetDirectory, '.azure~kv.4711'));
  writeFileSync(driver(), 'damaged');
  expect(await installDriver({ targetDirectory, source })).toMatchObject({ changed: true });
  expect(readdirSync(targetDirectory)).toEqual(['azure~kv']);
  expect(readdirSync(join(targetDirectory, 'azure~kv'))).toEqual(['kv']);
});

test('settings are checked, put beside the driver under a name that kubelet ignores, and kept', async () => {
  const settings = JSON.stringify({ deadlineSeconds: 30 });
  await installDriver({ targetDirectory, source, settings });
  await installDriver({ targetDirectory, source });
  const file = join(targetDirectory, 'azure~kv', '.kv.json');
  expect(readFileSync(file, 'utf8')).toBe(settings);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const wrong = installDriver({ targetDirectory, source, settings: '{"deadline":1}' });
  await expect(wrong).rejects.toThrow(/deadlineSeconds/);
});

test('removing takes the driver and its settings, and leaves what is not its own', async () => {
  await installDriver({ targetDirectory, source, settings: '{}' });
  expect(removeDriver(targetDirectory)).toBe(true);
  expect(readdirSync(targetDirectory)).toEqual([]);
  expect(removeDriver(targetDirectory)).toBe(false);
  await installDriver({ targetDirectory, source });
  writeFileSync(join(targetDirectory, 'azure~kv', 'other'), '');
  removeDriver(targetDirectory);
  expect(readdirSync(join(targetDirectory, 'azure~kv'))).toEqual(['other']);
});

test('azimuth flexvolume install keeps the driver in place until SIGTERM; remove deletes it', async () => {
  const run = (...args: string[]) =>
    spawn(process.execPath, ['runtime/cli/azimuth.ts', 'flexvolume', ...args], {
      env: { PATH: process.env['PATH'] ?? '', TARGET_DIR: targetDirectory, KV_SOURCE: source, KV_INTERVAL: '1' },
    });
  const ended = (child: ReturnType<typeof run>) => new Promise((resolve) => child.once('close', resolve));
  const installer = run('install');
  await eventually('installed', () => existsSync(driver()));
  writeFileSync(driver(), 'damaged');
  await eventually('restored', () => readFileSync(driver(), 'utf8') === readFileSync(source, 'utf8'));
  installer.kill('SIGTERM');
  expect(await ended(installer)).toBe(0);
  expect(existsSync(driver())).toBe(true);
  expect(await ended(run('remove'))).toBe(0);
  expect(existsSync(driver())).toBe(false);
});

test.each(Object.entries(pluginDirectories))('the directory of %s is found where it is there', (_, directory) => {
  const host = join(place.path, `host${count++}`);
  mkdirSync(join(host, directory), { recursive: true });
  expect(pluginDirectoryOf(host)).toBe(directory);
});

test("kubelet's own configuration comes first, and its default last", () => {
  const host = join(place.path, `host${count++}`);
  mkdirSync(join(host, 'var/lib/kubelet'), { recursive: true });
  expect(pluginDirectoryOf(host)).toBe(pluginDirectories.kubeadm);
  mkdirSync(join(host, pluginDirectories.AKS), { recursive: true });
  writeFileSync(
    join(host, 'var/lib/kubelet/config.yaml'),
    'kind: KubeletConfiguration\nvolumePluginDir: /opt/plugins\n',
  );
  expect(pluginDirectoryOf(host)).toBe('/opt/plugins');
});

test('a directory that cannot be written is named', async () => {
  writeFileSync(targetDirectory, '');
  chmodSync(targetDirectory, 0o400);
  await expect(installDriver({ targetDirectory, source })).rejects.toThrow(/cannot be installed into .*azure~kv: E/);
});
