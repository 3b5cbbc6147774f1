import { expect, test } from '@jest/globals';
import type { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { $schema, expand, groupId } from './support.ts';

const short = (id: string) => id.split('/').at(-1);
const edges = ({ resources }: ReturnType<typeof expandTemplate>) =>
  Object.fromEntries(resources.map(({ name, dependsOn }) => [name, dependsOn.map(short)]));
const resource = (name: string, more: object = {}) => ({ type: 'X/r', apiVersion: '1', name, ...more });
const symbolic = (resources: object, more: object = {}) => expand({ languageVersion: '2.0', resources, ...more });

test('dependencies and references go by symbolic names, also of copy loops', () => {
  const copy = { name: 'anything', count: 2 };
  const expanded = symbolic({
    net: resource('my-net'),
    disks: resource("[format('disk{0}', copyIndex())]", { copy }),
    vm: resource('my-vm', { dependsOn: ['disks'], properties: { id: "[reference('net').resourceGuid]" } }),
  });
  expect([expanded.problems, edges(expanded)]).toEqual([
    [],
    { 'my-net': [], disk0: [], disk1: [], 'my-vm': ['disk0', 'disk1', 'my-net'] },
  ]);
  const byName = symbolic({ net: resource('my-net'), vm: resource('my-vm', { dependsOn: ['my-net'] }) });
  expect(byName.problems.map(({ name }) => name)).toEqual(['Dependency']);
});

test.each(['1.10-experimental', '2.1-experimental', '2.2-experimental'])(
  '%s is a language of Bicep',
  (languageVersion) => {
    const { resources, problems } = symbolic({ net: resource('my-net') }, { languageVersion });
    expect([problems, resources.length]).toEqual([[], 1]);
  },
);

test('an existing resource is only referred to', () => {
  const expanded = symbolic({
    vault: { existing: true, type: 'Microsoft.KeyVault/vaults', apiVersion: '2022-07-01', name: 'v' },
    vm: resource('vm', { dependsOn: ['vault'], properties: { uri: "[reference('vault').vaultUri]" } }),
  });
  expect([expanded.problems, edges(expanded)]).toEqual([[], { vm: [] }]);
  expect(expanded.resources[0]?.waitsFor).toEqual([`${groupId}/providers/Microsoft.KeyVault/vaults/v`]);
});

test('an extension of an extension has a scope without the group, as Bicep writes it', () => {
  const scope = "[extensionResourceId(format('X/r/{0}', 'a'), 'L.M/locks', 'first')]";
  const lock = { type: 'L.M/locks', apiVersion: '1' };
  const { resources, problems } = symbolic({
    a: resource('a'),
    first: { ...lock, name: 'first', scope: "[format('X/r/{0}', 'a')]" },
    second: { ...lock, name: 'second', scope, dependsOn: ['first'] },
  });
  const first = `${groupId}/providers/X/r/a/providers/L.M/locks/first`;
  expect([problems, resources[2]?.id]).toEqual([[], `${first}/providers/L.M/locks/second`]);
  expect(resources[2]?.dependsOn).toEqual([first]);
});

test('a deployment, as Bicep writes a module, has the inner scope', () => {
  const template = {
    $schema,
    contentVersion: '1.0.0.0',
    parameters: { p: { type: 'string' } },
    resources: [resource("[parameters('p')]")],
    outputs: { o: { type: 'string', value: "[parameters('p')]" } },
  };
  const properties = { mode: 'Incremental', template, parameters: { p: { value: 'x' } } };
  const module = { type: 'Microsoft.Resources/deployments', apiVersion: '2022-09-01', name: 'm', properties };
  const outputs = { o: { type: 'string', value: "[reference('mod').outputs.o.value]" } };
  const expanded = symbolic({ mod: module, after: resource('after', { dependsOn: ['mod'] }) }, { outputs });
  expect([expanded.problems, edges(expanded)]).toEqual([[], { x: [], after: ['x'] }]);
  expect(expanded.outputs).toMatchObject({ o: { value: 'x' } });
  const outer = { ...module, properties: { ...properties, expressionEvaluationOptions: { scope: 'outer' } } };
  expect(symbolic({ mod: outer }).problems[0]?.message).toContain('inner');
});

test.each<[string, object, string]>([
  ['an array', [], 'an object of symbolic names'],
  ['a resource with a text as its resources', { a: resource('a', { resources: 'b' }) }, 'must be an array'],
])('%s is refused', (_, resources, message) => {
  expect(symbolic(resources).problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ]);
});

test('another language version, and sections of other engines, are refused by name', () => {
  const { problems } = expand({ languageVersion: '3.0', imports: {}, extensions: {}, resources: {} });
  expect(problems.map(({ path }) => path)).toEqual(['imports', 'extensions', 'languageVersion']);
  expect(problems[0]?.message).toContain('declare them as objects of the cluster');
});

test('a decorator that Azure alone can follow is refused by name, and not sent in the body', () => {
  const { problems } = symbolic({ a: resource('a', { '@options': { onlyIfNotExists: true } }) });
  expect(problems).toMatchObject([
    { name: 'Unsupported', message: expect.stringMatching(/^Azure alone follows @options .*over a parameter$/) },
  ]);
});

test('a type takes the null of its definition away', () => {
  const definitions = {
    maybe: { type: 'string', nullable: true },
    there: { $ref: '#/definitions/maybe', nullable: false },
  };
  const of = (type: string) =>
    symbolic({}, { definitions, parameters: { p: { $ref: `#/definitions/${type}` } } }).problems.length;
  expect([of('maybe'), of('there')]).toEqual([0, 1]);
});

test.each([
  ['whole/properties/size', 7, 'a'],
  ['whole/properties/a~1b%20c', 7, 'a'],
  ['whole/properties/pair/prefixItems/1', 7, 'a'],
  ['whole/properties/many/items', 7, 'a'],
  ['whole/properties/many/items/minValue', undefined, 7],
  ['whole/properties/pair/prefixItems/2', undefined, 7],
  ['loop', undefined, 7],
  ['whole/additionalProperties', 'a', 7],
])('a type is %s, a part of a definition', (pointer, right, wrong) => {
  const int = { type: 'int', minValue: 2 };
  const pair = { type: 'array', prefixItems: [{ type: 'bool' }, int], items: false };
  const properties = { size: int, 'a/b c': int, pair, many: { type: 'array', items: int } };
  const loop = { $ref: '#/definitions/loop/properties/part' };
  const definitions = { whole: { type: 'object', properties, additionalProperties: { type: 'string' } }, loop };
  const of = (defaultValue: unknown) =>
    symbolic({}, { definitions, parameters: { p: { $ref: `#/definitions/${pointer}`, defaultValue } } }).problems
      .length;
  if (right !== undefined) expect(of(right)).toBe(0);
  expect(of(wrong)).toBe(1);
});

test('resources inside of another one have names of their own', () => {
  const child = { type: 'b', apiVersion: '1', name: 'c' };
  const inside = symbolic({ a: resource('a', { resources: { c: child } }), d: resource('d', { dependsOn: ['c'] }) });
  expect([inside.problems, inside.resources.map(({ name }) => name)]).toEqual([[], ['a', 'a/c', 'd']]);
});

test('resourceInfo() has the id, name, type and version of a resource, also for names, and makes no dependency', () => {
  const net = resource('my-net');
  const { resources, outputs, problems } = symbolic(
    {
      first: resource("[concat(resourceInfo('net').name, '-1')]", { properties: "[resourceInfo('disks[1]')]" }),
      net,
      disks: resource("[format('disk{0}', copyIndex())]", { copy: { name: 'disks', count: 2 } }),
      old: { ...net, existing: true, name: 'old', resourceGroup: 'other' },
    },
    { outputs: { id: { type: 'string', value: "[resourceInfo('OLD').id]" } } },
  );
  const disk = { id: `${groupId}/providers/X/r/disk1`, name: 'disk1', type: 'X/r', apiVersion: '1' };
  expect([problems, resources[0]?.name, resources[0]?.dependsOn]).toEqual([[], 'my-net-1', []]);
  expect(resources[0]?.body['properties']).toEqual(disk);
  expect(outputs['id']?.value).toBe(`${groupId.slice(0, -2)}other/providers/X/r/old`);
});

test.each([
  ['a', 'Cycle', "in a circle: 'a' -> 'b' -> 'a'"],
  ['missing', 'Dependency', "'missing' is not defined"],
  ['disks', 'Dependency', 'one element of the loop, such as disks\\[0\\]'],
  ['other[0]', 'Dependency', 'use other, which is no loop'],
  ['disks[2]', 'Dependency', "no element: the loop 'disks' has a count of 2"],
])('resourceInfo() of %s is refused', (name, problem, message) => {
  const { problems } = symbolic({
    x: resource(`[resourceInfo('${name}').name]`),
    a: resource(name === 'a' ? "[resourceInfo('b').name]" : 'a'),
    b: resource("[resourceInfo('a').name]"),
    other: resource('other'),
    disks: resource("[format('disk{0}', copyIndex())]", { copy: { name: 'disks', count: 2 } }),
  });
  expect(problems[0]).toMatchObject({ name: problem, message: expect.stringMatching(message) });
});
