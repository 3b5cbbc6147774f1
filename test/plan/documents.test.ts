import { Readable } from 'node:stream';
import { afterAll, expect, test } from '@jest/globals';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../runtime/plan/read-documents.ts';
import { readFiles } from '../../runtime/plan/read-files.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());
const manifests = (text: string) => documentsOf([{ name: 'a.yaml', text }]).map(({ manifest }) => manifest);
const noInput = () => Readable.from([]);

test('files have several documents, empty ones and lists', () => {
  expect(manifests('---\na: 1\n---\n---\nkind: List\nitems: [{b: 2}, {c: 3}]\n')).toEqual([
    { a: 1 },
    { b: 2 },
    { c: 3 },
  ]);
  expect(() => manifests('a: [')).toThrow(/a\.yaml cannot be read: line 1 is not YAML/);
});

test.each([
  ['an open quote', 'a: 1\npassword: "hunter2\nb: [\n', 2],
  ['a line after the Secret', 'b: [\npassword: hunter2\n', 2],
  ['an indentation', 'a:\n  b: 1\n password: hunter2\n', 3],
  ['a member twice', 'hunter2: 1\nhunter2: 2\n', 2],
  ['an alias', 'password: *hunter2\n', undefined],
] as const)('a parser does not quote the file, which may have a Secret: %s', (_, text, line) => {
  const read = () => manifests(text);
  expect(read).toThrow(line === undefined ? /cannot be read: an alias in it/ : /cannot be read: line \d is not YAML/);
  expect(read).not.toThrow(/hunter2/);
});

test('a folder stands for its files in YAML and JSON by name, and - for standard input', async () => {
  const first = files.write('folder/b.yaml', 'b: 1');
  files.write('folder/a.json', '{"a": 1}');
  files.write('folder/readme.md', '# no manifest');
  const folder = first.replace(/\/b\.yaml$/, '');
  const read = await readFiles([folder, '-'], Readable.from(['c: ', '1']));
  expect(read.map(({ name, text }) => [name.split('/').at(-1), text])).toEqual([
    ['a.json', '{"a": 1}'],
    ['b.yaml', 'b: 1'],
    ['standard input', 'c: 1'],
  ]);
  const places = documentsOf(read).map(({ place }) => place.split('/').at(-1));
  expect(places).toEqual(['a.json:1 documents[0]', 'b.yaml:1 documents[0]', 'standard input:1 documents[0]']);
});

test('a place has the line of the document, or of the item of a list', () => {
  const text = [
    '# A comment',
    '---',
    'kind: Pod',
    '---',
    '---',
    'apiVersion: v1',
    'kind: List',
    'items:',
    '- kind: Pod',
    '  metadata: {}',
    '- &pod',
    '  kind: Pod',
    '- *pod',
    '---',
    '{"kind": "StorageAccountList", "items": [',
    '  {"kind": "StorageAccount"}]}',
  ].join('\r\n');
  expect(documentsOf([{ name: 'a.yaml', text }]).map(({ place }) => place)).toEqual([
    'a.yaml:3 documents[0]',
    'a.yaml:9 documents[2].items[0]',
    'a.yaml:12 documents[2].items[1]',
    'a.yaml:13 documents[2].items[2]',
    'a.yaml:16 documents[3].items[0]',
  ]);
});

const empty = ['', '# nothing\n', '---\n---\n', 'null', '{"kind": "List", "items": []}'];
test.each(empty)('an input without an object is a problem: %j', async (text) => {
  const file = files.write('without-objects.yaml', text);
  const read = await readFiles([file, '-'], Readable.from(['kind: Pod\napiVersion: v1\nmetadata: {name: a}']));
  const { problems } = offlinePlan(documentsOf(read), { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  expect(problems).toEqual([{ path: file, message: expect.stringMatching(/^There is no object in it/) }]);
});

test('a folder may have an empty file, since it is one input, but not only such files', async () => {
  const folder = files.write('some/empty.yaml', '').replace('/empty.yaml', '');
  const problems = async () => {
    const documents = documentsOf(await readFiles([folder], noInput()));
    return offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' }).problems;
  };
  expect(await problems()).toMatchObject([{ path: folder }]);
  files.write('some/pod.yaml', 'kind: Pod\napiVersion: v1\nmetadata: {name: a}');
  expect(await problems()).toEqual([]);
});

test('an empty folder, a file that is not there and a second standard input are errors that name it', async () => {
  const empty = files.write('empty/readme.md', '').replace(/\/readme\.md$/, '');
  await expect(readFiles([empty], noInput())).rejects.toThrow(/empty cannot be read: the folder has no file/);
  await expect(readFiles(['/nonexistent'], noInput())).rejects.toThrow(/The file \/nonexistent cannot be read/);
  await expect(readFiles(['-', '-'], noInput())).rejects.toThrow(/can be read once/);
  const endless = Readable.from(
    (function* () {
      for (;;) yield 'x'.repeat(1024 * 1024);
    })(),
  );
  await expect(readFiles(['-'], endless)).rejects.toThrow(/Standard input cannot be read: it is longer than/);
});

const template = `// A comment
{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "parameters": { "prefix": { "type": "string" } },
  "resources": [{
    "type": "Microsoft.Network/virtualNetworks", "apiVersion": "2020-11-01", "name": "net",
    "location": "[resourceGroup().location]",
    "properties": { "addressSpace": { "addressPrefixes": ["[parameters('prefix')]"] } }
  }]
}`;
const templateFile = { name: '/tmp/My Shop.json', text: template };
const parameters = { name: 'p.json', text: '{"parameters": {"prefix": {"value": "10.0.0.0/16"}}}' };

test('an ARM template is planned as a ComputeDeployment with one location', () => {
  const documents = documentsOf([templateFile], { parameters, resourceGroup: 'shop', location: 'westeurope' });
  const { changes, problems } = offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  expect(problems).toEqual([]);
  expect(changes.map(({ key }) => key)).toEqual([
    'ComputeDeployment.azimuth.dev/my-shop',
    'VirtualNetwork.network.azure.com/westeurope-net',
  ]);
  const [{ manifest } = {}] = documentsOf([templateFile], { resourceGroup: '/subscriptions/s', location: 'uksouth' });
  expect(manifest).toMatchObject({ spec: { template: { arm: { owner: { armId: '/subscriptions/s' } } } } });
});

test('an ARM template needs a resource group and a location; parameters need a template', () => {
  const place = { parameters, resourceGroup: 'shop', location: 'westeurope' };
  expect(() => documentsOf([templateFile], { ...place, resourceGroup: undefined as never })).toThrow(
    /--resource-group/,
  );
  expect(() => documentsOf([templateFile], { ...place, location: undefined as never })).toThrow(/--location/);
  expect(() => documentsOf([{ name: 'a.yaml', text: 'a: 1' }], place)).toThrow(/--parameters.*ARM template/);
  expect(() => documentsOf([templateFile], { ...place, parameters: { name: 'p', text: '[1]' } })).toThrow(
    /p cannot be/,
  );
});

test.each([
  ['a-name-of-more-than-forty-characters-in-a-template.json', 'a-name-of-more-than-forty-characters-in'],
  ['--My_Shop (2).json', 'my-shop-2'],
  ['éé.json', 'template'],
])('the name of a deployment from the file %s is valid', (name, expected) => {
  const file = { name, text: template };
  const documents = documentsOf([file], { parameters, resourceGroup: 'shop', location: 'westeurope' });
  expect(documents[0]?.manifest).toMatchObject({ metadata: { name: expected } });
  expect(offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' }).problems).toEqual([]);
});

test('a manifest that has a template as text is a manifest', () => {
  const text = JSON.stringify({ kind: 'ComputeDeployment', spec: { template: { arm: { json: template } } } });
  expect(manifests(text)).toMatchObject([{ kind: 'ComputeDeployment' }]);
  expect(manifests(`kind: X\njson: |\n  ${template.replaceAll('\n', '\n  ')}`)).toMatchObject([{ kind: 'X' }]);
});
