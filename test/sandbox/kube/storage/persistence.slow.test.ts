import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Store } from '../../../../sandbox/kube/model/store.ts';
import { openJournal } from '../../../../sandbox/kube/storage/persistence.ts';
import { configMaps, crds, startApi, widget, widgetCrd, widgets } from '../api.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-kube-'));
  file = join(folder, 'state.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = () => {
  const store = new Store();
  openJournal(file, store);
  return store;
};
const object = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const content = (store: Store) => [...store.records()].map((record) => JSON.stringify(record)).sort();

test('a restart finds objects, definitions, keys and the position; older positions have expired', async () => {
  const options = { dir: folder, persistFile: file };
  const first = await startApi(options);
  await first.post(crds, widgetCrd());
  const made = await first.post(widgets, widget('kept', { size: 1 }));
  await first.post(configMaps, { metadata: { name: 'dropped' } });
  await first.delete(`${configMaps}/dropped`);
  const before = await first.get(widgets);
  await first.close();

  const second = await startApi(options);
  try {
    expect(second.kube.caPem).toBe(first.kube.caPem);
    expect((await second.get(`${widgets}/kept`)).body).toEqual(made.body);
    expect((await second.get(`${configMaps}/dropped`)).code).toBe(404);
    const version = Number(before.body['metadata'].resourceVersion);
    const next = await second.merge(`${widgets}/kept`, { spec: { size: 2 } });
    expect(Number(next.body['metadata'].resourceVersion)).toBe(version + 1);
    const old = await second.watch(`${widgets}?watch=1&resourceVersion=${version - 1}&timeoutSeconds=1`);
    expect(old).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    const current = await second.watch(`${widgets}?watch=1&resourceVersion=${version}`, (all) => all.length > 0);
    expect(current).toMatchObject([{ type: 'MODIFIED', object: { spec: { size: 2 } } }]);
  } finally {
    await second.close();
  }
});

test('a line that a crash cut short is dropped, and writing goes on behind the last good one', () => {
  const store = opened();
  store.put('things', 'a', object('a'));
  store.put('things', 'b', object('b'));
  store.close();
  const whole = readFileSync(file, 'utf8');
  for (const cut of [1, 5, whole.length - whole.indexOf('\n') - 2]) {
    writeFileSync(file, whole.slice(0, -cut));
    const again = opened();
    expect(again.get('things', 'a')).toBeDefined();
    expect(again.get('things', 'b')).toBeUndefined();
    expect(again.put('things', 'c', object('c'))['metadata'].resourceVersion).toBe('2');
    again.close();
    expect(content(opened())).toEqual(content(again));
  }
});

test('a damaged line in the middle is named', () => {
  opened().put('things', 'a', object('a'));
  appendFileSync(file, 'rubbish\n{"rv":9}\n');
  expect(() => opened()).toThrow(/line 2 of .*state\.jsonl/);
});

test('the file is replaced by a snapshot before it grows without bound', async () => {
  const store = opened();
  for (let index = 0; index < 12_000; index += 1) store.put('things', 'same', object('same', { index }));
  store.delete('things', 'other');
  await new Promise((resolve) => setImmediate(resolve));
  store.put('things', 'last', object('last'));
  store.close();
  expect(statSync(file).size).toBeLessThan(12_000 * 40);
  const again = opened();
  expect(again.revision).toBe(12_001);
  expect(content(again)).toEqual(content(store));
});

test('only the owner can read what may be secret', () => {
  opened().put('secrets', 'default/a', object('a'));
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('what was acknowledged survives kill -9 of the process', async () => {
  const script = `
    import { Store } from '${join(process.cwd(), 'sandbox/kube/model/store.ts')}';
    import { openJournal } from '${join(process.cwd(), 'sandbox/kube/storage/persistence.ts')}';
    const store = new Store();
    openJournal(${JSON.stringify(file)}, store);
    for (let index = 0; ; index += 1) {
      store.put('things', 'n' + (index % 50), { metadata: { name: 'n' }, index });
      process.stdout.write(store.revision + '\\n');
      if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.length > 60_000) child.kill('SIGKILL');
    });
    child.on('close', () => resolve());
  });
  const acknowledged = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
  expect(acknowledged).toBeGreaterThan(1000);
  expect(opened().revision).toBeGreaterThanOrEqual(acknowledged);
});
