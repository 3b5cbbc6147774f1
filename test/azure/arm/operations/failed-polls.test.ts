import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decidePoll } from '../../../../runtime/azure/arm/operations/decide-poll.ts';
import type { Answer } from '../../../../runtime/azure/arm/operations/operation-context.ts';
import type { Operation } from '../../../../runtime/azure/types.ts';
import { answer, context, next, operation, state, vault } from './support.ts';

test('a poll that the credential is not allowed to make is recorded in the operation', () => {
  const denied = answer(403, { error: { code: 'AuthorizationFailed', message: 'm' } });
  expect(next(decidePoll(operation(), denied, context)).pollError).toBe('403 AuthorizationFailed');
  expect(next(decidePoll(operation(), undefined, context)).pollError).toBe('no answer');
});

test('a failed poll honours Retry-After, else waits longer each time', () => {
  const asked = decidePoll(operation(), answer(429, undefined, { 'retry-after': '33' }), context);
  expect(next(asked).nextPollAt).toBe(context.now + 33_000);
  let current = operation();
  const waits = Array.from({ length: 8 }, () => {
    current = next(decidePoll(current, answer(503), context));
    return current.nextPollAt - context.now;
  });
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

const repeat = (from: Operation, got: Answer | undefined, times: number) => {
  let current = from;
  for (let index = 0; index < times; index++) current = next(decidePoll(current, got, context));
  return current;
};

test('the resource itself is polled after five 404 in a row, or after thirty 503', () => {
  expect(repeat(operation(), answer(404), 4).kind).toBe('status');
  expect(repeat(operation(), answer(404), 5)).toMatchObject({ kind: 'body', url: vault, nextPollAt: context.now });
  expect(repeat(operation(), answer(503), 29).kind).toBe('status');
  expect(repeat(operation(), undefined, 30)).toMatchObject({ kind: 'body', url: vault });
});

test('the state of the resource decides from then on', () => {
  const put = repeat(operation(), answer(404), 5);
  expect(decidePoll(put, answer(200, state('Succeeded')), context)).toMatchObject({
    outcome: 'succeeded',
    body: { id: vault },
  });
  expect(decidePoll(put, answer(200, { id: vault }), context)).toMatchObject({ outcome: 'succeeded' });
  expect(next(decidePoll(put, answer(404), context)).pollFailures).toBe(1);
  const absent = { error: { code: 'ResourceNotFound', message: 'm' } };
  expect(decidePoll(repeat(put, answer(404), 4), answer(404, absent), context)).toMatchObject({
    outcome: 'failed',
    error: { code: 'ResourceNotFound', retryClass: 'slow' },
  });
  expect(repeat(put, answer(503), 100).kind).toBe('body');
});

test('a deletion whose poll URL is gone ends when the resource is gone, and counts as lost when it is not', () => {
  const deletion = repeat(operation({ method: 'DELETE' }), answer(404), 5);
  expect(decidePoll(deletion, answer(404), context)).toMatchObject({ outcome: 'succeeded' });
  expect(next(decidePoll(deletion, answer(200, state('Deleting')), context)).state).toBe('Deleting');
  expect(decidePoll(deletion, answer(200, state('Succeeded')), context)).toMatchObject({
    outcome: 'failed',
    error: { code: 'OperationLost', retryClass: 'slow' },
  });
});

test('however many polls fail, a terminal word afterwards is still seen', () => {
  const noise = fc.array(fc.constantFrom(undefined, answer(500), answer(503), answer(429), answer(404), answer(401)), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(noise, (answers) => {
      let current = operation();
      for (const got of answers) {
        const result = decidePoll(current, got, context);
        // Five times 404 from the resource itself is the one way to end here.
        if (result.done) return expect(result).toMatchObject({ outcome: 'failed', error: { status: 404 } });
        current = result.operation;
      }
      const last = current.kind === 'body' ? answer(200, state('Succeeded')) : answer(200, { status: 'Succeeded' });
      expect(decidePoll(current, last, context)).toMatchObject({ done: true, outcome: 'succeeded' });
    }),
  );
});

test('a deletion whose poll URL shows the resource unchanged goes on with the resource, until that is gone', () => {
  const deletion = operation({ method: 'DELETE', kind: 'location', resourcePath: vault });
  const shown = answer(202, state('Succeeded'), { 'retry-after': '38' });
  let now = next(decidePoll(deletion, shown, context));
  expect(now).toMatchObject({ kind: 'location', nextPollAt: context.now + 38_000 });
  now = next(decidePoll(now, shown, context));
  expect(now).toMatchObject({ kind: 'body', url: vault, nextPollAt: context.now + 38_000 });
  for (let poll = 0; poll < 3; poll++) now = next(decidePoll(now, answer(200, state('Succeeded')), context));
  expect(decidePoll(now, answer(404, {}), context)).toMatchObject({ done: true, outcome: 'succeeded' });
  for (let poll = 3; poll < 29; poll++) now = next(decidePoll(now, answer(200, state('Succeeded')), context));
  expect(decidePoll(now, answer(200, state('Succeeded')), context)).toMatchObject({
    done: true,
    error: { code: 'OperationLost' },
  });
  const put = operation({ method: 'PUT', kind: 'location', resourcePath: vault });
  expect(next(decidePoll(put, shown, context)).kind).toBe('location');
});
