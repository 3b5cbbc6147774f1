import { expect, test } from '@jest/globals';
import type { Operation } from '../../runtime/azure/types.ts';
import type { Memory } from '../../runtime/operator/context.ts';
import { remove } from '../../runtime/operator/effects/submit.ts';
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
