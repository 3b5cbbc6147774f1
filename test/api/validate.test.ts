import { describe, expect, test } from '@jest/globals';
import { kindOf } from '../../runtime/api/kinds.ts';
import { validate, validateValue } from '../../runtime/api/validate.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { changes, validationCases } from './validation-cases.ts';

const kindOfObject = ({ apiVersion, kind }: KubeObject) => kindOf(String(apiVersion.split('/')[0]), kind);

describe('the validation has the results of the API server', () => {
  test.each(validationCases)('$name', ({ object, refusedAt, because }) => {
    const problems = validate(kindOfObject(object), object);
    expect(problems.map(({ path }) => path)).toEqual(refusedAt === undefined ? [] : [refusedAt]);
    if (because) expect(problems[0]?.message).toMatch(because);
  });

  test.each(changes)('$name', ({ object, old, refusedAt, because }) => {
    expect(validate(kindOfObject(object), object)).toEqual([]);
    const problems = validate(kindOfObject(object), object, { old });
    expect(problems.map(({ path }) => path)).toEqual(refusedAt === undefined ? [] : [refusedAt]);
    if (because) expect(problems[0]?.message).toMatch(because);
  });
});

const group = kindOf('resources.azure.com', 'ResourceGroup');
const valid = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'rg' },
  spec: { location: 'westeurope' },
};

test('a problem names the path, what was expected and what was there', () => {
  expect(validate(group, { ...valid, spec: { location: 7 } })).toEqual([
    {
      path: 'spec.location',
      expected: 'a string',
      got: '7 (number)',
      message: 'spec.location: expected a string, got 7 (number)',
    },
  ]);
  expect(validate(group, { ...valid, spec: {} })[0]?.message).toBe('spec.location: expected a value, got nothing');
  expect(validate(group, 'text')[0]?.message).toBe('the object: expected an object, got "text" (string)');
});

test('one error lists all problems', () => {
  const wrong = { ...valid, kind: 'Other', metadata: { name: 'Upper' }, spec: { location: 1, tags: { a: 2 } } };
  expect(validate(group, wrong).map(({ path }) => path)).toEqual([
    'kind',
    'metadata.name',
    'spec.location',
    'spec.tags[a]',
  ]);
});

test('a version that is not served is refused', () => {
  expect(validate(group, { ...valid, apiVersion: 'resources.azure.com/v1' })[0]).toMatchObject({
    path: 'apiVersion',
    expected: 'resources.azure.com/v1api20200601',
  });
});

test('a generated name needs no name', () => {
  expect(validate(group, { ...valid, metadata: { generateName: 'rg-' } })).toEqual([]);
  expect(validate(group, { ...valid, metadata: {} })[0]?.path).toBe('metadata.name');
});

test('members that are undefined count as absent', () => {
  expect(validate(group, { ...valid, spec: { location: undefined } })[0]?.path).toBe('spec.location');
  expect(validate(group, { ...valid, spec: { location: 'x', tags: undefined } })).toEqual([]);
});

test('the message about an unknown member names the field that is meant, and never has the value', () => {
  const of = (member: object) => {
    const spec = { location: 'westeurope', ...member };
    const object = {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'g' },
      spec,
    };
    const [found] = validate(group, object, { strict: true });
    return found?.message.replace(', got a field that the kind does not have', '');
  };
  for (const [wrong, right] of [
    ['Tags', 'tags'],
    ['tgas', 'tags'],
    ['tag', 'tags'],
    ['taggs', 'tags'],
    ['managedBi', 'managedBy'],
  ])
    expect(of({ [wrong as string]: 'hunter2' })).toBe(`spec.${wrong}: expected the name ${right}`);
  const names = 'azureName, location, managedBy, operatorSpec, tags';
  for (const name of ['constructor', 'toString', '__proto__'])
    expect(of(JSON.parse(`{"${name}": "hunter2"}`))).toBe(`spec.${name}: expected one of ${names}`);
  expect(of({ password: 'hunter2' })).toBe(`spec.password: expected one of ${names}`);
});

test('unknown members are problems only when asked for, and never where anything may stand', () => {
  const object = { ...valid, spec: { location: 'x', lokation: 'y' }, status: { anything: 1 } };
  expect(validate(group, object)).toEqual([]);
  expect(validate(group, object, { strict: true })).toMatchObject([
    { path: 'spec.lokation', expected: 'the name location' },
  ]);
});

test('messages cut a long value, and name only the members of an object that breaks a rule', () => {
  expect(validate(group, { ...valid, spec: { location: ['x'.repeat(500)] } })[0]?.got).toHaveLength(88);
  const arm = kindOf('azimuth.dev', 'ArmResource');
  const spec = {
    type: 'A.B/c@2020-01-01',
    owner: { name: 'a' },
    scope: '/subscriptions/s',
    body: { password: 'hush' },
  };
  const object = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ArmResource', metadata: { name: 'a' }, spec };
  const [problem] = validate(arm, object);
  expect(problem?.got).toBe('{type, owner, scope, body}');
});

test('two conditions of one type are refused', () => {
  const condition = { type: 'Ready', status: 'True', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const problems = validate(group, { ...valid, status: { conditions: [condition, condition] } });
  expect(problems.map(({ path }) => path)).toEqual(['status.conditions[1]']);
});

test('a value below an object can be validated by itself', () => {
  expect(validateValue({ type: 'array', items: { type: 'string' } }, ['a', 1], 'spec.zones')).toMatchObject([
    { path: 'spec.zones[1]' },
  ]);
});
