import { expect, test } from '@jest/globals';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isNotFound,
  KubeStatusError,
} from '../../../runtime/kube/client/status-error.ts';

const subject = { verb: 'apply', resource: 'widgets.example.com/status', object: 'demo/w' };

test('the message names verb, resource, object, reason and the fields that the server message leaves out', () => {
  const error = new KubeStatusError(subject, 422, {
    reason: 'Invalid',
    message: 'Widget "w" is invalid: spec.size: Required value',
    details: {
      causes: [
        { field: 'spec.size', message: 'Required value' },
        { field: 'spec.color', message: 'Unsupported value: "pink"' },
      ],
    },
  });
  expect(error.message).toBe(
    'apply widgets.example.com/status demo/w: 422 Invalid: Widget "w" is invalid: spec.size: Required value (spec.color: Unsupported value: "pink")',
  );
  expect(error).toMatchObject({ code: 'AZ_KUBE_STATUS', status: 422, reason: 'Invalid', retryable: false, subject });
  expect(error.causes).toHaveLength(2);
});

test.each([
  [400, false],
  [401, true],
  [403, true],
  [404, true],
  [405, false],
  [409, true],
  [410, true],
  [413, false],
  [415, false],
  [422, false],
  [429, true],
  [500, true],
  [503, true],
])('%d can succeed later: %j', (status, retryable) => {
  expect(new KubeStatusError(subject, status, {}).retryable).toBe(retryable);
});

test('410 has the code that makes a reflector list again', () => {
  expect(new KubeStatusError(subject, 410, { reason: 'Expired' }).code).toBe('AZ_WATCH_EXPIRED');
});

test('the wait comes from Retry-After, or from the details', () => {
  const details = { retryAfterSeconds: 3 };
  expect(new KubeStatusError(subject, 429, { details }, '7').retryAfterMs).toBe(7000);
  expect(new KubeStatusError(subject, 504, { details }).retryAfterMs).toBe(3000);
  const date = new Date(Date.now() + 60_000).toUTCString();
  expect(new KubeStatusError(subject, 503, {}, date).retryAfterMs).toBeGreaterThan(50_000);
  expect(new KubeStatusError(subject, 503, {}).retryAfterMs).toBeUndefined();
});

test('the helpers distinguish the refusals', () => {
  const helpers = {
    isNotFound,
    isConflict,
    isAlreadyExists,
    isGone,
    isForbidden,
  };
  const matching = (status: number, reason = '') =>
    Object.entries(helpers)
      .filter(([, helper]) => helper(new KubeStatusError(subject, status, { reason })))
      .map(([name]) => name);
  expect(matching(404)).toEqual(['isNotFound']);
  expect(matching(409, 'Conflict')).toEqual(['isConflict']);
  expect(matching(409, 'AlreadyExists')).toEqual(['isAlreadyExists']);
  expect(matching(410)).toEqual(['isGone']);
  expect(matching(403)).toEqual(['isForbidden']);
  expect(Object.values(helpers).some((helper) => helper(new Error('404')))).toBe(false);
});
