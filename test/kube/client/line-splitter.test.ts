import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from '../../../runtime/kube/client/line-splitter.ts';

test('lines are the same however the bytes are cut, UTF-8 sequences included', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\s\ufeff]/g, '_'));
  fc.assert(
    fc.property(fc.array(line), line, fc.array(fc.nat(200)), (lines, last, cuts) => {
      const bytes = Buffer.from([...lines, last].join('\n'));
      const positions = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const splitter = new LineSplitter();
      const found: string[] = [];
      let start = 0;
      for (const end of [...positions, bytes.length]) {
        found.push(...splitter.push(bytes.subarray(start, end)));
        start = end;
      }
      expect(found).toEqual(lines.filter((text) => text !== ''));
      expect(splitter.rest()).toBe(last);
    }),
  );
});

test('a line of megabytes in small pieces is joined once', () => {
  const splitter = new LineSplitter();
  const piece = Buffer.alloc(16_384, 'x');
  const found: string[] = [];
  for (let i = 0; i < 1024; i++) found.push(...splitter.push(piece));
  expect(found).toEqual([]);
  found.push(...splitter.push(Buffer.from('y\nz')));
  expect(found.map((line) => line.length)).toEqual([1024 * 16_384 + 1]);
  expect(splitter.rest()).toBe('z');
});

test('blank lines and carriage returns are no events', () => {
  const splitter = new LineSplitter();
  expect([...splitter.push(Buffer.from('\n\r\na\r\n\n'))]).toEqual(['a']);
  expect(splitter.rest()).toBe('');
});

test('a line without end is refused', () => {
  const splitter = new LineSplitter();
  const piece = Buffer.alloc(1024 * 1024, 'x');
  expect(() => {
    for (let i = 0; i < 20; i++) expect([...splitter.push(piece)]).toEqual([]);
  }).toThrow('a line is longer than 16777216 bytes');
});
