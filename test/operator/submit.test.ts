import { expect, test } from '@jest/globals';
import type { Operation } from '../../runtime/azure/types.ts';
import type { Memory } from '../../runtime/operator/context.ts';
import { put, remove, settle } from '../../runtime/operator/effects/submit.ts';
import { bodyFingerprint, residueOf } from '../../runtime/operator/facts.ts';
import type { PassState } from '../../runtime/operator/pass-state.ts';

/** What `remove` looks at, with an ARM that accepts everything and names `operation` or none. */
function stateWith(memory: Memory, operation: Operation | undefined): PassState {
  const response = { status: operation ? 202 : 204, token: { token: 'secret', expiresAt: 0 } };
  const state = {
    memory,
    input: { correlationId: 'c' },
    event: () => undefined,
    id: () => '/subscriptions/s/resourceGroups/g',
    requests: { request: () => ({}), count: (_name: string, send: () => unknown) => send(), token: undefined },
    context: { arm: { send: async () => response, operationOf: () => operation }, wake: () => undefined },
  };
  return state as unknown as PassState;
}

test('a token is remembered for the polls of an operation, and not where there is none', async () => {
  const over: Memory = { attempts: 0 };
  await expect(remove(stateWith(over, undefined))).resolves.toMatchObject({ outcome: 'succeeded' });
  expect(over).toEqual({ attempts: 0 });

  const operation = { url: 'https://management.azure.com/operation', nextPollAt: 0 } as Operation;
  const polled: Memory = { attempts: 0 };
  await expect(remove(stateWith(polled, operation))).resolves.toMatchObject({ outcome: 'polling' });
  expect(polled).toMatchObject({ operation, token: { token: 'secret' } });
});

/** What `put` and `settle` look at besides; `events` gets the reasons of what is told. */
function stateOf(more: object, events: string[]): PassState {
  const body = { tags: { a: '1' } };
  const model = { armType: () => 'Contoso/things', extension: {} };
  return Object.assign(stateWith({ attempts: 0 }, undefined), {
    input: { correlationId: 'c', model, body, ignored: [], resolution: { inputsVersion: '' } },
    live: { exists: true, body: { tags: { a: '2' } } },
    orWait: (work: () => unknown) => work(),
    compared: () => body,
    event: (_type: string, reason: string) => events.push(reason),
    ...more,
  });
}

test('a difference that was there after the last PUT is no drift when another one is sent, a new one is', async () => {
  const applied = (live: object) => ({
    applied: {
      body: bodyFingerprint({ tags: { a: '1' } }),
      inputs: '',
      residue: residueOf({ tags: { a: '1' } }, { ...live }),
    },
  });
  const events: string[] = [];
  await put(stateOf(applied({ tags: { a: '2' } }), events));
  expect(events).toEqual(['BeginCreateOrUpdate']);
  await put(stateOf(applied({ tags: { a: '3' } }), events));
  expect(events).toContain('RepairingDrift');
});

test('what was there before the object is told to be taken over, what the object has made is not', async () => {
  const events: string[] = [];
  await settle(stateOf({ isNew: true, acted: true }, events));
  await settle(stateOf({ isNew: false, acted: false }, events));
  expect(events).toEqual([]);
  await settle(stateOf({ isNew: true, acted: false }, events));
  expect(events).toEqual(['Adopted']);
});
