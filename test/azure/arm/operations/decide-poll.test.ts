import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { classifyArmError } from '../../../../runtime/azure/arm/errors.ts';
import { decidePoll } from '../../../../runtime/azure/arm/operations/decide-poll.ts';
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

test.each(['PUT', 'DELETE'] as const)('a %s that Azure accepted is over where the type has no GET', (method) => {
  const body = operation({ kind: 'body', url: vault, method });
  expect(decidePoll(body, answer(405, {}), context)).toMatchObject({ done: true, outcome: 'succeeded' });
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

test('a deletion is over when Azure has the resource no more, and not when it does not find the subscription', () => {
  const deletion = operation({ method: 'DELETE', kind: 'body' });
  const notFound = (code: string) => answer(404, { error: { code, message: `${code} of s1` } });
  expect(decidePoll(deletion, notFound('SubscriptionNotFound'), context)).toMatchObject({ done: false });
  for (const code of ['ResourceNotFound', 'ResourceGroupNotFound', 'ParentResourceNotFound'])
    expect(decidePoll(deletion, notFound(code), context)).toMatchObject({ done: true, outcome: 'succeeded' });
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
