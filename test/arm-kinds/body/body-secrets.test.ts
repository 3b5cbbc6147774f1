import { expect, test } from '@jest/globals';
import {
  bodySecretInputs,
  pointerOf,
  withBodySecrets,
  withoutBodySecrets,
} from '../../../runtime/arm-kinds/body/body-secrets.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';

const secrets = [{ name: 'app', key: 'value' }];

test('a value goes to its place, whatever its names, and a place that is not there is refused', () => {
  const path = pointerOf(['tags', 'a/b~c', '__proto__', 1]);
  expect(path).toBe('/tags/a~1b~0c/__proto__/1');
  const body = JSON.parse('{"tags": {"a/b~c": {"__proto__": ["x", "y"]}}}');
  const inputs = new Map([['bodySecrets[0]', new SecretValue('s')]]);
  withBodySecrets(body, [{ path, secrets }], inputs);
  expect(Object.values(body.tags['a/b~c'])[0]).toEqual(['x', inputs.get('bodySecrets[0]')]);
  for (const wrong of [
    '/tags/constructor/name',
    '/tags/a~1b~0c/__proto__/2',
    '/other',
    '/tags/a~1b~0c/__proto__/length',
  ])
    expect(() => withBodySecrets(body, [{ path: wrong, secrets }], inputs)).toThrow(/The body has nothing at/);
});

test('a plan has a mark where the value would be', () => {
  const body = withBodySecrets({ a: 'x' }, [{ path: '/a', secrets }], new Map());
  expect(JSON.stringify(body)).toBe('{"a":"(secret)"}');
});

test('the status has no member at such a place, in whatever order and spelling Azure shows it', () => {
  const live = {
    Properties: {
      list: [
        { name: 'b', Value: 's' },
        { name: 'a', value: 't' },
      ],
      other: 1,
    },
  };
  expect(withoutBodySecrets(live, [{ path: '/properties/list/0/value', secrets }])).toEqual({
    Properties: { list: [{ name: 'b' }, { name: 'a' }], other: 1 },
  });
  expect(withoutBodySecrets(live, [{ path: '/properties/list/0', secrets }])).toEqual({
    Properties: { list: [], other: 1 },
  });
});

test('an expression comes after the Secrets that it reads', () => {
  const [first, second, ...others] = bodySecretInputs([{ path: '/a', expression: '[x]', secrets }]);
  expect([first, second, others]).toEqual([
    { type: 'secret', path: 'bodySecrets[0].secrets[0]', name: 'app', key: 'value' },
    { type: 'expression', path: 'bodySecrets[0]', expression: '[x]', secrets: ['bodySecrets[0].secrets[0]'] },
    [],
  ]);
});

test('an index that JSON pointers do not have is refused, and puts nothing beside the list', () => {
  const entries = [{ path: '/list/00', secrets: [{ name: 's', key: 'k' }] }];
  expect(() => withBodySecrets({ list: ['(secret)'] }, entries, new Map())).toThrow('The body has nothing at /list/00');
});
