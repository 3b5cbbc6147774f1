import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quoteIdentifier, quoteLiteral } from '../../runtime/databases/postgresql/quoting.ts';

const quotes = fc.string({
  unit: fc.constantFrom('"', "'", '\\', '`', '[', ']', '$', ';', '-', '/', '*', '\n', 'a', 'é', '😀'),
});

/** Reads a quoted identifier as PostgreSQL's scanner does; throws where it ends early. */
function readIdentifier(text: string): string {
  const [, inner] = /^"((?:[^"]|"")*)"$/s.exec(text) ?? [];
  if (inner === undefined) throw new Error(`no identifier: ${text}`);
  return inner.replaceAll('""', '"');
}

/** The same for a literal, with `standard_conforming_strings` off, where every backslash of a plain one would count. */
function readLiteral(text: string): string {
  const [, escaped, inner] = /^( E)?'((?:[^'\\]|''|\\.)*)'$/s.exec(text) ?? [];
  if (inner === undefined || (escaped === undefined && inner.includes('\\'))) throw new Error(`no literal: ${text}`);
  return inner.replaceAll(/''|\\(.)/gs, (found, next: string | undefined) => next ?? found.slice(1));
}

test('whatever a name or a password contains, it stays one token and keeps its value', () => {
  fc.assert(
    fc.property(fc.oneof(quotes, fc.string({ unit: 'binary' })), (text) => {
      fc.pre(!text.includes('\0'));
      expect(readIdentifier(quoteIdentifier(text))).toBe(text);
      expect(readLiteral(quoteLiteral(text))).toBe(text);
    }),
  );
});

test('a NUL is refused, which PostgreSQL would take for the end', () => {
  expect(() => quoteIdentifier('a\0b')).toThrow(RangeError);
  expect(() => quoteLiteral('a\0b')).toThrow(RangeError);
});
