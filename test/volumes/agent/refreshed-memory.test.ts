import { expect, test } from '@jest/globals';
import { fitsRefreshedMemory, mostRefreshedBytes } from '../../../runtime/volumes/agent/refresh/refreshed-memory.ts';

interface Volume {
  readonly directory: string;
  readonly refreshedBytes: number;
  readonly namespace: string;
}

const volume = (directory: string, namespace: string, refreshedBytes = 0): Volume => ({
  directory,
  namespace,
  refreshedBytes,
});
const limits = { namespaceOf: ({ namespace }: Volume) => namespace, most: 90 };

test('refreshes of a namespace alone write a half of the bytes for all, and what a volume had before does not count', () => {
  const own = volume('/own', 'a', 25);
  expect(fitsRefreshedMemory(own, 45, [own], limits)).toBe(true);
  expect(fitsRefreshedMemory(own, 46, [own], limits)).toBe(false);
  const beside = volume('/beside', 'a', 10);
  expect(fitsRefreshedMemory(own, 35, [own, beside], limits)).toBe(true);
  expect(fitsRefreshedMemory(own, 36, [own, beside], limits)).toBe(false);
});

test('refreshes of all namespaces leave room for the next one', () => {
  const others = ['b', 'c', 'd'].map((namespace) => volume(`/${namespace}`, namespace, 25));
  const own = volume('/own', 'a');
  expect(fitsRefreshedMemory(own, 7, [own, ...others], limits)).toBe(true);
  expect(fitsRefreshedMemory(own, 8, [own, ...others], limits)).toBe(false);
});

test('a container with a limit of memory has a fifth of it for refreshed files', () => {
  expect(mostRefreshedBytes(240 * 1024 * 1024)).toBe(48 * 1024 * 1024);
  for (const none of [0, 2 ** 63]) expect(mostRefreshedBytes(none)).toBe(48 * 1024 * 1024);
});
