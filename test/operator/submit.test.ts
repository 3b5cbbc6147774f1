import { expect, test } from '@jest/globals';
import { ArmError } from '../../runtime/azure/arm/errors.ts';
import type { ArmErrorFacts, Operation } from '../../runtime/azure/types.ts';
import type { Memory } from '../../runtime/operator/reconcile/dependencies.ts';
import { adopt, giveUp, put, remove, settle } from '../../runtime/operator/reconcile/effects/submit.ts';
import { bodyFingerprint, knownDifferenceOf } from '../../runtime/operator/reconcile/observed.ts';
import type { PassState } from '../../runtime/operator/reconcile/run-state.ts';

/** What `remove` looks at, with an ARM that accepts everything and names `operation` or none. */
function stateWith(memory: Memory, operation: Operation | undefined): PassState {
  const response = { status: operation ? 202 : 204, token: { token: 'secret', expiresAt: 0 } };
  const state = {
    memory,
    input: { correlationId: 'c' },
    object: { metadata: { namespace: 'default', name: 'g' } },
    event: () => undefined,
    id: () => '/subscriptions/s/resourceGroups/g',
    isNew: false,
    acquire: () => undefined,
    annotate: async () => undefined,
    requests: { request: () => ({}), count: (_name: string, send: () => unknown) => send(), token: undefined },
    context: {
      arm: { send: async () => response, operationOf: () => operation },
      enqueueDependents: () => undefined,
      namespaces: { get: () => undefined },
    },
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
      knownDifference: knownDifferenceOf({ tags: { a: '1' } }, { ...live }),
    },
  });
  const events: string[] = [];
  await put(stateOf(applied({ tags: { a: '2' } }), events));
  expect(events).toEqual(['BeginCreateOrUpdate']);
  await put(stateOf(applied({ tags: { a: '3' } }), events));
  expect(events).toContain('RepairingDrift');
});

test('of the fields that drifted ten are named', async () => {
  const noteFor = async (count: number) => {
    const body = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
    const applied = { body: bodyFingerprint(body), inputs: '', knownDifference: '' };
    const { input, ...rest } = stateOf({ applied, compared: () => body }, []);
    const notes: string[] = [];
    const event = (_type: string, _reason: string, _action: string, note: string) => notes.push(note);
    await put({ ...rest, event, input: { ...input, body } } as unknown as PassState);
    return notes.find((note) => note.startsWith('Azure differs'));
  };
  expect(await noteFor(10)).toContain('f8, f9; it is put back');
  expect(await noteFor(11)).toContain('f8, f9 and 1 more; it is put back');
});

test('what was there before the object is told to be taken over, what the object has made is not', async () => {
  const events: string[] = [];
  await settle(stateOf({ isNew: true, acted: true }, events));
  await settle(stateOf({ isNew: false, acted: false }, events));
  expect(events).toEqual([]);
  const state = stateOf({ isNew: true, acted: false }, events);
  await settle(state);
  expect(events).toEqual(['Adopted']);
  expect(state.settled).toBe(true);
});

/** What `stateOf` makes, with an ARM that refuses everything, and the names of what was called or woken. */
function refusing(status: number, more: object = {}) {
  const calls: string[] = [];
  const facts = { status, code: 'ResourceNotFound', message: 'm', details: [] } as unknown as ArmErrorFacts;
  const send = async () => {
    throw new ArmError('PUT', '/x', facts);
  };
  const state = stateOf(
    {
      context: { arm: { send }, enqueueDependents: () => calls.push('wake'), namespaces: { get: () => undefined } },
      noteEarlierPut: () => calls.push('note'),
      ...more,
    },
    [],
  );
  return { state, calls };
}

test('a PUT that is bound to an ETag and refused for it is looked into anew; any other refusal is told', async () => {
  const beforePut = async (_object: unknown, body: object, { onlyIf }: { onlyIf: (etag: string) => void }) => {
    onlyIf('e');
    return body;
  };
  const bound = (status: number) => {
    const made = refusing(status);
    const { model, ...input } = made.state.input;
    const extension = { beforePut };
    Object.assign(made.state, { input: { ...input, model: { ...model, extension, apiVersion: () => 'v' } } });
    return made;
  };
  const { state, calls } = bound(412);
  await expect(put(state)).resolves.toMatchObject({ outcome: 'retry', over: true });
  expect(calls).toEqual(['note']);
  await expect(put(bound(409).state)).rejects.toThrow(ArmError);
  await expect(put(refusing(412).state)).rejects.toThrow(ArmError);
});

test('what Azure accepted is the object’s own, and whoever waits for the resource hears of the end of each write', async () => {
  const woken: string[] = [];
  const made = stateOf({ applied: undefined }, []);
  Object.assign(made.context, { enqueueDependents: (node: string) => woken.push(node) });
  await put(made);
  expect(made).toMatchObject({
    sent: true,
    acted: true,
    applied: { body: '', inputs: '', knownDifference: '' },
    live: undefined,
  });
  expect(woken).not.toEqual([]);
  const { state, calls } = refusing(404);
  await expect(remove(state)).resolves.toMatchObject({ outcome: 'succeeded' });
  expect(calls).toContain('wake');
  expect(state.deleted).toBe(true);
  await expect(remove(refusing(403).state)).rejects.toThrow(ArmError);
});

test('an operation that is joined makes what was seen before it old, and one that failed is over', async () => {
  const model = { apiVersion: () => 'v' };
  const runtime = { clock: { now: () => 5 } };
  const state = stateOf({ input: { correlationId: 'c', model }, context: { runtime } }, []);
  await expect(adopt(state, true)).resolves.toMatchObject({ outcome: 'polling', memo: { foreign: true } });
  expect(state.live).toBeUndefined();
  expect(state.memory.operation).toMatchObject({ kind: 'body', url: state.id(), nextPollAt: 1005 });
  const operation = { url: 'https://management.azure.com/mine' } as Operation;
  const known = stateOf({ input: { correlationId: 'c', model }, context: { runtime }, memory: { operation } }, []);
  await expect(adopt(known, false)).resolves.toMatchObject({ memo: { operation: { url: operation.url } } });
  const shown = stateOf({ live: { exists: true, body: { properties: { provisioningState: 'Failed' } } } }, []);
  await expect(giveUp(shown)).resolves.toMatchObject({ outcome: 'retry', over: true });
});
