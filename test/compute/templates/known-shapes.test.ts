/** Shapes of values that are not known, or secret, in part; and where a template comes from. */
import { expect, test } from '@jest/globals';
import { readsShape } from '../../../runtime/compute/templates/evaluation/over-secrets.ts';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { Budget } from '../../../runtime/compute/templates/values/budget.ts';
import { fromJson, secretOf, type TemplateValue } from '../../../runtime/compute/templates/values/value.ts';
import { $schema, context, expand, groupId } from './support.ts';

const answer = `reference('${groupId}/providers/X.Y/servers/s', '2024-01-01')`;
const site = (name: string, more: object = {}) => ({ type: 'X.Y/sites', apiVersion: '2024-01-01', name, ...more });

/** The names of the copies that a count makes, or what is decided later. */
function counted(count: string): unknown {
  const template = {
    $schema,
    contentVersion: '1.0.0.0',
    parameters: { list: { type: 'array' }, object: { type: 'object' } },
    resources: [site("[concat('s', copyIndex())]", { copy: { name: 'c', count } })],
  };
  const inner = {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'inner',
    properties: {
      mode: 'Incremental',
      expressionEvaluationOptions: { scope: 'inner' },
      template,
      parameters: {
        list: { value: [{ id: `[${answer}.id]` }, { id: 'b' }] },
        object: { value: { a: `[${answer}]`, b: { c: 1 } } },
      },
    },
  };
  const { resources, problems, undecided } = expand({ resources: [inner] });
  if (problems.length > 0) return problems.map(({ message }) => message);
  return undecided.length > 0 ? undecided.map(({ what }) => what) : resources.map(({ name }) => name);
}

test.each([
  ["[length(parameters('list'))]", 2],
  ["[length(concat(parameters('list'), createArray('c')))]", 3],
  ["[length(skip(parameters('list'), 1))]", 1],
  ["[length(flatten(createArray(parameters('list'), parameters('list'))))]", 4],
  ["[length(items(parameters('object')))]", 2],
  ["[length(union(createArray(parameters('object')), createArray('c', 'c')))]", 2],
  [
    "[length(union(createArray(createObject('n', 'a', 'v', parameters('object').a)), createArray(createObject('n', 'b', 'v', parameters('object').a))))]",
    2,
  ],
  ["[length(union(parameters('object'), createObject('d', 1)))]", 3],
  ["[length(union(parameters('object').b, createObject('d', 1)))]", 2],
  ["[if(contains(parameters('object'), 'a'), 1, 0)]", 1],
])('the count %s is known though parts of the values are not', (count, wanted) => {
  expect(counted(count)).toEqual(Array.from({ length: wanted }, (_, index) => `s${index}`));
});

test.each([
  "[length(union(parameters('object'), createObject('a', createObject('x', 1))))]",
  "[length(flatten(createArray(createArray('a'), parameters('object').a)))]",
  "[length(parameters('object').a)]",
  "[if(contains(parameters('list'), 'b'), 1, 0)]",
  "[length(union(createArray(parameters('object').a), createArray('c')))]",
  "[length(union(parameters('list'), createArray('c')))]",
  "[length(union(createArray(createObject('n', 'a', 'v', parameters('object').a)), createArray(createObject('n', 'a', 'v', 'b'))))]",
])('the count %s needs the answer', (count) => {
  expect(counted(count)).toEqual(['count of a copy loop']);
});

test('a part that is a secret leaves the others as they are', () => {
  const properties = { list: "[concat(createArray('a'), createArray(parameters('p')))]" };
  const parts = { parameters: { p: { type: 'securestring' } }, resources: [site('a', { properties })] };
  const [resource] = expand(parts, { p: { value: 'hunter2' } }).resources;
  expect(JSON.parse(JSON.stringify(resource?.body))).toEqual({ properties: { list: ['a', '(secret)'] } });
});

test('each secret of a list with known names is a resource, as the modules of Azure that write keys into a vault', () => {
  const key = "listKeys(resourceId('X.Y/accounts', 'a'), '2024-01-01').key";
  const one = (name: string) => `createArray(createObject('name', '${name}', 'value', ${key}))`;
  const secretsToSet = {
    value: `[union(createArray(), ${one('first')}, if(false(), ${one('no')}, createArray()), ${one('second')})]`,
  };
  const value = "[parameters('secretsToSet')[copyIndex()].value]";
  const copy = { name: 'secrets', count: "[length(parameters('secretsToSet'))]" };
  const secrets = site("[parameters('secretsToSet')[copyIndex()].name]", { copy, properties: { value } });
  const type = { type: 'object', properties: { name: { type: 'string' }, value: { type: 'securestring' } } };
  const template = {
    $schema,
    contentVersion: '1.0.0.0',
    languageVersion: '2.0',
    parameters: { secretsToSet: { type: 'array', items: type } },
    resources: { secrets },
  };
  const properties = {
    mode: 'Incremental',
    expressionEvaluationOptions: { scope: 'inner' },
    template,
    parameters: { secretsToSet },
  };
  const inner = { type: 'Microsoft.Resources/deployments', apiVersion: '2022-09-01', name: 'inner', properties };
  const { resources, problems } = expand({ resources: [site('a', { type: 'X.Y/accounts' }), inner] });
  expect(problems).toEqual([]);
  expect(resources.map(({ name }) => name)).toEqual(['a', 'first', 'second']);
  expect(resources[1]?.waitsFor).toEqual([`${groupId}/providers/X.Y/accounts/a`]);
});

test('links relative to a template from a file are paths of its folder', () => {
  const uri = "[uri(deployment().properties.templateLink.uri, 'nested/site.json')]";
  const properties = { mode: 'Incremental', templateLink: { uri } };
  const resources = [{ type: 'Microsoft.Resources/deployments', apiVersion: '2022-09-01', name: 'n', properties }];
  const text = JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources });
  const linked = JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources: [site('a')] });
  const asked: string[] = [];
  const linkedTemplate = (name: string) => {
    asked.push(name);
    return linked;
  };
  expect(expandTemplate(text, { ...context, linkedTemplate })).toMatchObject({
    problems: [],
    resources: [{ name: 'a' }],
  });
  expect(asked).toEqual(['nested/site.json']);
});

test('a link can be an expression as a whole', () => {
  const asked: string[] = [];
  const linkedTemplate = (name: string) => {
    asked.push(name);
    return JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources: [] });
  };
  const link = { uri: 'https://x.org/a.json', contentVersion: '1.0.0.0' };
  const properties = { mode: 'Incremental', templateLink: "[variables('link')]" };
  const resources = [{ type: 'Microsoft.Resources/deployments', apiVersion: '2022-09-01', name: 'n', properties }];
  const text = JSON.stringify({ $schema, contentVersion: '1.0.0.0', variables: { link }, resources });
  expect(expandTemplate(text, { ...context, linkedTemplate }).problems).toEqual([]);
  expect(asked).toEqual(['https://x.org/a.json']);
});

test('a link that asks for another contentVersion than its file has is refused', () => {
  const properties = (contentVersion: string) => ({
    mode: 'Incremental',
    templateLink: { relativePath: 'a.json', contentVersion },
  });
  const type = 'Microsoft.Resources/deployments';
  const file = JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources: [] });
  const problemsOf = (version: string) => {
    const resources = [{ type, apiVersion: '2022-09-01', name: 'n', properties: properties(version) }];
    const text = JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources });
    return expandTemplate(text, { ...context, linkedTemplate: () => file }).problems;
  };
  expect(problemsOf('1.0.0.0')).toEqual([]);
  expect(problemsOf('2.0.0.0')).toMatchObject([{ message: expect.stringContaining("'1.0.0.0': correct one") }]);
});

test('comparing items with secrets in them takes steps of the work of a template', () => {
  const values = fromJson(Array.from({ length: 500 }, (_, index) => index));
  const item = (last: number): TemplateValue => [values, secretOf('s'), last];
  const items = [Array.from({ length: 20 }, (_, index) => item(index))];
  expect(readsShape('union', items, new Budget())).toBe(true);
  expect(() => readsShape('union', items, new Budget(100_000))).toThrow('takes more steps');
});

test('an empty default of a secure object is no secret, so that members which are merged with it stay known', () => {
  const parameters = { more: { type: 'secureObject', defaultValue: {} } };
  const settings = (name: string) => `[union(parameters('more'), createObject('${name}', ${answer}.key))]`;
  const { resources, problems } = expand({ parameters, resources: [site('a', { properties: settings('Key') })] });
  expect([problems, Object.keys(resources[0]?.body['properties'] as object)]).toEqual([[], ['Key']]);
  const given = expand(
    { parameters, resources: [site('a', { properties: settings('Key') })] },
    { more: { value: {} } },
  );
  expect(given.resources[0]?.body['properties']).toMatchObject({ isSecret: true });
});
