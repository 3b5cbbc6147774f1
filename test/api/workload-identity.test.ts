import { expect, test } from '@jest/globals';
import { accountsExpression, claimsFit, parseClaimsExpression } from '../../runtime/api/workload-identity.ts';
import { fitsPattern } from '../../runtime/base/text/wildcard.ts';

const fits = (expression: string, claims: Record<string, unknown>) => {
  const comparisons = parseClaimsExpression(expression);
  return comparisons && claimsFit(comparisons, claims);
};

test.each([
  ["claims['sub'] matches 'repo:a/b:ref:refs/heads/*'", { sub: 'repo:a/b:ref:refs/heads/x/y' }, true],
  ["claims['sub'] matches 'repo:a/?:x'", { sub: 'repo:a/bb:x' }, false],
  ["claims['sub'] eq 'repo:*'", { sub: 'repo:a' }, false],
  ["claims['sub'] eq 'a' and claims['job_workflow_ref'] matches 'b*'", { sub: 'a', job_workflow_ref: 'bc' }, true],
  ["claims['sub'] eq 'a' and claims['job_workflow_ref'] matches 'b*'", { sub: 'a' }, false],
  ["claims['sub'] eq 'it''s'", { sub: "it's" }, true],
  ["claims['toString'] matches '*'", {}, false],
])('%s of %j is %s', (expression, claims, expected) => {
  expect(fits(expression, claims)).toBe(expected);
});

test.each([
  "claims['sub'] matches system:serviceaccount:ns:*",
  "claims['sub']  matches 'a'",
  "claims['sub'] like 'a'",
  "claims['sub'] eq 'a' or claims['sub'] eq 'b'",
  "claims['sub'] eq 'a' and ",
  `claims['sub'] eq '${'a'.repeat(1024)}'`,
  '',
])('%s is no expression of the language', (expression) => {
  expect(parseClaimsExpression(expression)).toBeUndefined();
});

test('an expression for accounts stays in its namespace', () => {
  const { value, languageVersion } = accountsExpression('shop', 'web-*');
  expect([value, languageVersion]).toEqual(["claims['sub'] matches 'system:serviceaccount:shop:web-*'", 1]);
  expect(fits(value, { sub: 'system:serviceaccount:shop:web-1' })).toBe(true);
  expect(fits(value, { sub: 'system:serviceaccount:other:web-1' })).toBe(false);
});

test.each([
  ['', '', true],
  ['', '*', true],
  ['a', '', false],
  ['app-db', 'app-*', true],
  ['app-', 'app-*', true],
  ['aXbXc', 'a*b*c', true],
  ['aXbXcX', 'a*b*c', false],
  ['abc', '???', true],
  ['abc', '????', false],
  ['a.c', 'a?c', true],
  ['abc', 'a.c', false],
  ['mississippi', '*iss*pi', true],
])('%s fits %s: %s', (text, pattern, expected) => {
  expect(fitsPattern(text, pattern)).toBe(expected);
});

test('a pattern of many stars ends soon', () => {
  expect(fitsPattern('a'.repeat(2000), `${'*a'.repeat(500)}b`)).toBe(false);
});
