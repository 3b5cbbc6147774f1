import { expect, test } from '@jest/globals';
import { readProviderObjects } from '../../../runtime/volumes/csi/provider-object.ts';
import { readTexts } from '../../../runtime/volumes/csi/provider-request.ts';
import { readYaml } from '../../../runtime/volumes/options/bounded-yaml.ts';

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

test('500 objects with all their members are read, and one more is refused', async () => {
  expect(await read(objects(500, everyMember))).toHaveLength(500);
  await expect(read(objects(501))).rejects.toThrow('objects has more than 500 objects');
});

test('a class is read in pieces, so that the reader can let others go first', async () => {
  const pieces: number[] = [];
  const inPieces = (text: string) =>
    readProviderObjects(text, 0o644, async (job) => {
      pieces.push(job.texts.length);
      return readYaml(job);
    });
  expect(await inPieces(objects(60, everyMember))).toEqual(await read(objects(60, everyMember)));
  expect(pieces).toEqual([1, 25, 25, 10]);
  const wrong = objects(60).replace('objectName: name-40', 'objectName: [');
  await expect(inPieces(wrong)).rejects.toThrow(/^failed to unmarshal the object at index 40 of objects: /);
});

test('131,072 characters are read, and one more is refused', async () => {
  const text = withMember(`objectAlias: a # ${'x'.repeat(4000)}`);
  const comment = `# ${'x'.repeat(131_072 - text.length - 3)}\n`;
  expect(await read(comment + text)).toHaveLength(1);
  await expect(read(`#${comment}${text}`)).rejects.toThrow('objects has more than 131072 characters');
});

test('10,000 lines are read, and one more is refused', async () => {
  const text = objects(1);
  const lines = '\n'.repeat(10_000 - text.split('\n').length);
  expect(await read(lines + text)).toHaveLength(1);
  await expect(read(`\n${lines}${text}`)).rejects.toThrow('objects has more than 10000 lines');
});

test('100 versions of an object and 2,000 of a class are read, and one more is refused', async () => {
  expect(await read(withMember('objectVersionHistory: 100'))).toMatchObject([{ history: 100 }]);
  await expect(read(withMember('objectVersionHistory: 101'))).rejects.toThrow(/must be a whole number up to 100/);
  const history = (count: number) => objects(count, '  objectVersionHistory: 100\n');
  expect(await read(history(20))).toHaveLength(20);
  await expect(read(`${history(20)}${objects(1).replace('array:\n', '')}`)).rejects.toThrow(
    'objects asks for 2001 versions (objectVersionHistory), 2000 is the most',
  );
});

test('20 parts of an alias are read, and one more is refused', async () => {
  const alias = (parts: number) => withMember(`objectAlias: ${Array(parts).fill('a').join('/')}`);
  expect(await read(alias(20))).toHaveLength(1);
  await expect(read(alias(21))).rejects.toThrow(/objectAlias "a.*" cannot be a file name: it has more than 20 parts/);
});

test('50 members of an object are read, and one more is refused', async () => {
  const members = (count: number) => Array.from({ length: count }, (_, index) => `  other${index}: x\n`).join('');
  expect(await read(objects(1, members(48)))).toHaveLength(1);
  await expect(read(objects(1, members(49)))).rejects.toThrow(/index 0 of objects: it has more than 50 members/);
});

test('lists in each other are read up to ten, and deeper ones are refused before the rest is read', async () => {
  const nested = (depth: number) => withMember(`other: ${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(await read(nested(10))).toHaveLength(1);
  await expect(read(nested(11))).rejects.toThrow(/index 0 of objects: its lists and mappings are nested too deeply/);
});

/** What took the parser seconds: nesting, and an error for each part. */
const most = 128 * 1024;
test.each([
  ['lists', '['],
  ['mappings', '{a: '],
  ['lists of one line', '- '],
  ['keys that are mappings', '? '],
  ['mappings without a key', ': '],
])('%s that fill the parameter are refused at the first that is too deep', async (_, part) => {
  const refusal = 'failed to yaml unmarshal objects: its lists and mappings are nested too deeply';
  await expect(read(part.repeat(most / part.length))).rejects.toThrow(refusal);
});

test.each([
  ['commas', `[${','.repeat(most - 1)}`],
  ['items', `[${'a,'.repeat(most / 2 - 1)}`],
  ['keys', `{${'a,'.repeat(most / 2 - 1)}`],
  ['questions', `[${'? '.repeat(most / 2 - 1)}`],
  ['anchors', '&a '.repeat(most / 3)],
  ['tags', '!a '.repeat(most / 3)],
  ['broken escapes', `"${'\\u'.repeat(most / 2 - 1)}"`],
])('%s that fill the parameter are refused at the 5,000th part', async (_, text) => {
  await expect(read(text)).rejects.toThrow('failed to yaml unmarshal objects: it has more than 5000 parts');
});

test('the parts of all objects count together', async () => {
  const item = `- '[${'a,'.repeat(100)}]'\n`;
  const valid = `- '{objectName: a, objectType: secret, other: [${'a,'.repeat(100)}]}'\n`;
  expect(await read(`array:\n${valid.repeat(50)}`)).toHaveLength(50);
  await expect(read(`array:\n${valid.repeat(400)}`)).rejects.toThrow(
    /at index \d+ of objects: it and the texts before it have more than 40000 parts/,
  );
  await expect(read(`array:\n${item}`)).rejects.toThrow(/index 0 of objects: it must have objectName and objectType/);
});

test('the parser stops at the first bracket that closes nothing', async () => {
  await expect(read(']'.repeat(most))).rejects.toThrow(
    /failed to yaml unmarshal objects: Unexpected flow-seq-end token/,
  );
});

test('200 members of a call are read, and one more is refused before the document is parsed', () => {
  const members = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'a "text" \\'])));
  expect(readTexts({ attributes: members(200), secrets: members(200) }).attributes.get('k199')).toBe('a "text" \\');
  const refusal = 'attributes has more than 200 members';
  expect(() => readTexts({ attributes: members(201), secrets: 'null' })).toThrow(refusal);
  expect(() => readTexts({ attributes: members(201).slice(0, -1), secrets: 'null' })).toThrow(refusal);
  expect(() => readTexts({ attributes: '{}', secrets: members(201) })).toThrow('secrets has more than 200 members');
});
