import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeVolume } from '../../../runtime/volumes/mount/atomic-writer.ts';
import { fillVolume, unmountVolume } from '../../../runtime/volumes/mount/mount.ts';
import type { Mounts } from '../../../runtime/volumes/mount/mounts.ts';

test('a directory that is no tmpfs any more is not written to', () => {
  const files = [{ name: 'password', content: Buffer.from('secret'), mode: 0o440 }];
  // Nothing could be written there in any case.
  expect(() => writeVolume('/proc', files, { mounted: true })).toThrow(/not mounted any more/);
});

test('a volume that the agent has open for a moment is unmounted after that', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-volume-'));
  let mounted = true;
  let tries = 0;
  const mounts: Partial<Mounts> = {
    isMounted: () => mounted,
    unmount() {
      if (++tries < 3) throw new Error(`${directory} cannot be unmounted: EBUSY`);
      mounted = false;
    },
  };
  await unmountVolume(directory, mounts as Mounts);
  expect(tries).toBe(3);
  rmSync(directory, { recursive: true, force: true });
});

test('a volume that stays busy, or fails otherwise, is reported', async () => {
  const failing = (message: string): Mounts =>
    ({
      isMounted: () => true,
      unmount() {
        throw new Error(message);
      },
    }) as Partial<Mounts> as Mounts;
  await expect(unmountVolume('/x/y', failing('EBUSY'))).rejects.toThrow(/EBUSY/);
  await expect(unmountVolume('/x/y', failing('not permitted'))).rejects.toThrow(/not permitted/);
});

test.each([
  [
    'EMFILE: too many open files, open',
    { code: 'EMFILE' },
    /EMFILE: too many open files.*; raise the limit of open files/,
  ],
  ['ENFILE: file table overflow, open', { code: 'ENFILE' }, /ENFILE: file table overflow.*; raise fs.file-max/],
  ['EIO: i/o error, write', { code: 'EIO' }, /EIO: i\/o error, write$/],
  ['no code', {}, /: no code$/],
])('files that cannot be written are reported with the reason: %s', (message, code, expected) => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-volume-'));
  const step = () => {
    throw Object.assign(new Error(message), code);
  };
  const fill = () => fillVolume(directory, { files: [{ name: 'a', content: Buffer.alloc(1), mode: 0o440 }] }, { step });
  expect(fill).toThrow(expected);
  expect(fill).toThrow(expect.objectContaining({ code: 'AZ_VOLUME_MOUNT' }));
  rmSync(directory, { recursive: true, force: true });
});
