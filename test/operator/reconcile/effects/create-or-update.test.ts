import { expect, test } from '@jest/globals';
import { bodyFingerprint, knownDifferenceOf } from '../../../../runtime/arm-kinds/comparison/applied-record.ts';
import { ArmError } from '../../../../runtime/azure/arm/errors.ts';
import type { ArmErrorInfo, Operation } from '../../../../runtime/azure/types.ts';
import type { EffectContext } from '../../../../runtime/operator/effects/effect-context.ts';
import type { Memory } from '../../../../runtime/operator/effects/memory.ts';
import { joinOperation } from '../../../../runtime/operator/effects/operation.ts';
import { put as send } from '../../../../runtime/operator/reconcile/effects/create-or-update.ts';
import { beginDelete } from '../../../../runtime/operator/reconcile/effects/delete.ts';
import { failAndRetry, recordApplied } from '../../../../runtime/operator/reconcile/effects/record.ts';

const put = (context: EffectContext) => send(context, () => undefined);
const unsettled = { body: '', inputs: '', knownDifference: '', settlesAt: 30_000 };

/** What `beginDelete` reads, with an ARM that accepts everything and names `operation` or none. */
function stateWith(memory: Memory, operation: Operation | undefined): EffectContext {
  const response = { status: operation ? 202 : 204, token: { token: 'secret', expiresAt: 0 } };
  const state = {
    memory,
    plan: {
      correlationId: 'c',
      signal: new AbortController().signal,
      model: { errorOverrides: [], definition: {} },
    },
    observed: {},
    object: { metadata: { namespace: 'default', name: 'g' } },
    event: () => undefined,
    id: () => '/subscriptions/s/resourceGroups/g',
    isNew: false,
    acquired: () => ({ by: 'written', credentialOf: 'operator', at: 0 }),
    unsettled: () => unsettled,
    isSettled: () => true,
    annotate: async () => undefined,
    requests: {
      request: () => ({}),
      perform: async () => response,
      count: (_name: string, send: () => unknown) => send(),
      token: undefined,
    },
    shared: {
      armIds: { tryReserve: () => undefined },
      arm: { operationOf: () => operation },
      enqueueDependents: () => undefined,
      namespaces: { get: () => undefined },
    },
  };
  return state as unknown as EffectContext;
}

test('a token is remembered for the polls of an operation, and not where there is none', async () => {
  const over: Memory = { attempts: 0 };
  await expect(beginDelete(stateWith(over, undefined))).resolves.toMatchObject({ outcome: 'succeeded' });
  expect(over).toEqual({ attempts: 0 });

  const operation = { url: 'https://management.azure.com/operation', nextPollAt: 0 } as Operation;
  const polled: Memory = { attempts: 0 };
  await expect(beginDelete(stateWith(polled, operation))).resolves.toMatchObject({ outcome: 'polling' });
  expect(polled).toMatchObject({ operation, token: { token: 'secret' } });
});

/** What `put` and `recordApplied` read besides; `events` gets the reasons of the events. */
function stateOf(
  { observed = {}, ...more }: { readonly observed?: object; readonly [part: string]: unknown },
  events: string[],
): EffectContext {
  const body = { tags: { a: '1' } };
  const model = { armType: () => 'Contoso/things', extension: {}, errorOverrides: [], definition: {} };
  const signal = new AbortController().signal;
  return Object.assign(stateWith({ attempts: 0 }, undefined), {
    plan: {
      correlationId: 'c',
      signal,
      model,
      body,
      declared: body,
      ignored: [],
      resolution: { inputsVersion: '' },
      object: {},
    },
    orWait: (work: () => unknown) => work(),
    event: (_type: string, reason: string) => events.push(reason),
    ...more,
    observed: { live: { exists: true, body: { tags: { a: '2' } } }, ...observed },
  });
}

test('a difference that was there after the last PUT is no drift when another one is sent, a new one is', async () => {
  const applied = (live: object) => ({
    observed: {
      applied: {
        body: bodyFingerprint({ tags: { a: '1' } }),
        inputs: '',
        knownDifference: knownDifferenceOf({ tags: { a: '1' } }, { ...live }),
      },
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
    const { plan, ...rest } = stateOf({ observed: { applied } }, []);
    const notes: string[] = [];
    const event = (_type: string, _reason: string, _action: string, note: string) => notes.push(note);
    await put({ ...rest, event, plan: { ...plan, body, declared: body } } as unknown as EffectContext);
    return notes.find((note) => note.startsWith('Azure differs'));
  };
  expect(await noteFor(10)).toContain('f8, f9; the operator restores it');
  expect(await noteFor(11)).toContain('f8, f9 and 1 more; the operator restores it');
});

test('the adoption of an existing resource is reported, that of a resource of the object itself is not', async () => {
  const events: string[] = [];
  await recordApplied(stateOf({ isNew: true, observed: { wroteToAzure: true } }, events));
  await recordApplied(stateOf({ isNew: false }, events));
  expect(events).toEqual([]);
  const report = await recordApplied(stateOf({ isNew: true }, events));
  expect(events).toEqual(['Adopted']);
  expect(report.observed).toMatchObject({ appliedRecorded: true });
});

/** What `stateOf` makes, with an ARM that refuses everything, and the names of what was called or enqueued. */
function refusing(status: number, more: object = {}) {
  const calls: string[] = [];
  const info = { status, code: 'ResourceNotFound', message: 'm', details: [] } as unknown as ArmErrorInfo;
  const refuse = async () => {
    throw new ArmError('PUT', '/x', info);
  };
  const state = stateOf(
    {
      shared: { enqueueDependents: () => calls.push('wake'), namespaces: { get: () => undefined } },
      withEarlierPut: () => ({ applied: { body: 'earlier' } }),
      ...more,
    },
    [],
  );
  Object.assign(state.requests, { perform: refuse });
  return { state, calls };
}

test('a PUT that fails for its ETag leads to a new GET; any other failure is reported', async () => {
  const beforePut = async (_object: unknown, body: object, { onlyIf }: { onlyIf: (etag: string) => void }) => {
    onlyIf('e');
    return body;
  };
  const bound = (status: number) => {
    const made = refusing(status);
    const { model, ...plan } = made.state.plan;
    const extension = { beforePut };
    Object.assign(made.state, { plan: { ...plan, model: { ...model, extension, apiVersion: () => 'v' } } });
    return made;
  };
  const { state } = bound(412);
  const observed = { applied: { body: 'earlier' }, wroteToAzure: true };
  await expect(put(state)).resolves.toMatchObject({ outcome: 'retry', over: true, observed });
  await expect(put(bound(409).state)).rejects.toThrow(ArmError);
  await expect(put(refusing(412).state)).rejects.toThrow(ArmError);
});

test('what Azure accepted is the object’s own, and whoever waits for the resource hears of the end of each write', async () => {
  const enqueued: string[] = [];
  const made = stateOf({}, []);
  Object.assign(made.shared, { enqueueDependents: (node: string) => enqueued.push(node) });
  const { observed } = await put(made);
  expect(observed).toMatchObject({
    putSent: true,
    wroteToAzure: true,
    applied: unsettled,
    acquired: { by: 'written' },
    live: undefined,
  });
  expect(enqueued).not.toEqual([]);
  const { state, calls } = refusing(404);
  await expect(beginDelete(state)).resolves.toMatchObject({ outcome: 'succeeded', observed: { deleted: true } });
  expect(calls).toContain('wake');
  const { error, outcome } = await beginDelete(refusing(403).state);
  expect([outcome, error]).toEqual(['retry', expect.any(ArmError)]);
});

test('an operation that is joined makes what was seen before it old, and one that failed is over', async () => {
  const model = { apiVersion: () => 'v' };
  const runtime = { clock: { now: () => 5 } };
  const state = stateOf({ plan: { correlationId: 'c', model }, shared: { runtime } }, []);
  const joined = await joinOperation(state, true);
  expect(joined).toMatchObject({ outcome: 'polling', memo: { foreign: true } });
  expect(joined.observed).toEqual({ live: undefined });
  expect(state.memory.operation).toMatchObject({ kind: 'body', url: state.id(), nextPollAt: 1005 });
  const operation = { url: 'https://management.azure.com/mine' } as Operation;
  const known = stateOf({ plan: { correlationId: 'c', model }, shared: { runtime }, memory: { operation } }, []);
  await expect(joinOperation(known, false)).resolves.toMatchObject({ memo: { operation: { url: operation.url } } });
  const shown = stateOf(
    { observed: { live: { exists: true, body: { properties: { provisioningState: 'Failed' } } } } },
    [],
  );
  await expect(failAndRetry(shown)).resolves.toMatchObject({ outcome: 'retry', over: true });
});
