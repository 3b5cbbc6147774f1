/** The extensions of CEL that ASO v2's expressions have: values from cel-go's own tests of them. */
import { expect, test } from '@jest/globals';
import { checkExpression, evaluate, plainValue } from '../../../runtime/arm-kinds/export/expressions.ts';

const self = {
  spec: { location: 'westus', count: 7, half: 0.5, tags: ['a', 'b', 'a'] },
  metadata: { annotations: { 'key 1': 'one', 'key 2': 'two' } },
  status: { endpoints: [{ name: 'blob', url: 'https://b' }] },
};
const of = (expression: string) => ({ expression, where: 'spec.x', seesSecrets: false });
const resultOf = (expression: string) => {
  checkExpression(of(expression));
  return evaluate(of(expression), { self });
};
const terminal = expect.objectContaining({ code: 'AZ_TERMINAL' });

test.each([
  ['"hello hello".replace("he", "we")', 'wello wello'],
  ['"hello hello".replace("he", "we", -1)', 'wello wello'],
  ['"hello hello".replace("he", "we", 1)', 'wello hello'],
  ['"hello hello".replace("he", "we", 0)', 'hello hello'],
  ['"a$&b".replace("$&", "$1")', 'a$1b'],
  ['"ta©o©α𐀓".replace("", "_")', '_t_a_©_o_©_α_𐀓_'],
  ['"".replace("", "x")', 'x'],
  ['"tacocat".charAt(3)', 'o'],
  ['"tacocat".charAt(7)', ''],
  ['"©αT".charAt(1)', 'α'],
  ['"gums 𐀓".reverse()', '𐀓 smug'],
  ['strings.quote("first\\nsecond \\"x\\"")', '"first\\nsecond \\"x\\""'],
  ['self.spec.location.replace("west", "east")', 'eastus'],
])('%s is %j', (expression, value) => {
  expect(resultOf(expression)).toBe(value);
});

test.each([
  ['"no substitution".format([])', 'no substitution'],
  ['"%%%s%%".format(["text"])', '%text%'],
  ['"%s:%d".format([self.spec.location, self.spec.count])', 'westus:7'],
  ['"%d %d".format([1, uint(2)])', '1 2'],
  ['"%.3f %f".format([1.2345, self.spec.half])', '1.234 0.500000'],
  ['"%.1f".format([1234567.25])', '1,234,567.2'],
  ['"%f %f".format(["NaN", "Infinity"])', 'NaN ∞'],
  ['"%.6e".format([1052.032911275])', '1.052033\u202f×\u202f10⁰³'],
  ['"%e".format([0.00271828])', '2.718280\u202f×\u202f10⁻⁰³'],
  ['"%b %b %b".format([5, -5, true])', '101 -101 1'],
  ['"%o %x %X %x".format([11, 30, -30, "Hello"])', '13 1e -1E 48656c6c6f'],
  ['"%s %s %s".format([null, true, 0.000000002])', 'null true 2e-09'],
  ['"%s".format([["abc", 3.14, null, [9, 8]]])', '["abc", 3.140000, null, [9, 8]]'],
  ['"%s".format([{"key2": b"xyz", "key1": true}])', '{"key1":true, "key2":b"xyz"}'],
  ['"%s".format([timestamp("2023-02-03T23:31:20+00:00")])', '2023-02-03T23:31:20Z'],
])('%s gives %s', (expression, value) => {
  expect(resultOf(expression)).toBe(value);
});

test.each([
  ['[1, 2, 3].all(i, v, i < v)', true],
  ['{"hello": "world", "taco": "taco"}.all(k, v, k != v)', false],
  ['[1, 2, 3].exists(i, v, i == 2 && v == 3)', true],
  ['[].exists(i, v, true)', false],
  ['[].all(i, v, false)', true],
  ['[1, 2, 1, 3, 1, 4].existsOne(i, v, i == 1 || v == 1)', false],
  ['[1, 1, 2, 2, 3, 3].exists_one(i, v, i == 2 && v == 2)', true],
  ['[1, "a"].exists(i, v, v + "b" == "ab")', true],
  ['[1, "a"].all(i, v, v + "b" == "x")', false],
  ['self.spec.tags.exists(i, tag, i == 1 && tag == "b")', true],
])('%s is %s', (expression, value) => {
  expect(resultOf(expression)).toBe(value);
});

test.each([
  ['[1, 2, 3].transformList(i, v, (i * v) + v)', [1n, 4n, 9n]],
  ['self.spec.tags.transformList(i, v, i != 1, v)', ['a', 'a']],
  [
    '["x", "y"].transformList(i, v, [1, 2].transformList(j, w, v))',
    [
      ['x', 'x'],
      ['y', 'y'],
    ],
  ],
])('%s is a list', (expression, list) => {
  expect(resultOf(expression)).toEqual(list);
});

test.each([
  ['self.metadata.annotations.transformMapEntry(k, v, {k.replace(" ", "-"): v})', { 'key-1': 'one', 'key-2': 'two' }],
  ['self.metadata.annotations.transformMapEntry(k, v, v == "one", {v: k})', { one: 'key 1' }],
  ['self.metadata.annotations.transformMap(k, v, v + "!")', { 'key 1': 'one!', 'key 2': 'two!' }],
  ['self.metadata.annotations.transformMap(k, v, k == "key 2", v)', { 'key 2': 'two' }],
  ['self.status.endpoints.transformMapEntry(i, each, {each.name: each.url})', { blob: 'https://b' }],
])('%s is a map', (expression, map) => {
  expect(plainValue(resultOf(expression))).toEqual(map);
});

test.each([
  ['"tacocat".charAt(8)'],
  ['"%d %d".format([1])'],
  ['"%a".format([1])'],
  ['"%d".format(["x"])'],
  ['"%b".format(["x"])'],
  ['"%.999f".format([1.0])'],
  ['["a", "a"].transformMapEntry(i, v, {v: i})'],
  ['[1, 2].all(i, v, v)'],
  ['[1, "a"].all(i, v, v + "b" == "ab")'],
  ['self.spec.location.all(k, v, true)'],
])('%s ends with an error', (expression) => {
  checkExpression(of(expression));
  expect(() => evaluate(of(expression), { self })).toThrow(terminal);
});

test.each([
  ['"text".transformMap(k, v, v)', /needs a list or a map/],
  ['[1].all(1, v, true)', /begins with two variables/],
  ['[1].all(k, v, w)', /Unknown variable: w/],
  ['1.reverse()', /./],
])('that %s is wrong is seen without any value', (expression, problem) => {
  expect(() => checkExpression(of(expression))).toThrow(problem);
});
