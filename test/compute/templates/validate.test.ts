/** Rules that a template has for values: lambdas with messages, as Bicep writes `@validate`. */
import { expect, test } from '@jest/globals';
import { satisfiesIn } from '../../../runtime/compute/templates/document/parameters/validators.ts';
import { environment, expand, run } from './support.ts';

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

// Each function fails with its argument in the message, unless the argument is a secret.
const shows = (value: string) => [`[lambda('v', equals(createObject('a', 1)[${value}], 1))]`];
const shown = shows("lambdaVariables('v')");
const password = { type: 'string', validate: shown };
const secureObject = (member: object) => ({ type: 'secureObject', properties: { a: member } });
const a = { a: 'hunter2' };
const pair = { type: 'object', properties: { a: { type: 'securestring' } } };
const variants = { propertyName: 'a', mapping: { hunter2: { type: 'object', properties: { a: password } } } };

test.each<[string, object, unknown]>([
  ['a secure string', { type: 'securestring', validate: shown }, 'hunter2'],
  [
    'one that a rule converts',
    { type: 'securestring', validate: ["[lambda('x', int(lambdaVariables('x')))]"] },
    'hunter2',
  ],
  ['one that breaks a rule', { type: 'securestring', validate: starts }, 'hunter2'],
  ['a member of a secure object', secureObject(password), a],
  ['a member of a member', secureObject({ type: 'object', properties: { a: password } }), { a }],
  ['a member by a definition', secureObject({ $ref: '#/definitions/password' }), a],
  ['an additional member', { type: 'secureObject', additionalProperties: password }, a],
  ['an item of a secure object', secureObject({ type: 'array', items: password }), { a: ['hunter2'] }],
  ['an item by its place', secureObject({ type: 'array', prefixItems: [password] }), { a: ['hunter2'] }],
  ['a secure object of an array', { type: 'array', items: secureObject(password) }, [a]],
  ['a variant of a secure object', { type: 'secureObject', discriminator: variants }, a],
  ['allowed values of a member', secureObject({ type: 'string', allowedValues: ['x'] }), a],
  ['allowed values of items', secureObject({ type: 'array', allowedValues: ['x'] }), { a: ['hunter2'] }],
  ['allowed values of an object with a secure member', { ...pair, allowedValues: [{ a: 'x' }] }, a],
  ['allowed values of secure items', { type: 'array', items: pair, allowedValues: ['x'] }, [a]],
  ['a type that is wrong first', { ...pair, allowedValues: [{ a: 'x' }], properties: { a: { type: 'array' } } }, a],
  ['the least number', secureObject({ type: 'int', minValue: 70_000 }), { a: 31337 }],
  ['the greatest number', secureObject({ type: 'int', maxValue: 7 }), { a: 31337 }],
  ['the least length', secureObject({ type: 'string', minLength: 8 }), a],
  ['the greatest length', secureObject({ type: 'string', maxLength: 6 }), a],
  ['a rule of an object with a secure member', { ...pair, validate: shows("lambdaVariables('v').a") }, a],
  ['a rule of an array of them', { type: 'array', items: pair, validate: shows("lambdaVariables('v')[0].a") }, [a]],
  [
    'a rule of an object with a secure variant',
    {
      type: 'object',
      discriminator: { propertyName: 'a', mapping: { hunter2: { type: 'secureObject' } } },
      validate: shows("lambdaVariables('v').a"),
    },
    a,
  ],
])('a secret is in no message: %s', (_, parameter, value) => {
  const found = messages(parameter, value, { definitions: { password } });
  expect(found).toHaveLength(1);
  expect(found.join()).not.toMatch(/hunter2|31337/);
});

test('a member of a secret that a function of the template takes is in no message', () => {
  const parameters = [{ name: 'o', type: 'object', properties: { a: { type: 'string', allowedValues: ['x'] } } }];
  const use = { parameters, output: { type: 'bool', value: true } };
  const functions = [{ namespace: 'n', members: { use } }];
  const outputs = { o: { type: 'bool', value: "[n.use(parameters('p'))]" } };
  const found = messages({ type: 'secureObject' }, a, { functions, outputs });
  expect(found).toEqual([expect.stringContaining("'o.a' is not valid: it is not one of the allowed value(s)")]);
});

test('variants that choose each other without an end are a problem', () => {
  const loop = { type: 'object', discriminator: { propertyName: 'a', mapping: { x: { $ref: '#/definitions/loop' } } } };
  expect(messages({ $ref: '#/definitions/loop' }, { a: 'x' }, { definitions: { loop } })).toEqual([
    'The types refer to each other in a circle',
  ]);
});

test('a rule is parsed once, which costs steps', () => {
  let steps = 0;
  const counting = run();
  const step = counting.budget.step.bind(counting.budget);
  counting.budget.step = (count = 1) => {
    steps += count;
    step(count);
  };
  const satisfies = satisfiesIn(() => environment(), counting);
  const rule = `[lambda('x',${' '.repeat(1600)}true())]`;
  const cost = () => {
    steps = 0;
    expect(satisfies(rule, 'a')).toBe(true);
    return steps;
  };
  const [first, second] = [cost(), cost()];
  expect(first - second).toBe(Math.ceil(rule.length / 16));
});

test('outputs have rules too, and those need languageVersion 2.0', () => {
  const outputs = { o: { type: 'string', value: 'x', validate: starts } };
  expect(expand({ languageVersion: '2.0', resources: {}, outputs }).problems).toMatchObject([
    { message: "The output 'o' violates a rule: It starts with foo" },
  ]);
  const parameters = { p: { type: 'string', defaultValue: 'foo', validate: starts } };
  expect(expand({ parameters }).problems).toMatchObject([{ message: expect.stringContaining('languageVersion 2.0') }]);
});
