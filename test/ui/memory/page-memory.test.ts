import { expect, test } from '@jest/globals';
import { PagesMemory } from '../../../runtime/ui/cluster/page-memory.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const of = (user: string) => ({ user, share: user });

test('the pages of one user take half of the memory together', () => {
  const memory = new PagesMemory(8 * MIB);
  const [one, two] = [memory.open(of('a'), () => undefined), memory.open(of('a'), () => undefined)];
  expect([one.take(3 * MIB), two.take(MIB), one.take(1), two.take(1)]).toEqual([true, true, false, false]);
  one.give(MIB);
  expect([two.take(MIB), one.take(1)]).toEqual([true, false]);
  two.close();
  expect([one.take(2 * MIB), two.take(1)]).toEqual([true, false]);
});

test('service accounts of one namespace have the memory of one user', () => {
  const memory = new PagesMemory(8 * MIB);
  const pages = ['one', 'two', 'three'].map((user) => memory.open({ user, share: 'namespace a' }, () => undefined));
  expect(pages.map((page) => page.take(2 * MIB))).toEqual([true, true, false]);
});

test('where all of it is in use, the largest share loses its oldest page to a smaller one, and no other', () => {
  const memory = new PagesMemory(8 * MIB);
  const ended: string[] = [];
  const open = (user: string, name: string) => memory.open(of(user), () => ended.push(name));
  const [first, second, other] = [open('a', 'first'), open('a', 'second'), open('b', 'other')];
  expect([first.take(2 * MIB), second.take(2 * MIB), other.take(3 * MIB)]).toEqual([true, true, true]);
  const small = open('c', 'small');
  expect(small.take(MIB)).toBe(true);
  expect(ended).toEqual([]);
  expect(small.take(64 * KIB)).toBe(true);
  expect(ended).toEqual(['first']);
  expect([first.take(1), second.take(1), other.take(MIB)]).toEqual([false, true, true]);
  expect(ended).toEqual(['first']);
});

test('many small pages take no more than there is', () => {
  const memory = new PagesMemory(MIB);
  const takes = Array.from({ length: 100 }, () => memory.open(of('a'), () => undefined).take(1));
  expect(takes.filter(Boolean)).toHaveLength(8);
});
