import { expect, test } from '@jest/globals';
import { Yaml } from 'cdk8s';
import { printYaml } from '../../../constructs/gitops/manifest-yaml.ts';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { operatorKinds } from '../../../runtime/api/kinds.ts';

const texts = [
  ...['', ' ', 'a', 'y', 'No', 'NULL', 'true', '~', '1', '1e3', '0x1F', '017', '12:30', '2024-01-01', '.5', '-', '- a'],
  ...['a: b', 'a:', ':a', 'a:b', 'a::b', 'a #b', 'a#b', '#a', "it's", '"a"', 'say "a"', `"a" and 'b'`, '\\d+', 'a\\b'],
  ...[
    '[a]',
    '{a}',
    'a, b',
    '*a',
    '&a',
    '!a',
    '%a',
    '@a',
    '`a',
    '|',
    '> a',
    '? a',
    '?a',
    '<<',
    '=',
    'a = b',
    '---',
    '...',
  ],
  ...[
    'a ',
    ' a',
    'a-',
    'a\nb',
    'a\n',
    'a\n\n',
    '\na',
    ' a\n b',
    'a\n \nb',
    'a\n\n\nb\n',
    'a\tb',
    '\ta',
    'a\r\nb',
    '--- a\nb',
  ],
  ...['é', 'naïve: é', '😀', '\u0000', '\u2028', 'a\u00a0b', `${'word '.repeat(40)}end`, 'x'.repeat(2000), 'true: x #'],
  ...['https://example.org/a?b=c', '$a', '$(A)', '^[a-z0-9]$', '^(?!.* ).*: $', 'a: [b]', 'key: `value`', '"a": b'],
];

test.each(texts.map((text) => [text]))('%j is printed as the library prints it, wherever it stands', (text) => {
  const places = [
    text,
    [text],
    { a: text },
    { [text]: 1 },
    { [text]: { b: [text] } },
    { a: { b: [{ c: text, d: 1 }] } },
  ];
  for (const document of [...places, [[text], text], [{ a: [text] }]]) {
    expect(printYaml(document)).toBe(Yaml.stringify(document));
  }
});

const documents: unknown[] = [
  [1, -0, 1.5, 1e21, Number.NaN, true, false, null, undefined],
  { a: {}, b: [], c: undefined, d: [[], {}, [{}]], e: [[[1, 2], 3]] },
  { date: new Date(0), big: 12345678901234567890n },
  ...[{}, [], null, undefined, 'text', 7],
];

test.each(documents.map((document) => ({ document })))('document %# is as the library prints it', ({ document }) => {
  expect(printYaml(document)).toBe(Yaml.stringify(document));
});

test('several documents are separated as the library separates them', () => {
  expect(printYaml({ a: 1 }, undefined, [2])).toBe(Yaml.stringify({ a: 1 }, undefined, [2]));
});

test('definitions have the bytes of the library', () => {
  const some = operatorKinds.filter((_, index) => index % 12 === 0);
  const documents: unknown[] = JSON.parse(JSON.stringify(some.map((kind) => crdManifest(kind, { cel: true }))));
  expect(printYaml(...documents)).toBe(Yaml.stringify(...documents));
});

test('a text that cdk8s prints is printed alike at each depth', () => {
  const part = () => ({
    pattern: '^[a-z]+$',
    text: '# one\n\ntwo: "2"\n',
    nested: [{ rule: 'a: "b"' }, "'", "'"],
    zero: -0,
  });
  const document = { a: part(), b: [part(), { c: part() }], d: { e: { f: part() } } };
  expect(printYaml(document, document)).toBe(Yaml.stringify(document, document));
});
