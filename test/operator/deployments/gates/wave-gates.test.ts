import { expect, test } from '@jest/globals';
import { gateOf } from '../../../../runtime/compute/deployments/wave-gate.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import { ApproverNames } from '../../../../runtime/operator/approvals/approver-names.ts';
import type { DeploymentRun } from '../../../../runtime/operator/deployments/deployment-run.ts';
import { type ApprovalObject, Approvals, runKeysOf } from '../../../../runtime/operator/deployments/gates/approvals.ts';
import type { Try } from '../../../../runtime/operator/deployments/gates/check-place.ts';
import { JobChecks } from '../../../../runtime/operator/deployments/gates/job-check.ts';
import { WaveGates } from '../../../../runtime/operator/deployments/gates/wave-gates.ts';
import type { DeploymentObject, RunObject } from '../../../../runtime/operator/deployments/runs/runs.ts';

const signal = new AbortController().signal;
const key = 'VirtualMachineScaleSet.compute.azure.com/web';
const runObject = (uid = 'run', creationTimestamp = '2026-01-01T00:00:10Z') =>
  ({ metadata: { namespace: 'shop', name: 'shop-1', uid, creationTimestamp } }) as unknown as RunObject;
const deployment = { metadata: { namespace: 'shop', name: 'shop', uid: 'd' } } as unknown as DeploymentObject;

test('a check counts from when the wave is well again, and scale sets are read every half minute', async () => {
  let now = 0;
  let changedAt = 0;
  let result: Try = { state: 'Trying', message: '500' };
  const read: number[] = [];
  const gates = new WaveGates({
    clock: { now: () => now },
    children: {
      observe: () => ({ state: 'Ready', reason: 'Succeeded', message: '', isSeen: true }),
      get: () =>
        ({
          status: { conditions: [{ lastTransitionTime: new Date(changedAt).toISOString() }] },
        }) as unknown as KubeObject,
    },
    checks: { run: async () => result },
    approvals: { of: async () => undefined },
    readAgain: () => read.push(now),
    enqueue: () => undefined,
  });
  const node = { key, location: 'westus', pipeline: 'scaleSet', hash: 'h' };
  const gate = gateOf({ checkDeadline: '1m', checks: [{ name: 'home', http: { url: 'https://example.org' } }] });
  const run = {
    strategy: { gate, waves: [['westus']], progressDeadlineMs: 3_600_000 },
    recorded: { object: runObject(), record: {} },
    nodes: new Map([[key, node]]),
    graph: { records: new Map([[key, { state: 'Succeeded', hash: 'h', at: 0, runId: 'shop-0' }]]) },
  } as unknown as DeploymentRun;
  const ask = async (at: number) => {
    now = at;
    const view = await gates.ask(run, deployment, signal);
    await new Promise((resolve) => setImmediate(resolve));
    return view?.state;
  };
  expect([await ask(1000), await ask(11_000), await ask(40_000)]).toEqual(['Waiting', 'Waiting', 'Waiting']);
  expect(read).toEqual([40_000]);
  changedAt = 50_000;
  expect([await ask(51_000), await ask(62_000)]).toEqual(['Waiting', 'Waiting']);
  result = { state: 'Passed', message: '' };
  expect([await ask(73_000), await ask(74_000)]).toEqual(['Waiting', 'Passed']);
  changedAt = 80_000;
  result = { state: 'Trying', message: '500' };
  expect([await ask(81_000), await ask(140_000), await ask(142_000)]).toEqual(['Waiting', 'Waiting', 'Failed']);
});

test('an approval from before its run does not count', async () => {
  const approval = (creationTimestamp: string) =>
    ({
      metadata: { creationTimestamp },
      spec: { run: 'shop-1', wave: 1, approvedBy: 'alice' },
    }) as unknown as ApprovalObject;
  const of = (time: string) =>
    new Approvals({ byIndex: () => [approval(time)] }, new ApproverNames({ tryGet: async () => undefined })).of(
      runObject(),
      1,
      signal,
    );
  expect(await of('2026-01-01T00:00:09Z')).toBeUndefined();
  expect(await of('2026-01-01T00:00:10Z')).toMatch(/^alice/);
});

test('blanks around the name of the run in an approval do not count', () => {
  const approval = { metadata: { namespace: 'team' }, spec: { run: ' shop-1\n', wave: 1, approvedBy: 'alice' } };
  expect(runKeysOf(approval as unknown as ApprovalObject)).toEqual(['team/shop-1']);
});

test('a Job of another run of the same name, or from before the wave was well again, is no result', async () => {
  const made = new Map<string, KubeObject>();
  const client = {
    tryGet: async (_: unknown, { name }: { name: string }) => made.get(name),
    create: async (_: unknown, job: KubeObject) => {
      const conditions = [{ type: 'Complete', status: 'True' }];
      made.set(job.metadata.name, { ...job, status: { conditions } });
      return job;
    },
  };
  const access = { accountOf: () => 'deployer', check: async () => undefined };
  const jobs = new JobChecks({ client: client as never, access, isAllowed: true });
  const tried = async (uid: string, since: number) => {
    const place = { deployment, run: runObject(uid), wave: 1, locations: ['westus'], since, location: '' };
    return (await jobs.run('smoke', {}, place, signal)).state;
  };
  expect([await tried('a', 1), await tried('a', 1)]).toEqual(['Trying', 'Passed']);
  expect([await tried('b', 1), await tried('a', 2)]).toEqual(['Trying', 'Trying']);
});
