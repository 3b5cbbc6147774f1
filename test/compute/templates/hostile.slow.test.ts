/** Templates of somebody who wants to stop the program that expands them, or to read what it hides. */
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { context, expand } from './support.ts';

const names = (parts: object, parameters = {}) => expand(parts, parameters).problems.map(({ name }) => name);
const variables = (count: number, text: (index: number) => unknown) => ({
  variables: Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, text(index)])),
});
/** Far above what these take, and below what they took when the work grew with the product of two lengths. */
const hang = 30_000;

test.each([
  [
    'variables that need each other through many calls',
    variables(256, (i) => (i === 255 ? 'x' : `[${'toLower('.repeat(50)}variables('v${i + 1}')${')'.repeat(50)}]`)),
  ],
  ['a chain of 20,000 variables', variables(20_000, (i) => (i === 19_999 ? 'x' : `[variables('v${i + 1}')]`))],
  [
    'a chain through deep objects',
    variables(256, (i) => {
      const end = i === 255 ? 'x' : `[variables('v${i + 1}')]`;
      return Array.from({ length: 50 }).reduce((inner) => [inner], end);
    }),
  ],
])('%s end in a problem, before the stack ends', (_, parts) => {
  expect(names(parts)).toContain('Limit');
});

test(
  'a search for a large object in a long array reads the object once',
  () => {
    const parameters = { a: { type: 'array' }, w: { type: 'object' } };
    const items = Array.from({ length: 20_000 }, () => ({}));
    const wanted = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const outputs = {
      has: { type: 'bool', value: "[contains(parameters('a'), parameters('w'))]" },
      at: { type: 'int', value: "[indexOf(parameters('a'), parameters('w'))]" },
    };
    const given = { a: { value: items }, w: { value: wanted } };
    const allowed = { w: { type: 'object', allowedValues: items } };
    expect(expand({ parameters, outputs }, given)).toMatchObject({
      problems: [],
      outputs: { at: { value: -1 }, has: { value: false } },
    });
    expect(names({ parameters: allowed }, { w: { value: wanted } })).toEqual(['Parameter']);
  },
  hang,
);

test(
  'the work of conditions, comparisons and JSON counts',
  () => {
    const many = `[concat('[', variables('s'), '1]')]`;
    const json = {
      s: '1,'.repeat(60_000),
      l: many,
      ...variables(250, () => "[length(json(variables('l')))]").variables,
    };
    expect(names({ variables: json })).toEqual(['Budget']);
    expect(names(variables(150, () => `[and(${'true(),'.repeat(3000)}true())]`))).toEqual([]);
    const large = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
    const equal = variables(250, () => "[equals(parameters('w'), parameters('w'))]");
    expect(names({ ...equal, parameters: { w: { type: 'object' } } }, { w: { value: large } })).toEqual(['Budget']);
  },
  hang,
);

test(
  'one dependency that is written in many ways counts each time, and takes no memory',
  () => {
    const loop = 'loop'.repeat(5);
    const spelled = (index: number) =>
      [...loop].map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join('');
    const dependsOn = Array.from({ length: 30_000 }, (_, index) => spelled(index));
    const copies = { type: 'X/r', name: "[concat('r', copyIndex())]", copy: { name: loop, count: 700 } };
    const $schema = 'https://x/deploymentTemplate.json#';
    const template = { $schema, contentVersion: '1.0.0.0', resources: [copies] };
    const nested = { type: 'Microsoft.Resources/deployments', name: loop, properties: { template } };
    const waiting = { type: 'X/s', name: 's', dependsOn };
    expect(names({ resources: [copies, waiting] })).toEqual(['Budget']);
    const { resources, problems } = expand({ resources: [nested, waiting] });
    expect([problems, resources.at(-1)?.dependsOn.length]).toEqual([[], 700]);
  },
  hang,
);

test('an allowed value of a secure parameter is in no problem', () => {
  const parameters = { p: { type: 'securestring', allowedValues: ['hunter2'] } };
  const { problems } = expand({ parameters }, { p: { value: 'other' } });
  expect(problems.map(({ name }) => name)).toEqual(['Parameter']);
  expect(JSON.stringify(problems)).not.toMatch(/hunter2|other/);
});

test.each([
  [null],
  ['x'],
  [[]],
  [{}],
  [{ value: 'x', managedSecret: 'y' }],
  [{ managedSecret: 1 }],
  [{ managedSecret: 'Not A Name' }],
  [{ secretKeyRef: null }],
  [{ secretKeyRef: { name: '../x', key: 'k' } }],
  [{ secretKeyRef: { name: 'x', key: '' } }],
  [{ reference: { keyVault: 'x' } }],
  [{ reference: { keyVault: { id: 'x' }, secretName: 'n', secretVersion: 1 } }],
])('%j is no value of a parameter', (input) => {
  const parameters = { p: { type: 'object' } };
  const paths = expand({ parameters }, { p: input as unknown as { value: unknown } }).problems.map(({ path }) => path);
  expect(paths).toEqual(['parameters.p', 'parameters.p']);
});

test('names of members that JavaScript knows are ordinary', () => {
  const text = `{"$schema": "https://x/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [
    {"type": "X/a", "name": "a", "__proto__": {"polluted": 1}, "constructor": "c"}]}`;
  const { resources, problems } = expandTemplate(text, context);
  expect([problems, Object.keys(resources[0]?.body ?? {})]).toEqual([[], ['__proto__', 'constructor']]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
