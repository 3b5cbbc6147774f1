import { describe, expect, test } from '@jest/globals';
import { resolveUnknowns } from '../../../runtime/compute/templates/expand-template.ts';
import { deployment, edges, inner, resource } from './nested-templates.ts';
import { expand, groupId } from './support.ts';

describe('outputs', () => {
  const outputs = {
    known: { type: 'string', value: "[parameters('p')]" },
    open: { type: 'string', value: "[reference('a').ip]" },
    key: { type: 'object', value: "[listKeys('a', '2024-01-01')]" },
  };
  const parts = { parameters: { p: { type: 'string' } }, resources: [resource('a')], outputs };
  const first = deployment('first', parts, { properties: inner({ p: { value: 'x' } }) });
  const use = (name: string) => `[reference('first').outputs.${name}.value]`;
  const idOfA = `${groupId}/providers/X/r/a`;

  test('are known as far as the template decides them, and become known with the answers', () => {
    const body = { properties: { known: use('known'), open: use('open'), key: use('key') } };
    const expanded = expand({ resources: [resource('user', body), first] });
    expect([expanded.problems, edges(expanded)]).toEqual([[], { user: ['a'], a: [] }]);
    const [user] = expanded.resources as [(typeof expanded.resources)[number]];
    expect(user.waitsFor).toEqual([idOfA]);
    expect(user.body['properties']).toMatchObject({ known: 'x' });
    const answer = { resource: { properties: { ip: '10.0.0.4' } }, lists: { listKeys: { key: 'k' } } };
    const resolved = resolveUnknowns(user, { [idOfA]: answer });
    expect(resolved.waitsFor).toEqual([]);
    expect(JSON.parse(JSON.stringify(resolved.body))).toEqual({
      properties: { known: 'x', open: '10.0.0.4', key: '(secret)' },
    });
  });

  test('can be parameters of another deployment, whose resources then come later; names wait for their answers', () => {
    const second = (value: string) =>
      deployment(
        'second',
        { parameters: { q: { type: 'string' } }, resources: [resource("[concat('b', parameters('q'))]")] },
        { properties: inner({ q: { value } }) },
      );
    expect(edges(expand({ resources: [second(use('known')), first] }))).toEqual({ bx: ['a'], a: [] });
    const { problems, undecided, resources } = expand({ resources: [second(use('open')), first] });
    expect(problems).toEqual([]);
    expect(undecided).toMatchObject([{ what: 'name of a resource', waitsFor: [idOfA] }]);
    expect(resources.map(({ name }) => name)).toEqual(['a']);
  });

  // Source: Azure/bicep pull request 13162.
  test('that are null have no value, so that templates ask for it by tryGet()', () => {
    const none = {
      languageVersion: '2.0',
      resources: {},
      outputs: { o: { type: 'string', nullable: true, value: null } },
    };
    const resources = [deployment('first', none, { properties: inner() })];
    const output = (value: string) => expand({ resources, outputs: { r: { type: 'object', value } } });
    const safe = "tryGet(tryGet(reference('first').outputs, 'o'), 'value')";
    expect(output(`[createObject('v', ${safe})]`).outputs).toEqual({ r: { type: 'object', value: { v: null } } });
    const { problems } = output("[createObject('v', reference('first').outputs.o.value)]");
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("property 'value' doesn't exist")]);
  });

  test('of a template can be those of a deployment inside of it', () => {
    const expanded = expand({ resources: [first], outputs: { o: { type: 'string', value: use('known') } } });
    expect(expanded.outputs).toEqual({ o: { type: 'string', value: 'x' } });
  });
});
