import { expect, test } from '@jest/globals';
import { decidePoll } from '../../../../runtime/azure/arm/operations/decide-poll.ts';
import { detectOperation } from '../../../../runtime/azure/arm/operations/detect-operation.ts';
import { DEFAULT_POLL_MS } from '../../../../runtime/azure/arm/operations/operation-context.ts';
import type { Operation } from '../../../../runtime/azure/types.ts';
import { answer, arm, context, next, operation, poll, start, state, vault } from './support.ts';

test('Azure-AsyncOperation wins over Operation-Location over Location over the body', () => {
  const headers = { 'azure-asyncoperation': poll('a'), 'operation-location': poll('o'), location: poll('l') };
  expect(start('PUT', 202, headers)).toMatchObject({ kind: 'status', url: poll('a'), finalPath: vault });
  expect(start('PUT', 202, { ...headers, 'azure-asyncoperation': '' })).toMatchObject({
    kind: 'status',
    url: poll('o'),
  });
  expect(start('PUT', 202, { location: poll('l') })).toMatchObject({
    kind: 'location',
    url: poll('l'),
    finalPath: vault,
  });
  expect(start('PUT', 202, {}, state('Creating'))).toMatchObject({ kind: 'body', url: vault, state: 'Creating' });
});

test.each([200, 201])('a PUT %d is an operation if it has Azure-AsyncOperation or an unfinished state', (status) => {
  for (const body of [state('Updating'), {}]) {
    const started = start('PUT', status, { 'azure-asyncoperation': poll('a') }, body);
    expect(started).toMatchObject({ kind: 'status' });
  }
  // As recordings show it, and as the Azure SDKs take it.
  expect(start('PUT', status, { 'azure-asyncoperation': poll('a') }, state('Succeeded'))).toBeUndefined();
  expect(start('PUT', status, {}, state('RegisteringDns'))).toMatchObject({
    kind: 'body',
    url: vault,
    state: 'RegisteringDns',
  });
  expect(start('PUT', status, {}, state('succeeded'))).toBeUndefined();
  expect(start('PUT', status, {}, { id: vault })).toBeUndefined();
});

test('a Location on 201 that is the resource itself is no operation, however it is spelled', () => {
  for (const location of [arm + vault, `${arm}${vault.toUpperCase()}?api-version=v`, vault, `${arm}${vault}/`]) {
    expect(start('PUT', 201, { location }, { id: vault })).toBeUndefined();
  }
  expect(start('PUT', 201, { location: poll('l') }, { id: vault })).toMatchObject({ kind: 'location' });
  expect(start('PUT', 201, { location: arm + vault }, state('Creating'))).toMatchObject({ kind: 'body' });
});

test('a Location on 200 means nothing', () => {
  expect(start('POST', 200, { location: poll('l') }, { keys: [] })).toBeUndefined();
});

test('a 202 without a URL to poll is lost for DELETE and POST', () => {
  expect(start('DELETE', 202)).toBe('lost');
  expect(start('POST', 202)).toBe('lost');
  expect(start('GET', 202)).toBeUndefined();
  expect(start('DELETE', 204)).toBeUndefined();
});

test('after a PUT 202 without a URL, the resource is polled', () => {
  expect(start('PUT', 202)).toMatchObject({ kind: 'body', url: vault, state: 'InProgress' });
  expect(start('PATCH', 202, {}, state('Succeeded'))).toMatchObject({ kind: 'body' });
});

test('a Retry-After of zero does not make a tight loop', () => {
  const zero = { 'retry-after': '0' };
  expect((start('DELETE', 202, { location: poll('l'), ...zero }) as Operation).nextPollAt).toBe(context.now + 1000);
  const failing = next(decidePoll(operation(), answer(503, undefined, zero), context)).nextPollAt - context.now;
  expect(failing).toBeGreaterThanOrEqual(1500);
});

test.each(['0', '0.1'])('an operation of an hour with Retry-After: %s is polled at most 300 times', (seconds) => {
  let polled = { ...operation(), startedAt: context.now };
  let now = context.now;
  let polls = 0;
  for (; now < context.now + 3_600_000; polls++) {
    const at = { ...context, now };
    polled = next(decidePoll(polled, answer(200, { status: 'InProgress' }, { 'retry-after': seconds }), at)) as never;
    now = polled.nextPollAt;
  }
  expect(polls).toBeLessThan(300);
});

test('a write whose answer shows Failed is confirmed by a GET right away', () => {
  expect(start('PUT', 200, {}, state('Failed'))).toMatchObject({ kind: 'body', nextPollAt: context.now });
});

test('the resource of an action is the id without the action', () => {
  expect(start('POST', 202, { location: poll('l') }, undefined, `${vault}/start`)).toMatchObject({
    resourcePath: vault,
  });
});

test('relative poll URLs are taken on the ARM endpoint, foreign and odd ones are not taken', () => {
  expect(start('DELETE', 202, { location: '/subscriptions/s1/operationresults/1' })).toMatchObject({
    url: `${arm}/subscriptions/s1/operationresults/1`,
  });
  expect(start('DELETE', 202, { location: 'https://westus2.management.azure.com/x' })).toMatchObject({
    kind: 'location',
  });
  for (const location of [
    'https://evil.test/x',
    'http://management.azure.com/x',
    '//evil.test/x',
    'https://management.azure.com.evil.test/x',
    'https://evilmanagement.azure.com/x',
    'https://management.azure.com:8443/x',
    'https://westus2.management.azure.com:8443/x',
    'https://management.azure.com@evil.test/x',
    'https://u:p@management.azure.com/x',
    '/\\evil.test/x',
    'x',
  ]) {
    expect(start('DELETE', 202, { location })).toBe('lost');
  }
});

test('the next poll waits as long as ARM asks, else 15 s', () => {
  const wait = (headers: Record<string, string>) =>
    (start('DELETE', 202, { location: poll('l'), ...headers }) as Operation).nextPollAt - context.now;
  expect(wait({})).toBe(DEFAULT_POLL_MS);
  expect(wait({ 'retry-after': '60' })).toBe(60_000);
  expect(wait({ 'x-ms-retry-after-ms': '250' })).toBe(250);
  expect(wait({ 'retry-after': new Date(context.now + 40_000).toUTCString() })).toBe(40_000);
  const polled = decidePoll(operation(), answer(200, { status: 'Running' }, { 'retry-after': '30' }), context);
  expect(next(polled).nextPollAt).toBe(context.now + 30_000);
});

test('with firstPollMs the first poll comes soon and the waits grow, unless ARM names a time', () => {
  const waits = (headers: Record<string, string>) => {
    let now = context.now;
    const at = () => ({ ...context, now, firstPollMs: 20, defaultPollMs: 5000 });
    let current = detectOperation({ method: 'PATCH', path: vault }, answer(202, {}, headers), at()) as Operation;
    return Array.from({ length: 11 }, () => {
      const wait = current.nextPollAt - now;
      now = current.nextPollAt;
      current = next(decidePoll(current, answer(200, { status: 'InProgress' }, headers), at()));
      return wait;
    });
  };
  const url = { 'azure-asyncoperation': poll('1') };
  expect(waits(url)).toEqual([20, 20, 40, 80, 160, 320, 640, 1280, 2560, 5000, 5000]);
  expect(waits({ ...url, 'retry-after': '0' })).toEqual(waits(url));
  expect(waits({ ...url, 'retry-after': '7' })).toEqual(Array(11).fill(7000));
});
