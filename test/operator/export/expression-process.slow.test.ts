import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { maxExpressionLength } from '../../../runtime/api/common-schemas.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import {
  ExpressionProcess,
  type ExpressionProcessOptions,
} from '../../../runtime/operator/export/expression-process.ts';

const where = 'spec.operatorSpec.secretExpressions[0].value';
const of = (expression: string) => ({ expression, where, seesSecrets: true });
const self = { list: Array.from({ length: 100 }, (_each, index) => index), secret: 'hunter2' };
const secret = { password: 'hunter2' };
const forEver = `${'self.list.all(x, '.repeat(12)}true${')'.repeat(12)}`;
const backtracks = `'${'a'.repeat(40)}!'.matches('^(a+)+$')`;
/** A text of ten characters, doubled so often. */
const doubled = (times: number) => `${'['.repeat(times)}"aaaaaaaaaa"${'].map(x, x + x)[0]'.repeat(times)}`;

let open: ExpressionProcess | undefined;
afterEach(() => open?.close());
function start(options?: ExpressionProcessOptions): ExpressionProcess {
  // Other work of the machine may leave the process little of a processor.
  open = new ExpressionProcess({ waitMs: 600_000, ...options });
  return open;
}
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'AZ_TERMINAL', message: expect.stringMatching(message) });

test('values come back in order: scalars, and maps of scalars', async () => {
  const values = await start().evaluate(
    'a',
    ['secret.password', '1 + 1', 'self.list[3] == 3', '{"a": "b", "c": 1}', '[1]', 'null', '{"a": [1]}'].map(of),
    { self, secret },
  );
  expect(values).toEqual(['hunter2', 2n, true, { a: 'b', c: 1n }, undefined, null, { a: undefined }]);
});

test.each([
  ['a pattern that backtracks for ever', backtracks],
  ['loops within loops', forEver],
])('%s ends, says so, shows no value, and the event loop goes on meanwhile', async (_, expression) => {
  const expressions = start({ maxMs: 300 });
  await expressions.evaluate('a', [of('1')], { self, secret });
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  const late = expressions.evaluate('a', [of(expression)], { self, secret });
  await expect(late).rejects.toEqual(refused(/^(?!.*hunter2).*take too long to evaluate.*secretExpressions\[0\]/));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
  // The next one is none the worse for it.
  expect(await expressions.evaluate('a', [of('secret.password + "x"')], { self, secret })).toEqual(['hunter2x']);
});

test.each([
  ['a text of hundreds of megabytes', `${doubled(25)}.matches("zz")`],
  ['a list of millions', `${'['.repeat(24)}[1, 2, 3]${'].map(x, x + x)[0]'.repeat(24)}.size()`],
])('%s costs the operator nothing but that process', async (_, expression) => {
  const expressions = start({ maxMs: 20_000 });
  const big = expressions.evaluate('a', [of(expression)], { self, secret });
  await expect(big).rejects.toEqual(refused(/need too much memory/));
  expect(await expressions.evaluate('a', [of('1')], { self, secret })).toEqual([1n]);
});

test('a value longer than a Secret can be is refused', async () => {
  const expressions = start();
  const asked = (times: number) => expressions.evaluate('a', [of(doubled(times))], { self, secret });
  expect(await asked(16)).toEqual(['a'.repeat(10 * 2 ** 16)]);
  await expect(asked(17)).rejects.toEqual(refused(/too long or nested too deep/));
});

test('the time is the object’s, however many expressions it has', async () => {
  const expressions = start({ maxMs: 400 });
  const some = of('self.list.all(x, self.list.all(y, self.list.all(z, true)))');
  const many = expressions.evaluate('a', Array(100).fill(some), { self, secret });
  await expect(many).rejects.toEqual(refused(/take too long.* and 97 more/));
});

test('an expression of the greatest length is taken, one more character is too much', async () => {
  const expressions = start();
  const long = `"${'x'.repeat(maxExpressionLength - 2)}"`;
  expect(await expressions.evaluate('a', [of(long)], { self, secret })).toEqual(['x'.repeat(maxExpressionLength - 2)]);
  await expect(expressions.evaluate('a', [of(`${long} `)], { self, secret })).rejects.toEqual(
    refused(/has 4097 of at most 4096 characters/),
  );
  await expect(expressions.check('a', Array(1001).fill(of('1')))).rejects.toEqual(refused(/1001 of at most 1000/));
});

test('an invalid expression is refused with the error of its evaluation', async () => {
  const expressions = start();
  await expect(expressions.check('a', [of('slf.a')])).rejects.toEqual(refused(/Unknown variable: slf/));
  await expect(expressions.check('a', [{ ...of('"yes"'), yields: 'bool' }])).rejects.toEqual(
    refused(/must be of type bool/),
  );
  await expressions.check('a', [of('self.a'), { ...of('self.a'), yields: 'bool' }]);
});

test('a namespace with many valid expressions does not make those of another be checked again', async () => {
  const expressions = start();
  await expressions.check('good', [of('1')]);
  for (let i = 0; i < 3; i++) {
    const many = Array.from({ length: 200 }, (_each, j) => of(`${1000 * (i + 1) + j}`));
    await expressions.check('greedy', many);
  }
  expressions.close();
  await expressions.check('good', [of('1')]);
  await expect(expressions.check('greedy', [of('1000')])).rejects.toMatchObject({ code: 'AZ_ISOLATION' });
});

test('namespaces take turns: however many objects of one wait, another waits for two of them at most', async () => {
  const expressions = start({ maxMs: 200 });
  const order: string[] = [];
  const evaluate = (namespace: string, expression: string) =>
    expressions.evaluate(namespace, [of(expression)], { self, secret }).then(
      () => order.push(namespace),
      () => order.push(namespace),
    );
  const greedy = Array.from({ length: 5 }, () => evaluate('greedy', forEver));
  await Promise.all([...greedy, evaluate('good', '1')]);
  expect(order.indexOf('good')).toBeLessThanOrEqual(2);
});

test('a namespace that used up its time waits until it has some again, others do not', async () => {
  const clock = new ManualClock(1000);
  const expressions = start({ maxMs: 400, creditMs: 600, clock });
  const late = () => expressions.evaluate('greedy', [of(forEver)], { self, secret });
  for (let each = 0; each < 2; each++) await expect(late()).rejects.toMatchObject({ code: 'AZ_TERMINAL' });
  const error = await late().catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ code: 'AZ_BUDGET_SPENT', retryable: true });
  expect(await expressions.evaluate('good', [of('1')], { self, secret })).toEqual([1n]);
  await clock.advance((error as { retryAfterMs: number }).retryAfterMs);
  expect(await expressions.evaluate('greedy', [of('1')], { self, secret })).toEqual([1n]);
});

test('a process that does not start fails nothing for good: the object is reconciled again', async () => {
  const expressions = start({ program: fileURLToPath(new URL('./no-such-program.ts', import.meta.url)) });
  const refusal = { code: 'AZ_ISOLATION', retryable: true, message: expect.stringContaining('does not start') };
  await expect(expressions.check('a', [of('1')])).rejects.toMatchObject(refusal);
  await expect(expressions.evaluate('a', [of('1')], { self })).rejects.toMatchObject(refusal);
});

test('once it is closed nothing waits for an answer that never comes', async () => {
  const expressions = start();
  const waiting = expressions.evaluate('a', [of(forEver)], { self, secret });
  const queued = expressions.evaluate('a', [of('1')], { self, secret });
  expressions.close();
  const late = expressions.evaluate('a', [of('1')], { self });
  const refusal = { code: 'AZ_ISOLATION', retryable: true };
  const results = await Promise.allSettled([queued, waiting, late]);
  expect(results).toMatchObject(results.map(() => ({ status: 'rejected', reason: refusal })));
});
