import { expect, test } from '@jest/globals';
import { checkExpression, evaluate, type UserExpression } from '../../../runtime/arm-kinds/export/expressions.ts';

const where = 'spec.operatorSpec.secretExpressions[0].value';
const ofSecrets = (expression: string): UserExpression => ({ expression, where, seesSecrets: true });
const terminal = (message: RegExp) =>
  expect.objectContaining({ code: 'AZ_TERMINAL', message: expect.stringMatching(message) });

test.each([
  ['secret.password + 1', 'no such overload, at `secret.password + 1`'],
  ['self.status.nme + "x"', 'no such key, at `nme`'],
  ['self[secret.password]', 'no such key, at `self[secret.password]`'],
  ['timestamp(secret.password)', 'invalid timestamp, at `timestamp(secret.password)`'],
  ['duration(secret.password)', 'invalid duration, at `duration(secret.password)`'],
  ['"a".matches("[" + secret.password)', 'invalid regular expression, at `"a".matches("[" + secret.password)`'],
])('what %s throws says what is wrong with which part, and no value', (expression, problem) => {
  const run = () => evaluate(ofSecrets(expression), { self: { status: {} }, secret: { password: 'hunter2' } });
  expect(run).toThrow(terminal(/^(?!.*hunter2)/));
  expect(run).toThrow(`${where}: the expression \`${expression}\` cannot be evaluated: ${problem}`);
});

test.each([
  ['"a', /Unterminated string/],
  ['', /Unexpected token/],
  ['slf.a', /Unknown variable: slf/],
  ['base64(self.a)', /no matching overload for 'base64\(dyn\)'/],
  ['"a" + 1', /no such overload: string \+ int/],
])('that %s is wrong is seen without any value', (expression, problem) => {
  expect(() => checkExpression(ofSecrets(expression))).toThrow(terminal(problem));
  expect(() => checkExpression(ofSecrets(expression))).toThrow(`${where}: the expression \`${expression}\` is wrong: `);
});

test('an expression for what anybody may read sees no secrets', () => {
  const shown = { expression: 'self.a + secret.password', where, seesSecrets: false };
  expect(() => checkExpression(shown)).toThrow(terminal(/secret can be used in the values of secretExpressions only/));
  const variables = { self: { a: 'a' }, secret: { password: 'b' } };
  expect(() => evaluate(shown, variables)).toThrow(terminal(/unknown variable/));
  expect(evaluate({ ...shown, seesSecrets: true }, variables)).toBe('ab');
});

test('a word where a text is wanted is wrong, and the message shows how to write a fixed text', () => {
  const label = { ...ofSecrets('shop'), yields: 'string' } as const;
  expect(() => checkExpression(label)).toThrow(terminal(/write a fixed text in quotes, `"shop"`/));
  expect(() => checkExpression({ ...label, expression: '"shop"' })).not.toThrow();
  expect(() => checkExpression({ ...label, expression: '5' })).toThrow(terminal(/must be of type string/));
});

test('an expression of a type that cannot be is wrong', () => {
  expect(() => checkExpression({ ...ofSecrets('"yes"'), yields: 'bool' })).toThrow(
    terminal(/must be of type bool, but is of type string/),
  );
  expect(() => checkExpression({ ...ofSecrets('self.ready'), yields: 'bool' })).not.toThrow();
  expect(() => checkExpression({ ...ofSecrets('self.a == 1'), yields: 'bool' })).not.toThrow();
});
