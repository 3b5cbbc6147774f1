import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isMounted, mountPoints, mountsBelow } from '../../../runtime/volumes/mount/mounts.ts';

test('mount points are read with their escapes, and with letters of any language', () => {
  const table = [
    '22 27 0:21 / /proc rw,relatime - proc proc rw',
    '36 27 98:0 /mnt1 /mnt/two\\040words\\134 rw,noatime master:1 - tmpfs tmpfs rw',
    '37 27 98:1 / /mnt/größe rw - tmpfs tmpfs rw',
    '',
  ].join('\n');
  expect(mountPoints(table)).toEqual(['/proc', '/mnt/two words\\', '/mnt/größe']);
});

test('mounted directories are distinguished from others', () => {
  expect([isMounted('/proc'), isMounted('/proc/')]).toEqual([true, true]);
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-mounts-'));
  const link = join(directory, 'link');
  symlinkSync('/proc', link);
  expect([isMounted(directory), isMounted(join(directory, 'absent'))]).toEqual([false, false]);
  expect(isMounted(link)).toBe(true);
  expect(mountsBelow('/proc')).toContain('/proc');
  expect(mountsBelow(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});
