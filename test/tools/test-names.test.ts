import { expect, test } from '@jest/globals';
import { titlesOf } from '../../tools/test-names.ts';

test('titles are found wherever a test has one: rows once, templates with their placeholders, calls of others not', () => {
  const text = `
    test('plain', () => { regex.test('no title'); });
    const mounting = canMount ? describe : describe.skip;
    mounting('a group by condition', () => { test('of it', () => {}); });
    describe('a group', () => {
      (canMount ? test : test.skip)('by condition', () => {});
      test.each([1, 2])('row %s', () => {});
      it(\`of \${name}\`, async () => {});
    });`;
  expect(titlesOf('x.test.ts', text)).toEqual(['plain', 'of it', 'by condition', 'row %s', `of \${name}`]);
});
