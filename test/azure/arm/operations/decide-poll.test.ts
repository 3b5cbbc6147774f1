import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyArmError } from '../../../../runtime/azure/arm/errors.ts';
import { decidePoll } from '../../../../runtime/azure/arm/operations/decide-poll.ts';
import type { Answer } from '../../../../runtime/azure/arm/operations/operation-context.ts';
import { terminalStateOf } from '../../../../runtime/azure/arm/operations/provisioning-state.ts';
import type { ArmErrorInfo, Operation } from '../../../../runtime/azure/types.ts';
import { answer, arm, context, next, operation, poll, state, vault } from './support.ts';

test.each([
  'InProgress',
  'Creating',
  'Dequeued',
  'Enqueued',
  'Active',
  'Inprogress',
  'Ready',
  'CreatingAgentPool: 0/1 nodes completed',
  'Completed',
])('the status %p continues', (word) => {
  expect(next(decidePoll(operation(), answer(200, { status: word }), context)).state).toBe(word);
  expect(next(decidePoll(operation({ kind: 'body', url: vault }), answer(200, state(word)), context)).state).toBe(word);
});

test.each([
  ['Succeeded', 'succeeded'],
  ['SUCCEEDED', 'succeeded'],
  ['Failed', 'failed'],
  ['Canceled', 'canceled'],
  ['cancelled', 'canceled'],
])('the status %p ends it as %s', (word, outcome) => {
  expect(decidePoll(operation(), answer(200, { status: word }), context)).toMatchObject({ done: true, outcome });
  const body = operation({ kind: 'body', url: vault });
  expect(decidePoll(body, answer(200, state(word)), context)).toMatchObject({ done: true, outcome });
  const location = operation({ kind: 'location' });
  expect(decidePoll(location, answer(200, state(word)), context)).toMatchObject({ done: true, outcome });
});

test('a failed operation reports its error from either place of the document', () => {
  const error = { code: 'Conflict', message: 'm', details: [{ code: 'RetryableError', message: 'd' }] };
  for (const body of [
    { status: 'Failed', error },
    { status: 'failed', properties: { error } },
  ]) {
    expect(decidePoll(operation(), answer(200, body, { 'x-ms-request-id': 'r' }), context)).toMatchObject({
      outcome: 'failed',
      error: { code: 'RetryableError', topLevelCode: 'Conflict', message: 'm', retryClass: 'slow', requestId: 'r' },
    });
  }
  expect(decidePoll(operation(), answer(200, { status: 'Canceled' }), context)).toMatchObject({
    outcome: 'canceled',
    error: { code: 'OperationCancelled', message: 'The operation ended as Canceled, and Azure gives no reason' },
  });
});

test.each([
  ['status', { status: 'Failed' }],
  ['body', state('Failed')],
] as const)('an operation of kind %s that failed without an error has a reason of its own', (kind, body) => {
  const ended = decidePoll({ ...operation(), kind }, answer(200, body), context) as { error: ArmErrorInfo };
  expect(classifyArmError(ended.error)).toMatchObject({ code: 'OperationFailed', retryClass: 'slow' });
});

test('a resource that disappears during a deletion is not polled again', () => {
  const seen = next(decidePoll({ ...operation(), kind: 'body' }, answer(200, state('Deleting')), context));
  expect(decidePoll(seen, answer(404), context)).toMatchObject({ done: true, outcome: 'failed' });
});

test('a POST that succeeds through a status document goes on to its result', () => {
  const posted = operation({ method: 'POST', finalPath: poll('result'), resourcePath: vault });
  const then = next(decidePoll(posted, answer(200, { status: 'Succeeded' }), context));
  expect(then).toMatchObject({ kind: 'location', url: poll('result'), nextPollAt: context.now });
  expect(decidePoll(then, answer(200, { password: 1 }), context)).toMatchObject({
    outcome: 'succeeded',
    body: { password: 1 },
  });
});

test.each([
  ['nothing', undefined],
  ['429', answer(429, { error: { code: 'TooManyRequests' } })],
  ['500', answer(500)],
  ['503 in HTML', { status: 503, headers: {}, body: undefined, text: '<html></html>' }],
  ['404', answer(404, { error: { code: 'NotFound' } })],
  ['401', answer(401)],
  ['200 without a status', answer(200, {})],
  ['200 in HTML', { status: 200, headers: {}, body: undefined, text: '<html></html>' }],
  ['201 without a body', answer(201)],
])('%s from the poll URL does not lose the operation', (_, got) => {
  const survived = next(decidePoll(operation({ state: 'Creating' }), got, context));
  expect(survived).toMatchObject({ kind: 'status', url: poll('1'), state: 'Creating', pollFailures: 1 });
  expect(survived.nextPollAt).toBeGreaterThan(context.now);
  expect(survived.pollError).toBeDefined();
  const recovered = next(decidePoll(survived, answer(200, { status: 'Running' }), context));
  expect(recovered.pollFailures).toBeUndefined();
  expect(recovered.pollError).toBeUndefined();
});

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
  const deletion = repeat(operation({ method: 'DELETE', finalPath: undefined }), answer(404), 5);
  expect(decidePoll(deletion, answer(404), context)).toMatchObject({ outcome: 'succeeded' });
  expect(next(decidePoll(deletion, answer(200, state('Deleting')), context)).state).toBe('Deleting');
  expect(decidePoll(deletion, answer(200, state('Succeeded')), context)).toMatchObject({
    outcome: 'failed',
    error: { code: 'OperationLost', retryClass: 'slow' },
  });
});

test('204 from a status URL ends a deletion and sends the others to the resource', () => {
  expect(decidePoll(operation({ method: 'DELETE' }), answer(204), context)).toMatchObject({ outcome: 'succeeded' });
  expect(next(decidePoll(operation(), answer(204), context))).toMatchObject({ kind: 'body', url: vault });
});

test('a Location poll follows a moved Location, but not to a foreign host', () => {
  const location = operation({ kind: 'location' });
  expect(next(decidePoll(location, answer(202, undefined, { location: poll('2') }), context)).url).toBe(poll('2'));
  expect(next(decidePoll(location, answer(202, undefined, { location: 'https://evil.test/' }), context)).url).toBe(
    poll('1'),
  );
});

test('a Location poll ends with 200, 201 or 204, and a refusal is the failure of the operation', () => {
  const location = operation({ kind: 'location' });
  for (const status of [200, 201, 204]) {
    expect(decidePoll(location, answer(status), context)).toMatchObject({ done: true, outcome: 'succeeded' });
  }
  expect(next(decidePoll(location, answer(200, state('Creating')), context)).state).toBe('Creating');
  expect(decidePoll(location, answer(409, { error: { code: 'CannotDeleteResource' } }), context)).toMatchObject({
    outcome: 'failed',
    error: { code: 'CannotDeleteResource', retryClass: 'slow', status: 409 },
  });
  expect(next(decidePoll(location, answer(403), context)).pollFailures).toBe(1);
});

const anyAnswer = fc.oneof(
  fc.constant(undefined),
  fc.record({
    status: fc.constantFrom(200, 201, 202, 204, 301, 400, 401, 403, 404, 408, 409, 410, 429, 500, 503),
    headers: fc.oneof(
      fc.constant<Record<string, string>>({}),
      fc.constantFrom('0', '17', 'nonsense').map((value): Record<string, string> => ({ 'retry-after': value })),
      fc.constantFrom(poll('9'), 'https://evil.test/x', '').map((location): Record<string, string> => ({ location })),
    ),
    body: fc.oneof(
      fc.constantFrom('InProgress', 'Succeeded', 'Failed', 'Canceled', 'Ready', '').map((status) => ({ status })),
      fc.constantFrom('Creating', 'Succeeded', 'Failed', 'Deleting').map(state),
      fc.jsonValue(),
      fc.constant(undefined),
    ),
  }),
);

test('random answers: only terminal words, deciding statuses or a lost operation end it, with any restart in between', () => {
  const started = fc.record({
    kind: fc.constantFrom('status', 'location', 'body'),
    method: fc.constantFrom('PUT', 'PATCH', 'POST', 'DELETE'),
  }) as fc.Arbitrary<Pick<Operation, 'kind' | 'method'>>;
  fc.assert(
    fc.property(started, fc.array(anyAnswer, { maxLength: 60 }), (kind, answers) => {
      let current = operation({ ...kind, ...(kind.kind === 'body' ? { url: vault } : {}) });
      for (const got of answers) {
        const before = structuredClone(current);
        const result = decidePoll(current, got, context);
        expect(current).toEqual(before);
        if (result.done) {
          expect(got).toBeDefined();
          const body = got?.body as { status?: string; properties?: { provisioningState?: string } } | undefined;
          const words = [body?.status, body?.properties?.provisioningState].filter((word) => typeof word === 'string');
          const terminal = words.some((word) => terminalStateOf(word) !== undefined);
          const byStatus = current.kind !== 'status' || got?.status === 204;
          expect(terminal || byStatus).toBe(true);
          expect((got?.status ?? 500) < 500 && got?.status !== 429).toBe(true);
          return;
        }
        expect(JSON.parse(JSON.stringify(result.operation))).toEqual(result.operation);
        expect(new URL(result.operation.url, arm).origin).toBe(arm);
        expect(result.operation.nextPollAt).toBeGreaterThanOrEqual(context.now);
        current = JSON.parse(JSON.stringify(result.operation)) as Operation;
      }
    }),
    { numRuns: 500 },
  );
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
