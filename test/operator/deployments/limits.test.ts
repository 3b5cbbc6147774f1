/** What a reconcile run does with a goal that the expansion could not finish: it may pass without a change. */
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { DeploymentProblem } from '../../../runtime/compute/deployments/substitute.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import {
  DeploymentReconciler,
  type DeploymentReconcilerDeps,
} from '../../../runtime/operator/deployments/deployment-reconciler.ts';
import { deploymentFinalizer } from '../../../runtime/operator/deployments/runs/runs.ts';

const deployment = {
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata: { name: 'shop', namespace: 'team', uid: 'u', generation: 1, finalizers: [deploymentFinalizer] },
  spec: { template: { manifests: [] }, locations: [] },
};
const running = {
  object: { metadata: { name: 'shop-1' }, spec: {}, status: { state: 'Running' } },
  record: { number: 1 },
};
const limit = { path: 'template', message: 'takes more than 4000 ms', retryAfterMs: 600_000 };
const wrong = { path: 'template', message: 'is wrong' };

/** Reconciles with a present run and the problems of the goal, or of the run when it is loaded again. */
async function reconcile(
  present: typeof running | undefined,
  { ofGoal = [], ofRun = [] }: { readonly ofGoal?: DeploymentProblem[]; readonly ofRun?: DeploymentProblem[] },
  refused?: KubeStatusError,
) {
  const noted: string[] = [];
  let counted = 0;
  const states: unknown[] = [];
  const conditions: string[] = [];
  const client = {
    tryGet: async () => deployment,
    patch: async (_type: unknown, _key: unknown, { operations }: { operations: { value: object }[] }) => {
      if (refused) throw refused;
      conditions.push(JSON.stringify(operations[1]?.value));
    },
  };
  const parts = {
    runtime: { client, clock: new ManualClock(1_700_000_000_000) },
    deployments: { get: () => deployment },
    runs: { records: { load: async () => undefined }, catchUp: async () => undefined, of: () => [] },
    current: { find: async () => ({ recorded: present, problems: ofGoal }) },
    loader: { has: () => false, load: async () => ({ problems: ofRun }) },
    store: { writeStatus: async (_run: unknown, { state }: { state: string }) => void states.push(state) },
    events: { record: ({ reason, note }: { reason: string; note: string }) => void noted.push(`${reason}: ${note}`) },
    statusTooLarge: () => {
      counted++;
    },
  };
  const reconciler = new DeploymentReconciler(parts as unknown as DeploymentReconcilerDeps);
  const request = { namespace: 'team', name: 'shop', key: 'team/shop', attempt: 0 };
  const result = await reconciler.reconcile(request as never, new AbortController().signal);
  return { result, states, noted, counted, reported: conditions.join() };
}

test('a goal above a limit is tried again when it may fit, and one that is wrong is not', async () => {
  const late = await reconcile(undefined, { ofGoal: [wrong, limit] });
  expect(late.result).toEqual({ requeueAfterMs: 600_000 });
  expect(late.reported).toContain('takes more than 4000 ms');
  expect((await reconcile(undefined, { ofGoal: [wrong] })).result).toBeUndefined();
});

test('a run under way whose goal a busy machine could not expand again goes on later, and has not failed', async () => {
  const late = await reconcile(running, { ofRun: [limit] });
  expect(late).toMatchObject({ result: { requeueAfterMs: 600_000 }, states: [] });
  expect(late.reported).toContain('takes more than 4000 ms');
  expect((await reconcile(running, { ofRun: [wrong] })).states).toEqual(['Failed']);
});

test('a deployment that has no room for a status has an event with the text, and is counted', async () => {
  const refused = new KubeStatusError({ verb: 'patch', resource: 'computedeployments' }, 413, { message: 'too large' });
  const { result, noted, counted } = await reconcile(running, { ofRun: [limit] }, refused);
  expect(result).toEqual({ requeueAfterMs: 600_000 });
  expect(noted).toEqual([expect.stringMatching(/^StatusTooLarge: .* make it smaller\. Ready would be .*4000 ms/)]);
  expect(counted).toBe(1);
});

test('of a deployment that goes without its finalizer no goal is kept', async () => {
  const forgotten: string[] = [];
  const parts = {
    runtime: { clock: new ManualClock(0) },
    deployments: { get: () => undefined },
    current: { forget: (uid: string) => void forgotten.push(uid) },
    loader: { forget: () => undefined },
  };
  const reconciler = new DeploymentReconciler(parts as unknown as DeploymentReconcilerDeps);
  const request = { namespace: 'team', name: 'shop', key: 'ComputeDeployment/u', attempt: 0 };
  await reconciler.reconcile(request as never, new AbortController().signal);
  expect(forgotten).toEqual(['u']);
});
