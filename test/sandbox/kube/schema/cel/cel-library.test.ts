import { expect, test } from '@jest/globals';
import type { OpenApiSchema } from '../../../../../sandbox/kube/model/types.ts';
import { causes, problems, rules, spec, text } from './rule-schema.ts';

test.each<[string, OpenApiSchema, unknown]>([
  [
    'has on optional members, nulls count as absent',
    spec({ a: { ...text, nullable: true } }, rules('!has(self.a)')),
    { a: null },
  ],
  [
    'macros',
    spec(
      { l: { type: 'array', items: { type: 'object', properties: { n: text, v: { type: 'integer' } } } } },
      rules(
        "self.l.all(x, x.v > 0) && self.l.exists_one(x, x.n == 'b') && self.l.filter(x, x.v > 1).map(x, x.n) == ['b']",
      ),
    ),
    {
      l: [
        { n: 'a', v: 1 },
        { n: 'b', v: 2 },
      ],
    },
  ],
  [
    'maps',
    spec(
      { m: { type: 'object', additionalProperties: { type: 'integer' } } },
      rules("'a' in self.m && self.m['a'] == 1 && self.m.all(k, self.m[k] > 0)"),
    ),
    { m: { a: 1 } },
  ],
  [
    'numbers of both kinds',
    spec({ i: { type: 'integer' }, d: { type: 'number' } }, rules('self.i + 1 == 3 && self.d > 1.4 && self.d < 2')),
    { i: 2, d: 1.5 },
  ],
  [
    'int-or-string',
    spec(
      { p: { 'x-kubernetes-int-or-string': true } },
      rules("type(self.p) == int ? self.p < 100 : self.p.endsWith('%')"),
    ),
    { p: '50%' },
  ],
  [
    'timestamps and durations',
    spec(
      { t: { type: 'string', format: 'date-time' }, d: { type: 'string', format: 'duration' } },
      rules("self.t < timestamp('2030-01-01T00:00:00Z') && self.d >= duration('1h')"),
    ),
    { t: '2026-01-01T00:00:00Z', d: '90m' },
  ],
  [
    'the list library',
    spec(
      { l: { type: 'array', items: { type: 'integer' } } },
      rules(
        'self.l.isSorted() && self.l.sum() == 6 && self.l.min() == 1 && self.l.max() == 3 && self.l.indexOf(2) == 1',
      ),
    ),
    { l: [1, 2, 3] },
  ],
  [
    'the string and regex library',
    spec(
      { s: text },
      rules(
        "self.s.find('[0-9]+') == '12' && self.s.findAll('[a-z]').size() == 2 && self.s.replace('a', 'x').charAt(0) == 'x' && self.s.matches('^a[0-9]+b$') && self.s.upperAscii() == 'A12B'",
      ),
    ),
    { s: 'a12b' },
  ],
  [
    'the URL library',
    spec(
      { u: text },
      rules(
        "isURL(self.u) && url(self.u).getScheme() == 'https' && url(self.u).getHostname() == 'a.b' && url(self.u).getPort() == '81'",
      ),
    ),
    { u: 'https://a.b:81/x' },
  ],
  [
    'the quantity library',
    spec(
      { q: text },
      rules(
        "isQuantity(self.q) && quantity(self.q).isGreaterThan(quantity('1Gi')) && quantity('1500m').compareTo(quantity('1.5')) == 0",
      ),
    ),
    { q: '2Gi' },
  ],
  [
    'optional access',
    spec({ o: { type: 'object', properties: { a: text } } }, rules("self.?o.?a.orValue('none') == 'none'")),
    {},
  ],
])('%s work in rules', (_, schema, value) => {
  expect(problems(schema)).toEqual([]);
  expect(causes(schema, value)).toEqual([]);
});

// Values of cel-go's own tests.
test.each([
  ["'ta©o©α𐀓'.replace('', '_') == '_t_a_©_o_©_α_𐀓_'", []],
  [
    "'hello hello'.replace('he', 'we', 1) == 'wello hello' && 'hello hello'.replace('he', 'we', -1) == 'wello wello'",
    [],
  ],
  ["'©αT'.charAt(1) == 'α' && 'tacocat'.charAt(7) == ''", []],
  ["'tacocat'.charAt(8) == ''", ['index out of range']],
  ["'tacocat'.charAt(-1) == ''", ['index out of range']],
])('replace and charAt count characters, and a position outside is an error: %s', (rule, errors) => {
  expect(causes(spec({ a: text }, rules(rule)), { a: 'x' })).toEqual(
    errors.map((each) => expect.stringContaining(each)),
  );
});
