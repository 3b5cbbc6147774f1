import { describe, expect, test } from '@jest/globals';
import { armGoalAt } from '../../../../runtime/compute/deployments/expand-goal.ts';
import { goalOutputs } from '../../../../runtime/compute/deployments/goal-outputs.ts';
import { answersRead, expandRound } from '../../../../runtime/compute/deployments/rounds/expand-round.ts';
import { place, target } from '../arm-templates.ts';
import { clientOf, identityModule, moduleOf, networkAfter, roleModule, textOf } from './azd-template.ts';
import { answer, goalOf, idOf, kinds, round } from './expanded-round.ts';

describe('a role assignment whose name has the principal of an identity of another module', () => {
  const template = [identityModule('app'), roleModule('app'), networkAfter('after', 'role-app')];

  test('belongs to the round after that of the identity, with all that comes after it', () => {
    const first = round([...template, networkAfter('beside', 'identity-app')]);
    expect(first.problems).toEqual([]);
    expect(kinds(first)).toEqual([
      'UserAssignedIdentity westeurope-app',
      expect.stringMatching(/^VirtualNetwork westeurope-beside$/),
    ]);
    expect(first.decision).toMatchObject({ needed: [{ id: idOf('app'), key: first.nodes[0]?.key }] });
    expect(first.decision?.text).toContain('the name of a resource is decided when');
  });

  test('gets the name of ARM from the answer, and the same one again; another answer gives another name', () => {
    const second = round(template, { [idOf('app')]: answer('p1') });
    expect([second.problems, second.decision]).toEqual([[], undefined]);
    const [, assignment, after] = second.nodes;
    expect(assignment?.kind).toBe('RoleAssignment');
    expect(assignment?.armId).toMatch(/roleAssignments\/[0-9a-f-]{36}$/);
    expect(after?.dependsOn).toContain(assignment?.key);
    expect(round(template, { [idOf('app').toUpperCase()]: answer('p1') })).toEqual(second);
    expect(round(template, { [idOf('app')]: answer('p2') }).nodes[1]?.key).not.toBe(assignment?.key);
  });

  test('leaves the hashes of the round before as they were, where a body has the answer too', () => {
    const resources = [...template, networkAfter('tagged', 'identity-app', clientOf('app'))];
    const [before, after] = [round(resources), round(resources, { [idOf('app')]: answer('p1') })].map(({ nodes }) =>
      nodes.find(({ name }) => name === 'westeurope-tagged'),
    );
    expect(before?.answers).toHaveLength(1);
    expect([after?.answers, after?.hash]).toEqual([undefined, before?.hash]);
    expect(after?.manifest['spec']).toMatchObject({ tags: { client: 'client' } });
  });

  test('needs those parts of the answer alone that the template reads', () => {
    const goal = goalOf(textOf(template));
    const { parts: kept } = answersRead(goal, place, target, { [idOf('app')]: answer('p1') });
    expect(kept).toEqual({ [idOf('app')]: { resource: { properties: { principalId: 'p1', clientId: 'client' } } } });
    const whole = identityModule('app');
    whole.properties.template = {
      ...whole.properties.template,
      outputs: { principalId: { type: 'object', value: `[reference('${idOf('app')}', '2023-01-31')]` } },
    } as typeof whole.properties.template;
    const text = "[string(reference('identity-app').outputs.principalId.value)]";
    const { parts: all } = answersRead(goalOf(textOf([whole, roleModule('app', text)])), place, target, {
      [idOf('app')]: answer('p1'),
    });
    expect(all).toEqual({ [idOf('app')]: { resource: { properties: answer('p1').resource.properties } } });
  });

  test('needs the whole answer too where an output shows it', () => {
    const shown = `[reference(resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', 'app'), '2023-01-31')]`;
    const outputs = { shown: { type: 'object', value: shown } };
    const goal = goalOf(textOf([identityModule('app'), roleModule('app')], { outputs }));
    const { parts: kept } = answersRead(goal, place, target, { [idOf('app')]: answer('p1') });
    expect(kept).toEqual({ [idOf('app')]: { resource: { properties: answer('p1').resource.properties } } });
    expect(goalOutputs({ ...armGoalAt(goal, place, target), decided: kept })).toMatchObject({
      outputs: [{ name: 'shown', text: JSON.stringify(answer('p1').resource.properties) }],
    });
  });
});

test('rounds follow each other where an answer decides about the resource that gives the next one', () => {
  const named = moduleOf(
    'identity-second',
    {
      parameters: { name: { type: 'string' } },
      resources: [
        {
          type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
          apiVersion: '2023-01-31',
          name: "[parameters('name')]",
          location: '[resourceGroup().location]',
        },
      ],
      outputs: {
        principalId: {
          type: 'string',
          value:
            "[reference(resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', parameters('name')), '2023-01-31').principalId]",
        },
      },
    },
    { name: { value: clientOf('first') } },
  );
  const template = [roleModule('second'), named, identityModule('first')];
  const first = round(template);
  expect([kinds(first), first.decision?.needed.map(({ id }) => id)]).toEqual([
    ['UserAssignedIdentity westeurope-first'],
    [idOf('first')],
  ]);
  const decided = { [idOf('first')]: answer('p1') };
  const second = round(template, decided);
  expect([second.problems, kinds(second)]).toEqual([
    [],
    ['UserAssignedIdentity westeurope-client', 'UserAssignedIdentity westeurope-first'],
  ]);
  expect(second.decision?.needed.map(({ id }) => id)).toEqual([idOf('client')]);
  const third = round(template, { ...decided, [idOf('client')]: answer('p2') });
  expect([third.problems, third.nodes.length, third.decision]).toEqual([[], 3, undefined]);
});

test.each([
  ['condition', { condition: "[startsWith(parameters('principalId'), 'p')]" }],
  ['count', { copy: { name: 'nets', count: "[length(parameters('principalId'))]" } }],
])('a %s that an answer decides is decided in the next round; what depends on it comes then', (_, more) => {
  const users = moduleOf(
    'users',
    {
      parameters: { principalId: { type: 'string' } },
      resources: [
        { ...networkAfter("[concat('n', copyIndex())]", ''), copy: { name: 'nets', count: 1 }, dependsOn: [], ...more },
        { ...networkAfter('last', ''), dependsOn: ['nets'] },
      ],
    },
    { principalId: { value: clientOf('app').replace('clientId', 'principalId') } },
  );
  expect(kinds(round([identityModule('app'), users]))).toEqual(['UserAssignedIdentity westeurope-app']);
  const second = round([identityModule('app'), users], { [idOf('app')]: answer('p1') });
  const count = 'copy' in more ? 2 : 1;
  expect([second.problems, second.nodes.length]).toEqual([[], 2 + count]);
  expect(second.nodes.at(-1)?.dependsOn.length).toBeGreaterThanOrEqual(count);
});

test('a resource with a symbolic name waits for a loop, of which an answer decides one element', () => {
  const { dependsOn: _, ...net } = networkAfter("[concat('n', copyIndex())]", '');
  const condition = "[or(equals(copyIndex(), 0), startsWith(parameters('principalId'), 'p'))]";
  const users = moduleOf('users', {}, { principalId: { value: clientOf('app') } });
  Object.assign(users.properties.template, {
    languageVersion: '2.0',
    parameters: { principalId: { type: 'string' } },
    resources: {
      nets: { ...net, copy: { name: 'loop', count: 2 }, condition },
      last: { ...networkAfter('last', ''), dependsOn: ['nets'] },
    },
  });
  expect(kinds(round([identityModule('app'), users]))).not.toContain('VirtualNetwork westeurope-last');
  expect(kinds(round([identityModule('app'), users], { [idOf('app')]: answer('p1') }))).toContain(
    'VirtualNetwork westeurope-last',
  );
});

test('a name that a secret answer decides is refused by its name', () => {
  const account = {
    type: 'Microsoft.Storage/storageAccounts',
    apiVersion: '2025-06-01',
    name: 'shop',
    location: '[resourceGroup().location]',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties: {},
  };
  const key = "[listKeys(resourceId('Microsoft.Storage/storageAccounts', 'shop'), '2025-06-01').keys[0].value]";
  const { problems, nodes } = round([account, { ...roleModule('app', key), dependsOn: [] }]);
  expect(nodes).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([
    'The name of a resource must be a string that is not empty, and is a secret',
  ]);
});

test('an answer about a resource outside of the template decides too, under the version of the expression', () => {
  const foreign = `[reference('${idOf('other')}', '2018-11-30').principalId]`;
  const template = [identityModule('app'), roleModule('app', foreign)];
  const { problems, nodes, decision } = round(template);
  expect([problems, nodes.length]).toEqual([[], 1]);
  expect(decision?.needed).toEqual([{ id: idOf('other'), key: '', apiVersion: '2018-11-30' }]);
  const second = round(template, { [idOf('other')]: answer('p1') });
  expect([second.problems, second.nodes.length, second.decision]).toEqual([[], 2, undefined]);
});

test('answers about resources of the template are read before answers about others', () => {
  const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const late = { type, apiVersion: '2023-01-31', name: 'late', location: '[resourceGroup().location]' };
  const conditional = moduleOf(
    'identity-late',
    {
      parameters: { client: { type: 'string' } },
      resources: [{ ...late, condition: "[not(empty(parameters('client')))]" }],
    },
    { client: { value: clientOf('app') } },
  );
  const principal = `[reference(resourceId('${type}', 'late'), '2023-01-31').principalId]`;
  const template = [roleModule('late', principal), conditional, identityModule('app')];
  const decided = { [idOf('app')]: answer('p1') };
  const [first, second] = [round(template), round(template, decided)];
  expect([first, second].map(({ problems, decision }) => [problems, decision?.needed.map(({ id }) => id)])).toEqual([
    [[], [idOf('app')]],
    [[], [idOf('late')]],
  ]);
  expect(second.decision?.needed[0]?.key).not.toBe('');
  expect(round(template, { ...decided, [idOf('late')]: answer('p2') }).decision).toBeUndefined();
});

test('an id outside of the template that is no id of a resource is a problem of the template', () => {
  const wrong = `[reference('${idOf('other')}?b=c&', '2018-11-30').principalId]`;
  const { problems, nodes, decision } = round([identityModule('app'), roleModule('app', wrong)]);
  expect([nodes, decision]).toEqual([[], undefined]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/other\?b=c&" is no id of a resource: correct it$/),
  ]);
});

test('resources that wait for each other are refused, and so is a name that its answer does not decide', () => {
  const after = {
    ...identityModule('app'),
    dependsOn: ["[resourceId('Microsoft.Resources/deployments', 'role-app')]"],
  };
  expect(round([after, roleModule('app')]).problems.length).toBeGreaterThan(0);
  const inner = networkAfter("[parameters('name')]", '');
  const named = moduleOf(
    'named',
    { parameters: { name: { type: 'string' } }, resources: [{ ...inner, dependsOn: [] }] },
    { name: { value: '[resourceGroup().location]' } },
  );
  const elsewhere = { ...moduleOf('elsewhere', { resources: [named] }), resourceGroup: 'other' };
  const first = round([elsewhere]);
  const answers = Object.fromEntries((first.decision?.needed ?? []).map(({ id }) => [id, { resource: {} }]));
  expect(round([elsewhere], answers).problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('That answer does not decide it: pass the value as a parameter'),
  ]);
});

test('the parts that are read come with the problems of the location, so that it is expanded once for both', () => {
  const goal = goalOf(textOf([identityModule('app'), roleModule('app')]));
  const noPrincipal = { [idOf('app')]: { resource: { properties: {} } } };
  const { parts, problems } = answersRead(goal, place, target, noPrincipal);
  expect(parts).toEqual({});
  expect(problems).toEqual(expandRound(goal, place, target, { decided: noPrincipal }).problems);
  expect(problems).not.toEqual([]);
});
