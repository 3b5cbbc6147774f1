/** Problems name the place in the text, what is wrong, and the name that was probably meant. */
import { expect, test } from '@jest/globals';
import { deployment, resource } from './nested-templates.ts';
import { $schema, expand } from './support.ts';

const name = (text: string, parts: object = {}) => ({ ...parts, resources: [resource(text)] });

test.each<[string, object, string, string]>([
  ['function', name("[conct('a')]"), 'resources[0].name', 'concat'],
  [
    'parameter',
    name("[parameters('nam')]", { parameters: { name: { type: 'string', defaultValue: 'a' } } }),
    'resources[0].name',
    'name',
  ],
  ['variable', name("[variables('colour')]", { variables: { color: 'a' } }), 'resources[0].name', 'color'],
  ['section', { resource: [] }, 'resource', 'resources'],
  [
    'member of a parameter',
    { parameters: { p: { type: 'string', defaltValue: 'a' } } },
    'parameters.p.defaltValue',
    'defaultValue',
  ],
  ['type', { parameters: { p: { type: 'strng', defaultValue: 'a' } } }, 'parameters.p', 'string'],
  [
    'definition',
    {
      languageVersion: '2.0',
      definitions: { color: { type: 'string' } },
      parameters: { p: { $ref: '#/definitions/colour' } },
      resources: {},
    },
    'parameters.p',
    '#/definitions/color',
  ],
  [
    'resource',
    { resources: [resource('first'), resource('b', { dependsOn: ['frist'] })] },
    'resources[1].dependsOn',
    'first',
  ],
  [
    'resource of an id',
    { resources: [resource('first'), resource('b', { dependsOn: ["[resourceId('X/r', 'frist')]"] })] },
    'resources[1].dependsOn',
    'x/r/first',
  ],
  [
    'symbolic name',
    { languageVersion: '2.0', resources: { first: resource('a'), b: resource('b', { x: "[reference('frist').a]" }) } },
    'resources.b.x',
    'first',
  ],
  ['member', { resources: [resource('a', { x: "[createObject('colour', 1).color]" })] }, 'resources[0].x', 'colour'],
])('a misspelt %s is reported at its place, with the name that is near', (_, parts, path, near) => {
  const { problems } = expand(parts);
  expect(problems[0]).toMatchObject({ path, message: expect.stringContaining(`did you mean '${near}'?`) });
  expect(problems[0]?.line).toBe(1);
});

test('a value for a parameter that the template has not names the one that is near', () => {
  const { problems } = expand({ parameters: { colour: { type: 'string' } } }, { color: { value: 'a' } });
  expect(problems[0]?.message).toContain("did you mean 'colour'?");
});

test.each([
  [{ apiVersion: '1', name: 'a' }, 'The type of a resource is missing'],
  [{ type: 'X/r', apiVersion: '1', name: '' }, 'The name of a resource is empty'],
])('a member that is missing or empty is called so: %j', (own, message) => {
  expect(expand({ resources: [own] }).problems[0]?.message).toContain(message);
});

test('what needs a value with a problem is not reported too', () => {
  const parts = {
    parameters: { p: { type: 'string', minLength: 3, defaultValue: 'a' } },
    variables: { v: ["[parameters('p')]"] },
    resources: [resource('a', { x: "[variables('v')[0]]" })],
    outputs: { o: { type: 'array', value: "[variables('v')]" } },
  };
  expect(expand(parts).problems.map(({ path }) => path)).toEqual(['parameters.p']);
});

test('resources of an extension are refused once, by the section', () => {
  const properties = {
    mode: 'Incremental',
    template: {
      $schema,
      contentVersion: '1.0.0.0',
      languageVersion: '2.0',
      extensions: { k8s: { name: 'Kubernetes', version: '1.0.0' } },
      resources: { a: { extension: 'k8s', type: 'apps/Deployment@v1', properties: {} } },
    },
  };
  const type = 'Microsoft.Resources/deployments';
  const { problems } = expand({
    languageVersion: '2.0',
    resources: { d: { type, apiVersion: '1', name: 'd', properties } },
  });
  expect(problems.map(({ path }) => path)).toEqual(['resources.d.properties.template.extensions']);
});

test('deployments may be ten levels inside each other', () => {
  const nested = (level: number): object =>
    level === 0 ? resource('a') : deployment(`d${level}`, { resources: [nested(level - 1)] });
  expect(expand({ resources: [nested(10)] }).problems).toEqual([]);
});
