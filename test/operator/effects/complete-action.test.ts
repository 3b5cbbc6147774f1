import { beforeEach, expect, test } from '@jest/globals';
import type { Operation } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { completeAction } from '../../../runtime/operator/effects/complete-action.ts';
import type { EffectContext } from '../../../runtime/operator/effects/effect-context.ts';
import type { Memory } from '../../../runtime/operator/effects/memory.ts';

const path = '/subscriptions/s/providers/Microsoft.KeyVault/locations/here/deletedVaults/v/purge';
const action = { path, apiVersion: '2024-11-01', before: 'the resource is sent' };
const url = 'https://management.azure.com/subscriptions/s/operationResults/1';
const pollMs = 10_000;

let clock: ManualClock;
let memory: Memory;
let sent: string[];
/** What Azure answers to the next poll. */
let poll: object;
/** Whether the answer to the POST names an operation. */
let isLong: boolean;

beforeEach(() => {
  clock = new ManualClock(0);
  memory = { attempts: 0 };
  sent = [];
  isLong = true;
});

const operation = (): Operation => ({
  kind: 'location',
  method: 'POST',
  url,
  finalPath: path,
  resourcePath: path,
  startedAt: 0,
  nextPollAt: clock.now() + pollMs,
});

function complete(): Promise<unknown> {
  const requests = {
    request: (method: string, asked: string) => ({ method, path: asked }),
    count: (_: string, send: () => Promise<unknown>) => send(),
    poll: async (asked: Operation) => {
      sent.push(`GET ${asked.url}`);
      return poll;
    },
  };
  const arm = {
    send: async ({ method, path: asked }: { method: string; path: string }) => {
      sent.push(`${method} ${asked}`);
      return { body: { at: 'once' }, token: 'token' };
    },
    operationOf: () => (isLong ? operation() : undefined),
  };
  return completeAction({ memory, requests, shared: { arm, runtime: { clock } } } as unknown as EffectContext, action);
}

const busy = {
  code: 'AZ_ARM_BUSY',
  retryAfterMs: pollMs,
  message: expect.stringContaining('before the resource is sent'),
};
const started = `POST ${path}`;
const polled = `GET ${url}`;

test('an action that Azure ends at once gives its answer', async () => {
  isLong = false;
  await expect(complete()).resolves.toEqual({ at: 'once' });
});

test('an action is sent once, and its operation is asked for when Azure said so, until it ends', async () => {
  await expect(complete()).rejects.toMatchObject(busy);
  await expect(complete()).rejects.toMatchObject(busy);
  expect(sent).toEqual([started]);
  clock.advance(pollMs);
  poll = { done: false, operation: operation() };
  await expect(complete()).rejects.toMatchObject(busy);
  expect(sent).toEqual([started, polled]);
  clock.advance(pollMs);
  poll = { done: true, outcome: 'succeeded', body: { at: 'last' } };
  await expect(complete()).resolves.toEqual({ at: 'last' });
  expect(sent).toEqual([started, polled, polled]);
});

test('an action that fails after its answer is reported with its reason, and is sent again by the next run', async () => {
  await expect(complete()).rejects.toMatchObject(busy);
  clock.advance(pollMs);
  poll = { done: true, outcome: 'failed', error: { status: 200, code: 'VaultInUse', message: 'it has a lock' } };
  await expect(complete()).rejects.toThrow(/it has a lock/);
  await expect(complete()).rejects.toMatchObject(busy);
  expect(sent).toEqual([started, polled, started]);
});
