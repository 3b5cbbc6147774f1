import { expect, test } from '@jest/globals';
import { PagesMemory } from '../../../runtime/ui/cluster/page-memory.ts';
import { PageRows } from '../../../runtime/ui/cluster/page-rows.ts';
import type { StreamMessage } from '../../../runtime/ui/messages.ts';
import { Model } from '../../../runtime/ui/page/model.ts';
import type { Row } from '../../../runtime/view/model/row.ts';
import { account, rowOf } from '../../view/support.ts';

const KIB = 1024;
const kind = {};

/** A page that may use so many KiB, and what it has received. */
function page(kibibytes: number, most = 20_000) {
  let used = 0;
  const share = new PagesMemory(2 * kibibytes * KIB).open({ user: 'a', share: 'a' }, () => undefined);
  const memory = {
    take(bytes: number) {
      const fits = share.take(bytes);
      if (fits) used += bytes;
      return fits;
    },
    give(bytes: number) {
      used -= bytes;
      share.give(bytes);
    },
  };
  const rows = new PageRows(most, memory);
  const model = new Model();
  const sizes: number[] = [];
  let version = 0;
  return {
    rows,
    model,
    sizes,
    used: () => used,
    put: (row: Row) => rows.put(row, { kind, metadata: { name: row.name, resourceVersion: `${version++}` } }),
    read() {
      for (let messages = rows.take(); messages.length > 0; messages = rows.take()) {
        for (const message of messages) {
          sizes.push(message.length);
          model.take(JSON.parse(message) as StreamMessage);
        }
      }
    },
  };
}

const rowIn = (namespace: string, name: string, message = ''): Row => {
  const row = rowOf(account(name, 'group'));
  return { ...row, id: `${row.group}/${row.kind}/${namespace}/${name}`, namespace, message };
};

test('objects that come and go without an end leave nothing behind while a page does not read', () => {
  const { rows, put, used, read, model } = page(1024);
  put(rowIn('demo', 'first'));
  read();
  const before = used();
  for (let index = 0; index < 5000; index++) {
    put(rowIn('demo', `account-${index}`));
    rows.remove(rowIn('demo', `account-${index}`).id);
  }
  expect(used()).toBe(before);
  read();
  expect([...model.rows.values()].map(({ name }) => name)).toEqual(['first']);
});

test('of more rows than the memory holds the page has the first ones, says so, and counts nothing when all go', () => {
  const { rows, put, used, read, model } = page(256);
  const all = Array.from({ length: 2000 }, (_, index) => rowIn('demo', `account-${index}`));
  for (const row of all) put(row);
  expect(used()).toBeLessThanOrEqual(256 * KIB);
  read();
  expect(model.rows.size).toBeGreaterThan(100);
  expect([model.limit, model.limitOf]).toEqual([model.rows.size, 'memory']);
  for (const row of all) rows.remove(row.id);
  read();
  expect([model.rows.size, used()]).toEqual([0, 0]);
});

test('a namespace with long rows makes room for those of the others, which are fewer bytes', () => {
  const { put, read, model } = page(256);
  for (let index = 0; index < 100; index++) put(rowIn('large', `account-${index}`, 'x'.repeat(8000)));
  for (let index = 0; index < 60; index++) put(rowIn('small', `account-${index}`));
  read();
  const { small = [], large = [] } = Object.groupBy(model.rows.values(), ({ namespace }) => namespace);
  expect(small).toHaveLength(60);
  expect(large.length).toBeGreaterThan(5);
});

test('rows that the page has make room for those of another namespace, so far as the page reads', () => {
  const { put, read, model, used } = page(256);
  for (let index = 0; index < 2000; index++) {
    put(rowIn('large', `account-${index}`));
    if (index % 20 === 0) read();
  }
  read();
  // It reads no more: what it has to remove is not counted, and must stay little.
  const refused = Array.from({ length: 200 }, (_, index) => put(rowIn('small', `account-${index}`))).indexOf(false);
  expect(refused).toBeGreaterThan(10);
  expect(refused).toBeLessThan(60);
  read();
  for (let index = 0; index < 100; index++) {
    put(rowIn('small', `account-${index}`));
    read();
  }
  const { small = [] } = Object.groupBy(model.rows.values(), ({ namespace }) => namespace);
  expect(small).toHaveLength(100);
  expect(used()).toBeLessThanOrEqual(256 * KIB);
});

test('a message has few rows where they are long, and an id that came back is on the page', () => {
  const { rows, put, read, model, sizes } = page(64 * KIB);
  const all = Array.from({ length: 1000 }, (_, index) => rowIn('demo', `account-${index}`, 'x'.repeat(8000)));
  for (const row of all) put(row);
  read();
  expect(Math.max(...sizes)).toBeLessThan(300 * KIB);
  for (const row of all) rows.remove(row.id);
  for (const row of all.slice(0, 10)) put(row);
  read();
  expect(model.rows.size).toBe(10);
});
