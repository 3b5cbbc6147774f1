import { expect, test } from '@jest/globals';
import { readProviderObjects } from '../../../runtime/volumes/csi/provider-object.ts';

const read = (text: string) => readProviderObjects(text, 0o644);
const objects = (count: number, members = '') =>
  `array:\n${Array.from({ length: count }, (_, index) => `- |\n  objectName: name-${index}\n  objectType: secret\n${members}`).join('')}`;
const withMember = (member: string) => objects(1, `  ${member}\n`);
const everyMember = `  objectVersion: "0123456789abcdef0123456789abcdef"
  objectAlias: directory/file-with-a-long-name.pem
  objectFormat: pem
  objectEncoding: utf-8
  objectVersionHistory: 4
  filePermission: "0440" # for the group
`;

test('500 objects with all their members are read, and one more is refused', () => {
  expect(read(objects(500, everyMember))).toHaveLength(500);
  expect(() => read(objects(501))).toThrow('objects has more than 500 objects');
});

test('131,072 characters are read, and one more is refused', () => {
  const text = withMember(`objectAlias: a # ${'x'.repeat(4000)}`);
  const comment = `# ${'x'.repeat(131_072 - text.length - 3)}\n`;
  expect(read(comment + text)).toHaveLength(1);
  expect(() => read(`#${comment}${text}`)).toThrow('objects has more than 131072 characters');
});

test('10,000 lines are read, and one more is refused', () => {
  const text = objects(1);
  const lines = '\n'.repeat(10_000 - text.split('\n').length);
  expect(read(lines + text)).toHaveLength(1);
  expect(() => read(`\n${lines}${text}`)).toThrow('objects has more than 10000 lines');
});

test('100 versions of an object and 2,000 of a class are read, and one more is refused', () => {
  expect(read(withMember('objectVersionHistory: 100'))).toMatchObject([{ history: 100 }]);
  expect(() => read(withMember('objectVersionHistory: 101'))).toThrow(/must be a whole number up to 100/);
  const history = (count: number) => objects(count, '  objectVersionHistory: 100\n');
  expect(read(history(20))).toHaveLength(20);
  expect(() => read(`${history(20)}${objects(1).replace('array:\n', '')}`)).toThrow(
    'objects asks for 2001 versions (objectVersionHistory), 2000 is the most',
  );
});

test('50 members of an object are read, and one more is refused', () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `  other${index}: x\n`).join('');
  expect(read(objects(1, members(48)))).toHaveLength(1);
  expect(() => read(objects(1, members(49)))).toThrow(/index 0 of objects: it has more than 50 members/);
});

test('lists in each other are read up to ten, and deeper ones are refused before the rest is read', () => {
  const nested = (depth: number) => withMember(`other: ${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(read(nested(10))).toHaveLength(1);
  expect(() => read(nested(11))).toThrow(/index 0 of objects: its lists and mappings are nested too deeply/);
});

/** What took the parser seconds: nesting, and an error for each part. */
const most = 128 * 1024;
test.each([
  ['lists', '['],
  ['mappings', '{a: '],
  ['lists of one line', '- '],
  ['keys that are mappings', '? '],
  ['mappings without a key', ': '],
])('%s that fill the parameter are refused at the first that is too deep', (_, part) => {
  const refusal = 'failed to yaml unmarshal objects: its lists and mappings are nested too deeply';
  expect(() => read(part.repeat(most / part.length))).toThrow(refusal);
});

test.each([
  ['commas', `[${','.repeat(most - 1)}`],
  ['items', `[${'a,'.repeat(most / 2 - 1)}`],
  ['keys', `{${'a,'.repeat(most / 2 - 1)}`],
  ['questions', `[${'? '.repeat(most / 2 - 1)}`],
  ['anchors', '&a '.repeat(most / 3)],
  ['tags', '!a '.repeat(most / 3)],
  ['broken escapes', `"${'\\u'.repeat(most / 2 - 1)}"`],
])('%s that fill the parameter are refused at the 40,000th part', (_, text) => {
  expect(() => read(text)).toThrow('failed to yaml unmarshal objects: it has more than 40000 parts');
});

test('the parts of all objects count together', () => {
  const item = `- '[${'a,'.repeat(100)}]'\n`;
  const valid = `- '{objectName: a, objectType: secret, other: [${'a,'.repeat(100)}]}'\n`;
  expect(read(`array:\n${valid.repeat(50)}`)).toHaveLength(50);
  expect(() => read(`array:\n${valid.repeat(400)}`)).toThrow(/at index \d+ of objects: it has more than 40000 parts/);
  expect(() => read(`array:\n${item}`)).toThrow(/index 0 of objects: it must have objectName and objectType/);
});

test('the parser stops at the first bracket that closes nothing', () => {
  expect(() => read(']'.repeat(most))).toThrow(/failed to yaml unmarshal objects: Unexpected flow-seq-end token/);
});
