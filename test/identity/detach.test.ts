import { expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import type { Holders, Ledger } from '../../runtime/identity/machines/attachment-index.ts';
import type { Claim } from '../../runtime/identity/machines/attachment-reference.ts';
import type { IdentityChanges } from '../../runtime/identity/machines/machine-identity.ts';
import type { MachineState, MachineWriter } from '../../runtime/identity/machines/machine-writer.ts';
import { Machines } from '../../runtime/identity/machines/machines.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';

const machine = '/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachines/m';
const released = (clientId: string): Holders => ({
  attach: new Set(),
  serving: new Set(),
  release: new Set(['default/p-app-id']),
  clientId,
});

test('of what is given up, that stays on the machine which any pod wants or which is never detached', async () => {
  const holders = new Map(['free', 'wanted', 'kept'].map((name) => [name, released(`client-${name}`)]));
  const ledger = {
    onChange: () => undefined,
    machines: () => [machine].values(),
    of: () => holders,
  } as unknown as Ledger;
  const attached: MachineState = {
    type: 'UserAssigned',
    ids: new Set(['free', 'wanted', 'kept', 'of-others']),
    region: 'westus2',
    busy: false,
  };
  const applied = Promise.withResolvers<IdentityChanges>();
  const writer = {
    read: async () => attached,
    apply: async (_machine: string, before: MachineState, changes: IdentityChanges) => {
      applied.resolve(changes);
      return { after: { ...before, ids: new Set(['wanted', 'kept', 'of-others']) }, refused: new Map() };
    },
  } as unknown as MachineWriter;
  const asked: Claim[] = [];
  const machines = new Machines({
    runtime: { client: {} as KubeClient, clock: systemClock, log: silentLogger, metrics: createMetrics() },
    ledger,
    writer,
    wanted: ({ identity }) => identity === 'wanted',
    immutable: (claim) => {
      asked.push(claim);
      return claim.clientId === 'client-kept';
    },
    regionOf: () => '',
    wake: () => undefined,
    waits: () => undefined,
    failed: () => undefined,
  });
  const stop = new AbortController();
  const running = machines.run(stop.signal);
  expect([...(await applied.promise)]).toEqual([['free', false]]);
  expect(asked).toContainEqual({ machine, identity: 'kept', clientId: 'client-kept' });
  stop.abort(new Error('the test has ended'));
  await running;
});
