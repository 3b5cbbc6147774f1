import { expect, test } from '@jest/globals';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { ignoredPaths, withLiveAt, withoutPaths } from '../../../runtime/arm-kinds/body/ignored-fields.ts';
import { valueAt } from '../../../runtime/arm-kinds/body/value-path.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { getPath, setPath } from '../../../runtime/arm-kinds/values/json-object.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { counted } from './counted.ts';

const object = (paths: string) => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ArmResource',
  metadata: { name: 'x', annotations: { [annotations.ignoreFields]: paths } },
  spec: { type: 'Microsoft.Logic/workflows@2019-05-01', body: {} },
});

test('a place that an annotation names is a member of the resource, never one that all objects share', () => {
  // What JSON.parse makes of an answer: a member of this very name.
  const live = JSON.parse('{"properties": {"definition": {"__proto__": {"polluted": true}}}}');
  const paths = [['properties', 'definition', '__proto__', 'polluted']];
  const body = { properties: { definition: { own: 1 } } };
  expect(withLiveAt(body, paths, live)).toMatchObject(body);
  expect(withoutPaths(body, [['constructor', 'name'], ...paths])).toEqual(body);
  setPath({ own: {} }, 'own.__proto__.polluted', true);
  setPath({}, '__proto__.polluted', true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  for (const path of ['constructor.name', '__proto__.toString', 'toString']) {
    expect(getPath({}, path)).toBeUndefined();
    expect(valueAt({}, path)).toBeUndefined();
  }
  expect(() => ignoredPaths(armResourceModel, object('body.properties.__proto__.x'))).toThrow(
    /no field of ArmResource/,
  );
  expect(ignoredPaths(armResourceModel, object('body.properties.x, spec.body.tags'))).toEqual([
    ['properties', 'x'],
    ['tags'],
  ]);
});

test('an object of which all is left to others is left out: empty, it would say that nothing is to be there', () => {
  const body = { properties: { acls: { rules: [1] }, tier: 'Hot' }, tags: { cost: 'x' } };
  const paths = [
    ['properties', 'acls', 'rules'],
    ['tags', 'cost'],
  ];
  expect(withoutPaths(body, paths)).toEqual({ properties: { tier: 'Hot' } });
});

test('thousands of ignored places in a body of thousands of members take linear time', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `a${index}`);
  const { live, reads } = counted({ tags: Object.fromEntries(names.map((name) => [name, 'x'])), other: 1 });
  const paths = names.slice(1).map((name) => ['tags', name]);
  expect(withoutPaths(live as JsonObject, paths)).toEqual({ tags: { a0: 'x' }, other: 1 });
  expect(reads()).toBeLessThan(10 * names.length);
  expect(withoutPaths(live as JsonObject, [...paths, ['tags', 'a0']])).toEqual({ other: 1 });
});
