import { describe, expect, test } from '@jest/globals';
import { expandTemplate, resolveUnknowns } from '../../../runtime/compute/templates/expand-template.ts';
import { ManagedSecretReference } from '../../../runtime/compute/templates/values/value.ts';
import { $schema, context, expand, groupId } from './support.ts';

const short = (id: string) => id.split('/').at(-1);
const edges = ({ resources }: ReturnType<typeof expandTemplate>) =>
  Object.fromEntries(resources.map(({ name, dependsOn }) => [name, dependsOn.map(short)]));

describe('resources', () => {
  test('the body has expressions, copies of properties and references to managed secrets', () => {
    const { resources, problems } = expand(
      {
        parameters: { size: { type: 'int', defaultValue: 2 }, password: { type: 'secureString' } },
        variables: {
          prefix: "[concat('vm', parameters('size'))]",
          copy: [{ name: 'n', count: 2, input: "[copyIndex('n')]" }],
        },
        resources: [
          {
            type: 'Microsoft.Compute/virtualMachines',
            apiVersion: '2024-01-01',
            name: "[variables('prefix')]",
            location: '[resourceGroup().location]',
            properties: {
              copy: [{ name: 'disks', count: "[parameters('size')]", input: { lun: "[copyIndex('disks')]" } }],
              n: "[variables('n')]",
              osProfile: { adminPassword: "[parameters('password')]", url: { managedSecret: 'web-tls' } },
            },
            resources: [{ type: 'extensions', name: 'e', apiVersion: '1', dependsOn: ["[variables('prefix')]"] }],
          },
        ],
      },
      { password: { managedSecret: 'admin' } },
    );
    expect(problems).toEqual([]);
    expect(resources[0]).toMatchObject({ location: 'westeurope', apiVersion: '2024-01-01', name: 'vm2' });
    expect(resources[0]?.body['properties']).toEqual({
      disks: [{ lun: 0 }, { lun: 1 }],
      n: [0, 1],
      osProfile: { adminPassword: new ManagedSecretReference('admin'), url: new ManagedSecretReference('web-tls') },
    });
    expect(resources[1]?.id).toBe(`${groupId}/providers/Microsoft.Compute/virtualMachines/vm2/extensions/e`);
    expect(resources[1]?.dependsOn).toEqual([resources[0]?.id]);
  });

  test('a resource inside of another one has a short type and name, or whole ones', () => {
    const inside = (type: string, name: string) => ({ type, apiVersion: '1', name, dependsOn: ['p'] });
    const children = [inside('kids', 'a'), inside('X.Y/parents/kids', 'p/b'), inside('providers/locks', 'L.M/c')];
    const { resources, problems } = expand({
      resources: [{ type: 'X.Y/parents', apiVersion: '1', name: 'p', resources: children }],
    });
    const parent = `${groupId}/providers/X.Y/parents/p`;
    const ids = ['', '/kids/a', '/kids/b', '/providers/L.M/locks/c'].map((end) => `${parent}${end}`);
    expect([problems, resources.map(({ id }) => id)]).toEqual([[], ids]);
  });

  test('a value that Azure decides is finished with the answer', () => {
    const { resources, outputs, problems } = expand({
      resources: [
        { type: 'X/a', name: 'a' },
        { type: 'X/b', name: 'b', properties: { p: "[concat('http://', reference('a').ip)]" } },
      ],
      outputs: { ip: { type: 'string', value: "[reference('a').ip]" } },
    });
    const b = resources[1] as (typeof resources)[number];
    expect([problems, b.waitsFor, b.dependsOn]).toEqual([
      [],
      [`${groupId}/providers/X/a/a`],
      [`${groupId}/providers/X/a/a`],
    ]);
    expect(JSON.stringify(outputs)).toContain('unknown');
    expect(resolveUnknowns(b, {}).waitsFor).toEqual(b.waitsFor);
    const answer = { resource: { properties: { ip: '10.0.0.4' } } };
    expect(resolveUnknowns(b, { [`${groupId}/providers/X/a/a`]: answer })).toEqual({
      body: { properties: { p: 'http://10.0.0.4' } },
      waitsFor: [],
    });
  });

  test('dependencies by name, type and name, id and loop; those on skipped resources are dropped', () => {
    const copy = { name: 'loop', count: 2 };
    const expanded = expand({
      resources: [
        { type: 'X.Y/a', name: "[concat('a', copyIndex())]", copy },
        { type: 'X.Y/b', name: 'b', dependsOn: ['loop'] },
        { type: 'X.Y/c', name: 'c', dependsOn: ['X.Y/b/b', "[resourceId('X.Y/a', 'a1')]", 'off'] },
        { type: 'X.Y/off', name: 'off', condition: false },
      ],
    });
    expect(expanded.problems).toEqual([]);
    expect(edges(expanded)).toEqual({ a0: [], a1: [], b: ['a0', 'a1'], c: ['a1', 'b'] });
  });

  test('batches of a serial loop wait for the batch before, and for none of another loop with the same name', () => {
    const copy = { name: 'l', count: 3, mode: 'serial' };
    const resources = ['a', 'b'].map((name) => ({ type: 'X/r', name: `[concat('${name}', copyIndex())]`, copy }));
    expect(edges(expand({ resources }))).toEqual({ a0: [], a1: ['a0'], a2: ['a1'], b0: [], b1: ['b0'], b2: ['b1'] });
  });

  test('a batch that is skipped passes the wait on to the batch before it', () => {
    const [copy, condition] = [{ name: 'l', count: 3, mode: 'serial' }, '[not(equals(copyIndex(), 1))]'];
    const resources = [{ type: 'X/r', name: "[concat('a', copyIndex())]", condition, copy }];
    expect(edges(expand({ resources }))).toEqual({ a0: [], a2: ['a0'] });
  });

  test('an output is there when its condition is true, also one that a known secret decides', () => {
    const output = (condition: unknown) => ({ type: 'string', value: 'x', condition });
    const of = (value: string) => output(`[equals(parameters('p'), '${value}')]`);
    const outputs = { on: output(true), off: output(false), same: of('hunter2'), other: of('y') };
    const parameters = { p: { type: 'secureString' } };
    const expanded = expand({ parameters, outputs }, { p: { value: 'hunter2' } });
    expect([expanded.problems, Object.keys(expanded.outputs)]).toEqual([[], ['on', 'same']]);
    const unread = expand({ parameters, outputs }, { p: { secretKeyRef: { name: 's', key: 'k' } } });
    const refused = { message: 'The condition of an output must be a bool that is known' };
    expect([unread.problems, Object.keys(unread.outputs)]).toMatchObject([[refused, refused], ['on']]);
  });

  test('functions of the template see their parameters alone', () => {
    const functions = [
      {
        namespace: 'my',
        members: {
          n: {
            parameters: [{ name: 'p', type: 'string' }],
            output: { type: 'string', value: "[toLower(parameters('p'))]" },
          },
        },
      },
    ];
    expect(edges(expand({ functions, resources: [{ type: 'X/a', name: "[my.n('AB')]" }] }))).toEqual({ ab: [] });
  });
});

describe('problems', () => {
  test('all are reported, with line and column', () => {
    const text = `{ // a comment
  "$schema": "${$schema}", "contentVersion": "1.0.0.0",
  "parameters": { "p": { "type": "string", "allowedValues": ["a"], "defaultValue": "b" } },
  "resources": [
    { "type": "X/a", "name": "[nothing()]" },
    { "type": "X/b", "name": "b", "dependsOn": ["gone"] }
  ]
}`;
    const { problems } = expandTemplate(text, context);
    expect(problems.map(({ name, line }) => [name, line])).toEqual([
      ['Parameter', 3],
      ['Unsupported', 5],
      ['Dependency', 6],
    ]);
  });

  test.each<[string, object, string]>([
    ['languageVersion', { languageVersion: '3.0' }, 'languageVersion'],
    ['symbolic names', { resources: { a: {} } }, 'must be an array'],
    [
      'a resource of another group',
      { resources: [{ type: 'X/a', name: 'a', resourceGroup: 'other' }] },
      'not by resourceGroup: put it into a deployment',
    ],
    [
      'a resource of another subscription',
      { resources: [{ type: 'X/a', name: 'a', subscriptionId: 's2' }] },
      'not by subscriptionId: put it into a deployment',
    ],
    [
      'reference to a skipped resource',
      {
        resources: [
          { type: 'X/a', name: 'a', condition: false },
          { type: 'X/b', name: 'b', tags: "[reference('a')]" },
        ],
      },
      'is not defined in the template',
    ],
    ['variables in a circle', { variables: { a: "[variables('b')]", b: "[variables('a')]" } }, "'a' -> 'b' -> 'a'"],
    ['a missing parameter', { parameters: { p: { type: 'int' } } }, "'p' is not provided"],
    [
      'a resource twice',
      {
        resources: [
          { type: 'X/a', name: 'a' },
          { type: 'X/a', name: 'A' },
        ],
      },
      'multiple times',
    ],
    [
      '65 outputs',
      { outputs: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`o${i}`, { type: 'int', value: i }])) },
      '65 outputs',
    ],
    [
      'an output whose condition is no bool',
      { outputs: { o: { type: 'string', value: 'x', condition: 'false' } } },
      'The condition of an output must be a bool that is known',
    ],
    [
      '801 resources',
      {
        resources: [
          { type: 'X/a', name: '[string(copyIndex())]', copy: { name: 'l', count: 800 } },
          { type: 'X/b', name: 'b' },
        ],
      },
      'more than 800',
    ],
  ])('%s', (_, parts, message) => {
    expect(
      expand(parts)
        .problems.map((problem) => problem.message)
        .join('\n'),
    ).toContain(message);
  });

  test('allowed values are compared without their case, and stay as they are given', () => {
    const allowed = (type: string, allowedValues: readonly unknown[], value: unknown) =>
      expand(
        {
          parameters: { p: { type, allowedValues } },
          outputs: { p: { type, value: "[parameters('p')]" } },
        },
        { p: { value } },
      );
    expect(allowed('string', ['EastUS'], 'eastus').outputs['p']?.value).toBe('eastus');
    expect(allowed('array', ['A', 'B'], ['b']).problems).toEqual([]);
    expect(allowed('object', [{ a: 'A' }], { a: 'a' }).problems).toMatchObject([{ name: 'Parameter' }]);
    expect(allowed('int', [1, 2], 3).problems).toMatchObject([{ name: 'Parameter' }]);
  });

  test('the value of a secure parameter is in no problem', () => {
    const parameters = { p: { type: 'secureString', minLength: 20, allowedValues: ['x'] } };
    expect(JSON.stringify(expand({ parameters }, { p: { value: 'hunter2' } }).problems)).not.toContain('hunter2');
  });
});

// Source: Azure/bicep issues 16247 and 16511, whose templates stop a deployment by this.
test('a variable that nothing uses is evaluated, as in Azure', () => {
  const { problems } = expand({ variables: { check: "[if(empty(''), fail('name or id is needed'), '')]" } });
  expect(problems).toMatchObject([
    { path: 'variables.check', message: expect.stringContaining('name or id is needed') },
  ]);
});
