import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { watch } from '../../runtime/cli/commands/watch.ts';
import {
  deploymentType,
  networkSpec,
  runType,
  startDeploymentWorld,
} from '../operator/deployments/deployment-world.ts';
import { until, type World } from '../operator/support.ts';
import { startViewWorld } from '../view/world.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

async function run(...argv: string[]) {
  const out: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  // On a busy machine a run takes long enough for the note that this operator has no Lease.
  const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    return { code: await watch([...argv, '--kubeconfig', world.kubeconfigFile]), out: out.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

test('it follows the run of the current goal to its end: 0 when it succeeded', async () => {
  await world.apply(deploymentType, 'good', networkSpec(['westeurope']));
  const first = await run('good', '-n', 'default');
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toMatch(/^good-1 \(GoalChanged\) Succeeded 100%$/m);
  expect(first.out).not.toContain('\u001b');
  await world.apply(deploymentType, 'good', networkSpec(['westeurope'], { parameters: { team: 'other' } }));
  expect((await run('good', '-n', 'default')).out).toMatch(/^good-2 \(GoalChanged\) Succeeded 100%$/m);
});

test('it ends with 1 when the run failed or was cancelled, and when the goal cannot run', async () => {
  const held = networkSpec(['northeurope'], { suspend: true });
  await world.apply(deploymentType, 'held', held);
  await until('the run is suspended', async () => {
    const found = await world.client.tryGet(runType, { namespace: 'default', name: 'held-1' });
    return found?.['status']?.state === 'Suspended';
  });
  const following = run('held', '-n', 'default');
  const body = { spec: { cancel: true } };
  await world.client.patch(runType, { namespace: 'default', name: 'held-1' }, { type: 'merge', body });
  const cancelled = await following;
  expect(cancelled).toMatchObject({ code: 1 });
  expect(cancelled.out).toContain('held-1 (GoalChanged) Cancelled');
  const manifests = [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }];
  await world.apply(deploymentType, 'wrong', networkSpec(['uksouth'], { template: { manifests } }));
  const wrong = await run('wrong', '-n', 'default');
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.out).toContain('wrong has a goal that cannot run: template.manifests[0].kind');
});

test('a deployment that does not exist, and arguments that are wrong, are errors', async () => {
  await expect(run('none', '-n', 'default')).rejects.toThrow(/computedeployments.*"none" not found/);
  await expect(run('a', 'b')).rejects.toThrow(/the name of one ComputeDeployment/);
});

test('where the cluster has no definition of deployments, it says how to get it', async () => {
  const bare = await startViewWorld();
  try {
    await expect(watch(['shop', '--kubeconfig', bare.kubeconfig])).rejects.toMatchObject({
      code: 'AZ_KIND_UNKNOWN',
      message: expect.stringContaining('does not serve ComputeDeployment of azimuth.dev/v1alpha1: add deployments'),
    });
  } finally {
    await bare.close();
  }
});
