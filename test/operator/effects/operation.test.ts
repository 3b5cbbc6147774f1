import { expect, test } from '@jest/globals';
import type { Input } from '../../../runtime/arm-kinds/inputs.ts';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import type { ArmErrorInfo, Operation } from '../../../runtime/azure/types.ts';
import type { Journal } from '../../../runtime/engine/index.ts';
import type { EffectContext } from '../../../runtime/operator/effects/effect-context.ts';
import type { Memory } from '../../../runtime/operator/effects/memory.ts';
import { monitorOperation } from '../../../runtime/operator/effects/operation.ts';

const id = '/subscriptions/s/resourceGroups/own';
const theirs = '/subscriptions/t/resourceGroups/theirs';
const noted: Omit<Operation, 'nextPollAt'> = {
  kind: 'location',
  method: 'PUT',
  url: 'https://management.azure.com/subscriptions/s/operationresults/1',
  finalPath: theirs,
  resourcePath: theirs,
  startedAt: 0,
};

interface Around {
  /** In place of the usual memo, whatever it is. */
  readonly memo?: unknown;
  readonly block?: 'submit' | 'delete';
  readonly operation?: object;
  readonly foreign?: boolean;
  readonly memory?: Partial<Memory>;
  /** The inputs are not known in this pass, and one of this type is among them. */
  readonly unread?: Input['type'];
}

/** One poll of what the journal notes, answered with `result`; with what Azure was asked for, and what was observed. */
async function polled(result: object, { block = 'submit', foreign = false, ...around }: Around = {}) {
  const memory: Memory = { attempts: 0, ...around.memory };
  const asked: { operation: Operation; token: unknown }[] = [];
  const enqueued: string[] = [];
  const context = {
    withEarlierPut: () => ({ applied: { body: '', inputs: '', knownDifference: '' } }),
    unsettled: () => ({ body: '', inputs: '', knownDifference: '', settlesAt: 30_000 }),
    observed: {},
    memory,
    id: () => id,
    plan: {
      correlationId: 'c',
      model: { errorOverrides: [], definition: {}, inputs: () => [{ type: around.unread ?? 'secret' }] },
      declared: around.unread ? undefined : {},
    },
    requests: {
      secrets: [],
      credential: () => ({ cloud: cloudFromEnvironment({}) }),
      poll: async (operation: Operation, token: unknown) => {
        asked.push({ operation, token });
        return result;
      },
    },
    shared: { enqueueDependents: (node: string) => enqueued.push(node) },
  };
  const usual = { correlationId: 'c', operation: { ...noted, ...around.operation }, ...(foreign && { foreign }) };
  const memo = 'memo' in around ? around.memo : usual;
  const journal = {
    version: 1,
    desiredHash: 'g',
    blocks: { [block]: { state: 'Polling', memo } },
  } as unknown as Journal;
  const { observed = {}, error, ...outcome } = await monitorOperation(context as unknown as EffectContext, journal);
  return { outcome, observed, error, asked, enqueued, context };
}

const done = (body: unknown) => ({ done: true, outcome: 'succeeded', body });
const word = 'PublicIpForGatewayIsRequired';
const failed = (info: Partial<ArmErrorInfo>) => ({
  done: true,
  outcome: 'failed',
  error: { status: 400, code: word, topLevelCode: word, message: 'm', details: [], retryClass: 'none', ...info },
});

test('whatever the journal says, the operation is one of the object’s own resource', async () => {
  const { asked } = await polled(done({ id }));
  expect(asked[0]?.operation).toMatchObject({ url: noted.url, finalPath: id, resourcePath: id, nextPollAt: 0 });
  const body = await polled(done({ id }), { operation: { kind: 'body', url: theirs } });
  expect(body.asked[0]?.operation).toMatchObject({ url: id });
});

test('a journal with the URL of anything but an operation on the resource has the resource itself asked', async () => {
  for (const url of [
    `https://management.azure.com${theirs}`,
    'https://example.com/subscriptions/s/operationresults/1',
  ]) {
    const { asked } = await polled(done({ id }), { operation: { url } });
    expect(asked[0]?.operation).toMatchObject({ kind: 'body', url: id });
  }
});

test('a journal that names no operation sends nothing and forgets no earlier PUT', async () => {
  const operations = [{ url: undefined }, { kind: 1 }, { method: null }].map((operation) => ({ operation }));
  for (const around of [...operations, { memo: undefined }, { memo: [] }, { memo: { operation: 7 } }]) {
    const { outcome, asked, observed } = await polled(done({ id }), around);
    expect(outcome).toMatchObject({ outcome: 'retry', over: true });
    expect(asked).toEqual([]);
    expect(observed.applied).toBeDefined();
  }
});

test('an answer about another resource is not taken for the object’s own', async () => {
  expect((await polled(done({ id: theirs }))).observed.live).toBeUndefined();
  expect((await polled(done({ id: id.toUpperCase() }))).observed.live).toMatchObject({ exists: true });
});

test('polls go on with the token of the operation, and never with that of another one', async () => {
  const [token, other] = [{ token: 'first' }, { token: 'second' }] as unknown as NonNullable<Memory['token']>[];
  const known = { ...noted, nextPollAt: 5 } as Operation;
  const running = { done: false, operation: { ...known, nextPollAt: 9 }, token: other };
  const same = await polled(running, { memory: { operation: known, token: token as never } });
  expect(same.asked).toEqual([{ operation: known, token }]);
  expect(same.context.memory).toMatchObject({ operation: { nextPollAt: 9 }, token: other });
  expect(same.outcome).toMatchObject({ outcome: 'polling' });
  expect(same.enqueued).toEqual([]);
  const former = await polled(running, {
    memory: { operation: { ...known, url: 'https://management.azure.com/former' }, token: token as never },
  });
  expect(former.asked).toMatchObject([{ operation: { url: noted.url }, token: undefined }]);
});

test('an operation that ended leaves the journal, and dependents of the resource are enqueued', async () => {
  const memory = { operation: { ...noted, nextPollAt: 0 } as Operation, token: { token: 't' } as never };
  for (const result of [done({ id }), failed({})]) {
    const { context, enqueued } = await polled(result, { memory });
    expect(context.memory.operation ?? context.memory.token).toBeUndefined();
    expect(enqueued).not.toEqual([]);
  }
});

test('an operation that failed is told apart from one that another write ended, or that Azure lost', async () => {
  const hasFailed = async (topLevelCode: string, around: Around = {}) => {
    const { context } = await polled(failed({ status: 200, topLevelCode, code: topLevelCode }), around);
    return context.memory.hasFailedOperation === true;
  };
  for (const code of ['ProvisioningTimedOut', 'AllocationFailed', word]) expect(await hasFailed(code)).toBe(true);
  for (const code of ['OperationCancelled', 'Conflict', 'OperationLost']) expect(await hasFailed(code)).toBe(false);
  expect(await hasFailed(word, { foreign: true })).toBe(false);
  expect(await hasFailed(word, { block: 'delete' })).toBe(false);
});

test('the end of somebody else’s operation proves nothing about our own PUT', async () => {
  expect((await polled(failed({}), { foreign: true })).outcome).toEqual({ outcome: 'succeeded' });
  expect((await polled(failed({}))).outcome).toMatchObject({ outcome: 'failed', failure: { code: word } });
});

test('a deletion is never given up, and is over once the resource is gone', async () => {
  const refused = await polled(failed({}), { block: 'delete' });
  expect(refused.outcome).toMatchObject({ outcome: 'retry', over: true });
  expect(refused.observed.deleted).toBeUndefined();
  for (const result of [
    failed({ status: 404, code: 'ResourceNotFound', topLevelCode: 'ResourceNotFound' }),
    done(undefined),
  ]) {
    const { outcome, observed } = await polled(result, { block: 'delete' });
    expect(outcome).toEqual({ outcome: 'succeeded', memo: { deleted: true } });
    expect(observed.deleted).toBe(true);
  }
  expect(
    (await polled(failed({ status: 404, code: 'ResourceNotFound', topLevelCode: 'ResourceNotFound' }))).observed
      .deleted,
  ).toBeUndefined();
});

const said = failed({ message: 'hunter2 is too plain', details: [{ code: 'Y', message: 'hunter2' }] });

test.each(['secret', 'credentials', 'azure', 'keyVault', 'managedSecret', 'expression'] as const)(
  'what Azure says of an operation is not reported while a secret of type %s that it might repeat is not known',
  async (unread) => {
    const { outcome, error } = await polled(said, { unread });
    expect(JSON.stringify([outcome, String(error)])).not.toContain('hunter2');
  },
);

test('what Azure says of an operation is reported while only inputs that are no secrets are not known', async () => {
  for (const around of [{}, { unread: 'configMap' }, { unread: 'reference' }] as const) {
    expect((await polled(said, around)).outcome).toMatchObject({ failure: { message: 'hunter2 is too plain' } });
  }
});
