import { expect, test } from '@jest/globals';
import { bytesInMemory, checkRoom, mountedVolumes, sourceOf } from '../../../runtime/volumes/mount/volume-memory.ts';
import { defaultSettings } from '../../../runtime/volumes/options/settings.ts';

const at = (device: string, point: string, source: string, type = 'tmpfs') =>
  `36 27 ${device} / ${point} rw,nosuid,nodev,noexec,relatime shared:7 - ${type} ${source} rw,size=16384k\n`;
const volume = (device: string, namespace: string, bytes: number) =>
  at(device, `/var/lib/kubelet/pods/u/volumes/azure~kv/${device}`, sourceOf({ namespace, bytes }));

test('memory counts in pages, with that of the tmpfs and of each entry', () => {
  expect(bytesInMemory([], 4096)).toBe(16_384);
  expect(bytesInMemory([0, 1, 4096, 4097], 4096)).toBe(16_384 + 4 * 6144 + (0 + 1 + 1 + 2) * 4096);
  expect(bytesInMemory([1])).toBeGreaterThanOrEqual(16_384 + 6144 + 4096);
});

test('volumes are read from the mount table, each once: a bind mount of a subPath is no further one', () => {
  const subPath = '/var/lib/kubelet/pods/u/volume-subpaths/kv/web/0';
  const source = sourceOf({ namespace: 'shop', bytes: 40_960 });
  const table =
    at('0:21', '/proc', 'proc', 'proc') +
    at('0:40', '/run', 'tmpfs') +
    volume('0:50', 'shop', 40_960) +
    at('0:50', subPath, source) +
    volume('0:51', '', 26_624);
  expect(mountedVolumes(table)).toEqual([
    { namespace: 'shop', bytes: 40_960 },
    { namespace: '', bytes: 26_624 },
  ]);
  expect(mountedVolumes('')).toEqual([]);
});

test('a mount whose source or place a tenant chose counts as no volume', () => {
  const table =
    at('0:60', '/mnt/share', 'azimuth-kv:victim:999999999999', 'nfs4') +
    at('0:61', '/mnt/a\\040-\\040tmpfs\\040azimuth-kv:victim:999999999999', 'server:/share', 'nfs4');
  expect(mountedVolumes(table)).toEqual([]);
});

test('a namespace that is full is refused with the bound, its setting and how to free memory, and others are not', () => {
  const table = volume('0:70', 'full', 500_000);
  const memory = { namespace: 'full', bytes: 30_000 };
  expect(() => checkRoom(memory, table, 1_000_000)).toThrow(
    /takes 30000 bytes .* of the namespace full take 500000 here, .* of 1000000 bytes \(nodeVolumeBytes in .*delete pods/,
  );
  expect(() => checkRoom({ ...memory, namespace: 'other' }, table, 1_000_000)).not.toThrow();
});

test('the message tells a namespace nothing about the volumes of others', () => {
  const table = volume('0:80', 'neighbour', 123_456) + volume('0:81', 'neighbour', 654_321);
  const refused = () => checkRoom({ namespace: 'shop', bytes: 200_000 }, table, 1_000_000);
  expect(refused).toThrow(/namespace shop take 0 here/);
  expect(refused).not.toThrow(/neighbour|123456|654321|777777|222223/);
});

test('volumes that the driver reads without the agent have one share together, whatever their options say', () => {
  const table = volume('0:90', '', 500_000);
  expect(() => checkRoom({ namespace: '', bytes: 30_000 }, table, 1_000_000)).toThrow(/mounted without the node agent/);
});

test('a node of 110 pods with five volumes of a few kilobytes each fits the default bound, in one namespace', () => {
  const bytes = bytesInMemory([1000, 2000, 5000]);
  const table = Array.from({ length: 549 }, (_, index) => volume(`1:${index}`, 'shop', bytes)).join('');
  expect(() => checkRoom({ namespace: 'shop', bytes }, table, defaultSettings.nodeVolumeBytes)).not.toThrow();
});
