import { expect, test } from '@jest/globals';
import { mountPoints } from '../../runtime/volumes/mounts.ts';

test('mount points are read with their escapes, and with letters of any language', () => {
  const table = [
    '22 27 0:21 / /proc rw,relatime - proc proc rw',
    '36 27 98:0 /mnt1 /mnt/two\\040words\\134 rw,noatime master:1 - tmpfs tmpfs rw',
    '37 27 98:1 / /mnt/größe rw - tmpfs tmpfs rw',
    '',
  ].join('\n');
  expect(mountPoints(table)).toEqual(['/proc', '/mnt/two words\\', '/mnt/größe']);
});
