import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import type { Manager, Task } from '../../runtime/kube/controller/manager.ts';
import { addBackgroundTasks } from '../../runtime/operator/background-tasks.ts';
import type { ReconcileDeps } from '../../runtime/operator/effects/reconcile-deps.ts';
import type { KindCaches } from '../../runtime/operator/objects/kind-caches.ts';

test('turns of ARM ids that went by unused end every half a minute, until the operator stops', async () => {
  const clock = new ManualClock();
  let ended = 0;
  const shared = {
    runtime: { clock, log: { warn: () => undefined } },
    armIds: { endTurns: () => ended++ },
    writeTurns: { endTurns: () => undefined },
    termCaches: { catchUp: async () => undefined },
    records: { load: async () => undefined },
    credentialFinalizers: { removeUnused: async () => undefined },
  } as unknown as ReconcileDeps;
  const tasks: Task[] = [];
  const manager = { addEnd: () => undefined, addTask: (task: Task) => tasks.push(task) } as unknown as Manager;
  addBackgroundTasks(manager, shared, [] as unknown as KindCaches);
  const stop = new AbortController();
  const all = Promise.all(tasks.map((task) => task(stop.signal, { stop: stop.signal, lost: undefined })));
  for (const seconds of [0, 29, 1, 30]) await clock.advance(seconds * 1000);
  expect(ended).toBe(3);
  stop.abort();
  await all;
  await clock.advance(60_000);
  expect(ended).toBe(3);
});
