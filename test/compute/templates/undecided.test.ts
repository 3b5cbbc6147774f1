/** Parts of a template about which answers of Azure decide, and parts that nothing needs. */
import { describe, expect, test } from '@jest/globals';
import { deployment, inner, resource } from './nested-templates.ts';
import { expand, groupId } from './support.ts';

const answer = "[reference('first').tags]";
/** A deployment whose parameter `list` waits for the resource `first`. */
const user = (parts: object) =>
  deployment('user', { parameters: { list: {} }, ...parts }, { properties: inner({ list: { value: answer } }) });
const expanded = (parts: object) =>
  expand({
    resources: [
      resource('first'),
      user({
        parameters: { list: { type: 'array' } },
        ...parts,
      }),
    ],
  });

describe('what waits for an answer', () => {
  test('is left out with its place, its id, the reason and the resource that answers', () => {
    const { problems, undecided, resources } = expanded({
      resources: [
        resource("[concat('c', copyIndex())]", { copy: { name: 'c', count: "[length(parameters('list'))]" } }),
      ],
    });
    expect(problems).toEqual([]);
    expect(resources.map(({ name }) => name)).toEqual(['first']);
    expect(undecided).toMatchObject([
      {
        path: 'resources[1].properties.template.resources[0]',
        id: `${groupId}/providers/X/r/[concat('c', copyIndex())]`,
        what: 'count of a copy loop',
        expression: "length(parameters('list'))",
        waitsFor: [`${groupId}/providers/X/r/first`],
      },
    ]);
  });

  test.each(['condition', 'scope'])('includes the %s of a resource', (member) => {
    const value = member === 'scope' ? "[parameters('list')[0]]" : "[empty(parameters('list'))]";
    const { problems, undecided } = expanded({ resources: [resource('c', { [member]: value })] });
    expect([problems, undecided.map(({ what }) => what)]).toEqual([[], [`${member} of a resource`]]);
  });

  test('includes the condition of an output', () => {
    const outputs = { o: { type: 'string', value: 'x', condition: "[empty(parameters('list'))]" } };
    const { problems, undecided } = expanded({ outputs });
    expect([problems, undecided.map(({ what }) => what)]).toEqual([[], ['condition of an output']]);
  });

  test('has no more parts than a template has resources', () => {
    const condition = "[empty(parameters('list'))]";
    const copies = (name: string) =>
      resource(`[concat('${name}', copyIndex())]`, { copy: { name, count: 800 }, condition });
    expect(expanded({ resources: [copies('c')] }).undecided).toHaveLength(800);
    const { problems, undecided } = expanded({ resources: ['c', 'd'].map(copies) });
    expect([problems.map(({ name }) => name), undecided]).toEqual([['Limit'], []]);
    expect(problems[0]?.message).toContain('More than 800 parts of the template wait for answers of Azure');
  });

  test('may be referred to, and depended on: these values wait too', () => {
    const { problems, undecided, resources } = expanded({
      resources: [
        resource('c', { condition: "[empty(parameters('list'))]" }),
        resource('d', { properties: { of: "[reference('c').x]" }, dependsOn: ['c', "[resourceId('X/r', 'c')]"] }),
      ],
    });
    expect([problems, undecided.length]).toEqual([[], 1]);
    expect(resources.find(({ name }) => name === 'd')?.waitsFor).toEqual([`${groupId}/providers/X/r/first`]);
  });

  test.each([
    ['a variable', { variables: { copy: [{ name: 'v', count: "[length(parameters('list'))]", input: 'x' }] } }],
    ['a property', {}],
  ])('may be the count of %s, whose value waits then', (_, parts) => {
    const copy = [{ name: 'p', count: "[length(parameters('list'))]", input: 'x' }];
    const properties = 'variables' in parts ? { p: "[variables('v')]" } : { copy };
    const { problems, undecided, resources } = expanded({ ...parts, resources: [resource('c', { properties })] });
    expect([problems, undecided]).toEqual([[], []]);
    expect(resources.find(({ name }) => name === 'c')?.waitsFor).toEqual([`${groupId}/providers/X/r/first`]);
  });

  test('may be the id in reference()', () => {
    const properties = { ip: "[reference(parameters('list')[0], '2024-01-01').ip]" };
    const { problems, resources } = expanded({ resources: [resource('c', { properties })] });
    expect(problems).toEqual([]);
    expect(resources.find(({ name }) => name === 'c')?.waitsFor).toEqual([`${groupId}/providers/X/r/first`]);
  });

  test('may be the location of a deployment', () => {
    const tenant = { ...deployment('t', {}), scope: '/', location: '[resourceGroup().location]' };
    const group = deployment('g', { resources: [tenant] }, { resourceGroup: 'other', properties: inner() });
    const { problems, undecided } = expand({ resources: [group] });
    expect([problems, undecided]).toEqual([[], []]);
  });
});

describe('a resource that is not deployed', () => {
  const symbolic = (resources: object) => expand({ languageVersion: '2.0', resources });

  test('needs no name that fits while nothing refers to it', () => {
    const skipped = { ...resource('a//b'), type: 'X/r/s', condition: false };
    const existing = { ...resource('a/'), type: 'X/r/s', existing: true };
    expect(symbolic({ skipped, existing, c: { ...resource('c'), dependsOn: ['existing'] } }).problems).toEqual([]);
    const properties = { of: "[reference('existing').x]" };
    const { problems } = symbolic({ existing, c: resource('c', { properties }) });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('do not fit')]);
  });

  test('as its name is wrong is reported once, and not where others need it', () => {
    const { problems } = symbolic({ a: resource(''), b: { ...resource('b'), dependsOn: ['a'] } });
    expect(problems.map(({ path }) => path)).toEqual(['resources.a.name']);
  });
});

test('a secure object of a deployment inside has the secrets that its parts are, and no others', () => {
  const inside = deployment(
    'inside',
    {
      parameters: { secrets: { type: 'secureObject' } },
      resources: [
        resource("[parameters('secrets').list[copyIndex()].name]", {
          copy: { name: 'c', count: "[length(parameters('secrets').list)]" },
          properties: { value: "[parameters('secrets').list[copyIndex()].value]" },
        }),
      ],
    },
    { properties: inner({ secrets: { value: { list: [{ name: 'n', value: "[parameters('p')]" }] } } }) },
  );
  const parts = { parameters: { p: { type: 'securestring' } }, resources: [inside] };
  const { problems, resources } = expand(parts, { p: { value: 'hunter2' } });
  expect(problems).toEqual([]);
  expect(resources.map(({ name, body }) => [name, JSON.stringify(body)])).toEqual([
    ['n', '{"properties":{"value":"(secret)"}}'],
  ]);
});
