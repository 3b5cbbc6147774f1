/** Problems name the place in the text, what is wrong, and the name that was probably meant. */
import { expect, test } from '@jest/globals';
import { resource } from './nested-templates.ts';
import { expand } from './support.ts';

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
