/** Rules that a template has for values: lambdas with messages, as Bicep writes `@validate`. */
import { expect, test } from '@jest/globals';
import { expand } from './support.ts';

const starts = ["[lambda('x', startsWith(lambdaVariables('X'), 'foo'))]", 'It starts with foo'];
const contains = "[lambda('x', contains(lambdaVariables('x'), 'x'))]";
const even = ["[lambda('n', n.even(lambdaVariables('n')))]", 'It is even'];
const messages = (parameter: object, value: unknown, more: object = {}) => {
  const parts = { languageVersion: '2.0', resources: {}, parameters: { p: parameter }, ...more };
  return expand(parts, { p: { value } }).problems.map(({ message }) => message);
};

test.each<[string, object, unknown, string[], object?]>([
  ['a value that holds', { type: 'string', validate: starts }, 'foobar', []],
  ['one that does not', { type: 'string', validate: starts }, 'bar', ["'p' violates a rule: It starts with foo"]],
  ['a rule without a message', { type: 'string', validate: [contains] }, 'a', [`'p' violates a rule: '${contains}'`]],
  [
    'an item, by a definition',
    { type: 'array', items: { $ref: '#/definitions/t' } },
    ['x', 'a'],
    ["'p[1]' violates a rule"],
    { definitions: { t: { type: 'string', validate: [contains] } } },
  ],
  [
    'a property, by a function of the template',
    { type: 'object', properties: { a: { type: 'int', validate: even } } },
    { a: 3 },
    ["'p.a' violates a rule: It is even"],
    {
      functions: [
        {
          namespace: 'n',
          members: {
            even: {
              parameters: [{ name: 'i', type: 'int' }],
              output: { type: 'bool', value: "[equals(mod(parameters('i'), 2), 0)]" },
            },
          },
        },
      ],
    },
  ],
  ['a value of another type first', { type: 'string', validate: starts }, 1, ['must have type string']],
  ['null', { type: 'string', nullable: true, validate: starts }, null, []],
  ['no lambda', { type: 'string', validate: ['x'] }, 'a', ["a lambda with one variable, got 'x'"]],
  ['a lambda that gives no bool', { type: 'string', validate: ["[lambda('x', 1)]"] }, 'a', ['must return a Boolean']],
])('validate of %s', (_, parameter, value, expected, more = {}) => {
  expect(messages(parameter, value, more)).toEqual(expected.map((each) => expect.stringContaining(each)));
});

test('no message of a rule has a part of a secret', () => {
  const rule = ["[lambda('x', equals(int(lambdaVariables('x')), 2))]"];
  const found = [
    ...messages({ type: 'securestring', validate: rule }, 'hunter2'),
    ...messages({ type: 'securestring', validate: starts }, 'hunter2'),
    ...messages({ type: 'secureObject', properties: { a: { type: 'string', validate: rule } } }, { a: 'hunter2' }),
  ];
  expect(found.length).toBe(3);
  expect(found.join()).not.toContain('hunter2');
});

test('outputs have rules too, and those need languageVersion 2.0', () => {
  const outputs = { o: { type: 'string', value: 'x', validate: starts } };
  expect(expand({ languageVersion: '2.0', resources: {}, outputs }).problems).toMatchObject([
    { message: "The output 'o' violates a rule: It starts with foo" },
  ]);
  const parameters = { p: { type: 'string', defaultValue: 'foo', validate: starts } };
  expect(expand({ parameters }).problems).toMatchObject([{ message: expect.stringContaining('languageVersion 2.0') }]);
});
