import { expect, test } from '@jest/globals';
import { forestOf, kindKeyOf, waitsOf } from '../../runtime/view/model/forest.ts';
import type { Row } from '../../runtime/view/model/row.ts';
import { renderTree } from '../../runtime/view/tree/render.ts';
import { selectKind } from '../../runtime/view/tree/select.ts';
import { treeLines } from '../../runtime/view/tree/tree.ts';
import { account, group, notReady, rowOf } from './support.ts';

const text = (rows: readonly Row[], selection: Parameters<typeof treeLines>[1] = {}, colours = false) => {
  const listed = new Set(rows.map(({ id }) => kindKeyOf(id)));
  const lines = treeLines({ rows, listed, forbidden: [], problems: [] }, selection);
  return lines && renderTree(lines, { namespaces: false, wide: false, colours, now: 0 });
};
const storage = { group: 'storage.azure.com', kind: 'StorageAccount' };

test('the tree shows each object below its owner, and the object that it waits for', () => {
  const rows = [
    account('b', 'demo'),
    account('a', 'demo', notReady('Reconciling', 'Info')),
    group('demo'),
    account('lost', 'gone', notReady('WaitingForOwner', 'Warning')),
  ].map(rowOf);
  expect(text(rows)?.split('\n')).toEqual([
    'OBJECT               STATE        REASON           AGE  WAITS FOR',
    'ResourceGroup/demo   Ready        Succeeded',
    '├─StorageAccount/a   Reconciling  Reconciling',
    '└─StorageAccount/b   Ready        Succeeded',
    'StorageAccount/lost  Blocked      WaitingForOwner       ResourceGroup/gone (is missing)',
  ]);
});

test('the tree of an object shows its owners above it and not what else they own', () => {
  const rows = [account('b', 'demo'), account('a', 'demo'), group('demo'), group('other')].map(rowOf);
  const found = text(rows, { kind: storage, name: 'b' })?.split('\n').slice(1);
  expect(found?.map((line) => line.split(/\s{2,}/)[0])).toEqual(['ResourceGroup/demo', '└─StorageAccount/b']);
  expect(text(rows, { kind: storage, name: 'c' })).toBeUndefined();
});

test('without colours the state is a word, and colours only surround it', () => {
  const rows = [rowOf(group('demo', notReady('X', 'Error')))];
  const coloured = text(rows, {}, true) ?? '';
  expect(coloured).toContain('\u001b[31mFailed');
  expect(text(rows)).not.toContain('\u001b');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of colours
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(text(rows));
});

test('owners that form a circle appear once, and depth costs no recursion', () => {
  const link = (row: Row, to: string): Row => ({ ...row, links: [{ type: 'owner', to, text: 'x' }] });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => rowOf(group(name))) as [Row, Row, Row];
  const circle = [link(a, b.id), link(b, c.id), link(c, a.id)];
  expect(text(circle)?.split('\n')).toHaveLength(4);
  expect(text([link(a, a.id)])?.split('\n')).toHaveLength(2);

  const chain = Array.from({ length: 20_000 }, (_, index) => {
    const row = rowOf(group(`n${index}`));
    return index === 0 ? row : link(row, `resources.azure.com/ResourceGroup/demo/n${index - 1}`);
  });
  const lines = text(chain)?.split('\n') ?? [];
  expect(lines).toHaveLength(20_001);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(250);
});

test('every row is in the forest exactly once', () => {
  const rows = [account('b', 'demo'), account('a', 'none'), group('demo'), group('x')].map(rowOf);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const forest = forestOf(rows, (id) => byId.get(id));
  const all = (row: Row): Row[] => [row, ...forest.childrenOf(row).flatMap(all)];
  const ids = (list: readonly Row[]) => list.map(({ id }) => id).sort();
  expect(ids(forest.roots.flatMap(all))).toEqual(ids(rows));
});

test('an object whose owner may not be listed does not claim that it is missing', () => {
  const row = rowOf(account('a', 'demo', notReady('WaitingForOwner', 'Warning')));
  expect(
    waitsOf(
      row,
      () => undefined,
      () => false,
    ),
  ).toEqual([]);
  expect(
    waitsOf(
      row,
      () => undefined,
      () => true,
    ),
  ).toMatchObject([{ why: 'is missing' }]);
});

test.each(['StorageAccount', 'storageaccounts', 'storageaccount.storage', 'STORAGEACCOUNT.storage.azure.com'])(
  'a kind is found as kubectl finds it: %s',
  (kind) => {
    expect(selectKind({ kind })).toMatchObject(storage);
  },
);

test('an unknown kind and a kind of two groups name the choices', () => {
  expect(() => selectKind({ kind: 'storage' })).toThrow(/did you mean StorageAccount\?/);
  expect(() => selectKind({ kind: 'managedsecre' })).toThrow(/did you mean ManagedSecret\?/);
});
