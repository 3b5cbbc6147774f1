import { expect, test } from '@jest/globals';
import { evaluate } from '../../runtime/operator/expressions.ts';

test.each([
  ['a pattern that backtracks for ever', `'${'a'.repeat(40)}!'.matches('^(a+)+$')`],
  ['loops within loops', `${'self.list.all(x, '.repeat(12)}true${')'.repeat(12)}`],
])('%s ends, says so, and shows no value', (_, expression) => {
  const started = Date.now();
  const self = { list: Array.from({ length: 100 }, (_each, index) => index), secret: 'hunter2' };
  const run = () => evaluate(expression, self, { password: 'hunter2' });
  expect(run).toThrow(/takes too long/);
  expect(run).toThrow(
    expect.objectContaining({ code: 'AZ_TERMINAL', message: expect.not.stringContaining('hunter2') }),
  );
  expect(Date.now() - started).toBeLessThan(60_000);
  // The next one is none the worse for it.
  expect(evaluate('secret.password + self.secret', self, { password: 'x' })).toBe('xhunter2');
});

test('what an expression throws names the expression and no value', () => {
  expect(() => evaluate('secret.password + 1', {}, { password: 'hunter2' })).toThrow(
    expect.objectContaining({
      code: 'AZ_TERMINAL',
      message: expect.stringMatching(/^(?!.*hunter2).*secret\.password \+ 1/),
    }),
  );
});
