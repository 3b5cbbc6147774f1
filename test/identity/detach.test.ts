import { expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { AttachmentIndex } from '../../runtime/identity/attachments/attachment-index.ts';
import type { AttachmentRecords } from '../../runtime/identity/attachments/attachment-records.ts';
import type { IdentityChanges } from '../../runtime/identity/machines/machine-identity.ts';
import type { MachineState, MachineWriter } from '../../runtime/identity/machines/machine-writer.ts';
import { Machines } from '../../runtime/identity/machines/machines.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';

const machine = '/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/m';

test('of the identities of a machine, only those are detached that are recorded, needed by no pod and not protected', async () => {
  const index = new AttachmentIndex();
  index.add({ machine, identity: 'kept' }, 'keep', 'default/p-app-id');
  let recorded: ReadonlySet<string> = new Set(['free', 'kept', 'protected']);
  const order: string[] = [];
  const read = Promise.withResolvers<void>();
  let complete = false;
  const records = {
    load: async () => undefined,
    of: () => recorded,
    machines: () => [machine].values(),
    replace: async (_machine: string, identities: ReadonlySet<string>) => {
      order.push(`record ${[...identities]}`);
      recorded = identities;
    },
  } as unknown as AttachmentRecords;
  const attached: MachineState = {
    type: 'UserAssigned',
    ids: new Set(['free', 'kept', 'protected', 'of-others']),
    region: 'westus2',
    busy: false,
    clientIds: new Map([['free', 'client-free']]),
    emptyIds: new Set(),
  };
  const applied = Promise.withResolvers<IdentityChanges>();
  const writer = {
    read: async () => {
      read.resolve();
      return attached;
    },
    apply: async (_machine: string, before: MachineState, changes: IdentityChanges) => {
      order.push('PATCH');
      applied.resolve(changes);
      return { after: { ...before, ids: new Set(['kept', 'protected', 'of-others']) }, refused: new Map() };
    },
  } as unknown as MachineWriter;
  const learned: string[] = [];
  const machines = new Machines({
    runtime: { client: {} as KubeClient, clock: systemClock, log: silentLogger, metrics: createMetrics() },
    index,
    records,
    writer,
    protection: {
      protects: (identity) => identity === 'protected',
      learn: (identity, clientId) => learned.push(`${identity} ${clientId}`),
      resolve: async () => undefined,
    },
    definitions: { areRemoved: async () => false },
    identities: { shown: () => undefined, answerOf: () => undefined },
    regionOf: () => '',
    whenReady: async () => undefined,
    isComplete: () => complete,
    enqueue: () => undefined,
    reports: { pending: () => undefined, failed: () => undefined, detachFailed: () => undefined },
  });
  const stop = new AbortController();
  const running = machines.run(stop.signal);
  // The machine is read, and nothing follows while not all assignments are known.
  await read.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).not.toContain('PATCH');
  complete = true;
  machines.indexComplete();
  expect([...(await applied.promise)]).toEqual([['free', false]]);
  stop.abort(new Error('the test has ended'));
  await running;
  expect(new Set(learned)).toEqual(new Set(['free client-free']));
  expect(order.slice(-3)).toEqual(['record free,kept,protected', 'PATCH', 'record kept,protected']);
});
