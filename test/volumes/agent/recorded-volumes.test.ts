import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { silentLogger } from '../../../runtime/base/observability/log.ts';
import { RecordedVolumes } from '../../../runtime/volumes/agent/refresh/recorded-volumes.ts';
import { recordName, tryReadRecord, writeRecord } from '../../../runtime/volumes/driver/mount-record.ts';

let records: string;
let volumes: RecordedVolumes;
const namespaces = new Map<string, string>();

beforeEach(() => {
  records = mkdtempSync(join(tmpdir(), 'azimuth-records-'));
  namespaces.clear();
  const get = (uid: string) => {
    const namespace = namespaces.get(uid);
    return namespace === undefined
      ? undefined
      : { apiVersion: 'v1', kind: 'Pod', metadata: { name: uid, namespace, uid } };
  };
  volumes = new RecordedVolumes({
    records,
    pods: { get, current: true },
    mounts: { isMounted: () => true },
    clock: systemClock,
    log: silentLogger,
    intervalMs: 60_000,
    random: () => 0.5,
  });
});
afterEach(() => rmSync(records, { recursive: true }));

function record(pod: string, volume: string, objects = 1, change: object = {}) {
  namespaces.set(pod, pod.split('-')[0] ?? '');
  const each = (text: string) =>
    Array.from({ length: objects }, (_, index) => text.replace('#', String(index))).join(';');
  const document = JSON.stringify({
    tenantid: 't.example',
    keyvaultname: 'kv1',
    keyvaultobjectnames: each('one'),
    keyvaultobjectaliases: each('file-#'),
    keyvaultobjecttypes: each('secret'),
    'kubernetes.io/secret/clientid': 'Yw==',
    'kubernetes.io/secret/clientsecret': 'c2VjcmV0LW9mLXRoZS1jbGllbnQ=',
    refresh: 'true',
    ...change,
  });
  const directory = `/var/lib/kubelet/pods/${pod}/volumes/azure~kv/${volume}`;
  writeRecord(records, { directory, document, versions: {} });
  return { directory, document };
}

test('a volume is known by its record without its options, which stay on the disk', async () => {
  record('shop-1', 'v');
  expect(await volumes.scan()).toEqual([]);
  expect(volumes.all).toMatchObject([{ uid: 'shop-1', objects: 1 }]);
  expect(JSON.stringify(volumes.all)).not.toMatch(/secret-of-the-client|c2VjcmV0LW9m/);
});

test('new versions in a record keep the times of its volume, and new options reset them', async () => {
  const { directory, document } = record('shop-1', 'v');
  await volumes.scan();
  const [before] = volumes.all;
  writeRecord(records, { directory, document, versions: { 'file-0': '2' } });
  await volumes.scan();
  expect(volumes.all[0]).toBe(before);
  record('shop-1', 'v', 1, { refresh: '30' });
  await volumes.scan();
  expect(volumes.all).toMatchObject([{ intervalMs: 30_000 }]);
});

test('volumes beyond the objects of one namespace are refused once, and others are taken up', async () => {
  for (let index = 0; index < 25; index++) record(`flood-${index}`, 'v', 500);
  record('shop-1', 'v', 500);
  const refused = await volumes.scan();
  expect(refused).toHaveLength(5);
  expect(refused.every(({ uid }) => uid?.startsWith('flood-'))).toBe(true);
  expect(volumes.all.map(({ uid }) => uid)).toContain('shop-1');
  expect(await volumes.scan()).toEqual([]);
});

test('a record that is gone, or cannot be read, is no volume', async () => {
  const { directory } = record('shop-1', 'v');
  writeFileSync(join(records, 'broken.json'), '{');
  await volumes.scan();
  expect(volumes.all).toHaveLength(1);
  rmSync(join(records, recordName(directory)));
  await volumes.scan();
  expect(volumes.all).toEqual([]);
});

test('a record of many megabytes is not read', async () => {
  const { directory, document } = record('shop-1', 'v');
  writeRecord(records, { directory, document, versions: { long: 'x'.repeat(2 * 1024 * 1024) } });
  await volumes.scan();
  expect(volumes.all).toEqual([]);
  expect(tryReadRecord(records, recordName(directory))).toBeUndefined();
});
