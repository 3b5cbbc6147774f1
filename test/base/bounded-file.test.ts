import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cloudFromFile } from '../../runtime/azure/clouds.ts';
import { readBoundedFile, readBoundedTextSync } from '../../runtime/base/bounded-file.ts';
import { systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { cloudSettings } from '../../runtime/identity/cloud-config.ts';
import { fileText } from '../../runtime/kube/config/text-source.ts';
import { HostChallenge } from '../../runtime/nmi/http/host-token.ts';
import { readSettings } from '../../runtime/volumes/options/settings.ts';

const root = mkdtempSync(join(tmpdir(), 'azimuth-files-'));
afterAll(() => rmSync(root, { recursive: true }));
const allowed = join(root, 'allowed');
const other = join(root, 'allowed-not');
for (const each of [allowed, other]) mkdirSync(each);
const file = (path: string, content: string | Buffer) => {
  writeFileSync(path, content);
  return path;
};
const options = { maxBytes: 100_000, directories: [allowed] };
const content = async (path: string, more = {}) => (await readBoundedFile(path, { ...options, ...more })).toString();

test('a file of a directory is read, also through the links by which kubelet swaps a volume', async () => {
  mkdirSync(join(allowed, '..2026'));
  file(join(allowed, '..2026', 'token'), 'one');
  symlinkSync('..2026', join(allowed, '..data'));
  symlinkSync('..data/token', join(allowed, 'token'));
  expect(await content(join(allowed, 'token'))).toBe('one');
});

test('a file of the greatest length is read, one more byte is too much', async () => {
  expect(await content(file(join(allowed, 'most'), 'x'.repeat(100_000)))).toHaveLength(100_000);
  await expect(content(file(join(allowed, 'more'), 'x'.repeat(100_001)))).rejects.toThrow(/longer than 100000 bytes/);
});

test('nothing outside of the directories is read, by no way of writing its path', async () => {
  const secret = file(join(other, 'secret'), 's');
  symlinkSync(secret, join(allowed, 'link'));
  symlinkSync(other, join(allowed, 'linked-directory'));
  for (const path of [
    secret,
    join(allowed, 'link'),
    join(allowed, 'linked-directory', 'secret'),
    `${allowed}/../allowed-not/secret`,
    '/etc/passwd',
  ]) {
    await expect(content(path)).rejects.toThrow(/in no directory from which files may be read/);
  }
  await expect(content('allowed/token')).rejects.toThrow(/not absolute/);
  await expect(content(secret, { directories: [] })).rejects.toThrow(/in no directory/);
});

test('only what is a regular file is read, and nothing that stands for the system', async () => {
  const pipe = join(allowed, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(content(pipe)).rejects.toThrow(/no regular file/);
  await expect(content(allowed)).rejects.toThrow(/no regular file/);
  symlinkSync('/proc/self/pagemap', join(allowed, 'pagemap'));
  symlinkSync('/dev/zero', join(allowed, 'zero'));
  for (const path of [
    '/proc/self/pagemap',
    '/proc/self/environ',
    '/dev/zero',
    join(allowed, 'pagemap'),
    join(allowed, 'zero'),
  ]) {
    await expect(content(path)).rejects.toThrow(/no file of a volume/);
    await expect(content(path, { directories: ['/'] })).rejects.toThrow(/no file of a volume/);
  }
});

const megabyte = 1024 * 1024;

test('text is read at once up to its greatest length, through the links of a volume', () => {
  expect(readBoundedTextSync(join(allowed, 'token'))).toBe('one');
  expect(readBoundedTextSync(file(join(allowed, 'most-text'), 'x'.repeat(megabyte)))).toHaveLength(megabyte);
  expect(() => readBoundedTextSync(join(allowed, 'absent'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

const readers: readonly (readonly [string, (path: string) => unknown])[] = [
  [
    "the cloud provider's configuration",
    (path) => cloudSettings({ file: path, env: {}, log: silentLogger, context: unused }),
  ],
  ['AZURE_ENVIRONMENT_FILEPATH', cloudFromFile],
  ['a token or certificate of a kubeconfig', (path) => fileText(path, 'Kubeconfig').read()],
  ['the host token', (path) => HostChallenge.open(path, systemClock)],
  ["the driver's settings", readSettings],
];
function unused(): never {
  throw new Error('not reached');
}

test.each(readers)('%s comes from a bounded, regular file, and the error says which it is not', (_, read) => {
  const long = file(join(allowed, 'long'), 'x'.repeat(megabyte + 1));
  expect(() => read(long)).toThrow(/longer than \d+ bytes/);
  const pipe = join(allowed, 'pipe');
  expect(() => read(pipe)).toThrow(/no regular file/);
  expect(() => read('/dev/zero')).toThrow(/no file of a volume/);
});
