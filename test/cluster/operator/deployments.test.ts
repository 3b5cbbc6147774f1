/**
 * ComputeDeployments on a real API server, by an operator with the permissions that the manifests grant. The slow tier has
 * the other policies and modes, on the embedded server.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { armTemplate } from '../../operator/deployments/arm-scenario.ts';
import { runType } from '../../operator/deployments/deployment-world.ts';
import { illImageRolledBack } from '../../operator/deployments/ill-image.ts';
import { Place, scenarioKinds } from '../../operator/deployments/place.ts';
import { badImage, killedAtRandom, suspendAndResume } from '../../operator/deployments/scenarios.ts';
import { types, until } from '../../operator/support.ts';
import { kubectl } from '../kubectl.ts';
import { type InstalledOperator, installOperator, longLease } from './installed-operator.ts';

let installed: InstalledOperator;
let client: KubeClient;
let place: Place;

beforeAll(async () => {
  const arm = { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true };
  const parts = { machineSecrets: true, deployments: true, gateJobs: true };
  installed = await installOperator(scenarioKinds, { ...parts, arm, flags: longLease });
  client = createKubeClient(loadKubeConnection({}));
  const kill = () => installed.replace();
  const namespace = 'azimuth-deployments-test';
  // The API server runs without a controller manager.
  place = new Place({ client, azure: installed.azure, namespace, kill, collectsGarbage: false });
  await place.prepare();
});

afterAll(async () => {
  await place?.close();
  await client?.close();
  await installed?.remove();
});

test('an image that Azure does not have, in the second of three waves: an image that Azure does not have, in the second of three waves, is rolled back with onFailure Rollback', () =>
  badImage(place, 'Rollback'));

test('an image that makes instances of mode Rolling ill is rolled back, and the roll-back ends when they are well', () =>
  illImageRolledBack(place, 'Rolling'));

test('a deployment that is suspended in its first wave starts nothing, and goes on after it', async () => {
  await suspendAndResume(place);
});

test('killed at random, the operator brings each goal into Azure by one PUT, and deletes everything', async () => {
  await killedAtRandom(place, 6, 20272);
});

test('an ARM template of a scale set with a managed certificate: planned, run, changed, rolled back, deleted', async () => {
  await armTemplate(place);
});

test('a user of deployments starts, cancels and rolls back with rights on these two kinds alone', async () => {
  const run = 'computeruns.azimuth.dev';
  const may = async (verb: string, resource: string) =>
    (await kubectl(['auth', 'can-i', verb, resource, '-n', place.namespace, '--as=team']).catch(() => 'no')).trim();
  expect([await may('create', run), await may('create', 'computedeployments.azimuth.dev')]).toEqual(['no', 'no']);
  const rules = ['create', 'role', 'team', '-n', place.namespace, '--verb=create,get,patch'];
  await kubectl([...rules, `--resource=${run}`, '--resource=computedeployments.azimuth.dev']);
  await kubectl(['create', 'rolebinding', 'team', '-n', place.namespace, '--role=team', '--user=team']);
  expect([await may('create', run), await may('patch', run), await may('create', 'virtualmachinescalesets')]).toEqual([
    'yes',
    'yes',
    'no',
  ]);
  const deployment = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeDeployment',
    metadata: { name: 'team', namespace: place.namespace },
    spec: {
      locations: [{ name: 'westeurope' }],
      template: {
        manifests: [
          {
            apiVersion: 'resources.azure.com/v1api20200601',
            kind: 'ResourceGroup',
            metadata: { name: 'team-group' },
            spec: { location: 'westeurope' },
          },
        ],
      },
    },
  };
  await kubectl(['create', '--as=team', '-f', '-'], JSON.stringify(deployment));
  await place.run('team', 1, 'Succeeded');
  const again = { ...deployment, kind: 'ComputeRun', spec: { deployment: 'team', goalOf: 'team-1' } };
  const named = { ...again, metadata: { ...deployment.metadata, name: 'again' } };
  await kubectl(['create', '--as=team', '-f', '-'], JSON.stringify(named));
  await place.run('team', 2, 'Succeeded');
  const patch = ['patch', run, 'again', '-n', place.namespace, '--as=team', '--type=merge', '-p'];
  await kubectl([...patch, '{"spec":{"cancel":true}}']);
  await place.removeDeployment('team');
});

test('the second wave waits for an approval, and the API server takes no name but that of the caller', async () => {
  const group = {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'gated-${location}' },
    spec: { location: '${location}' },
  };
  const metadata = { name: 'gated', namespace: place.namespace };
  const strategy = { waves: [['westeurope'], ['northeurope']], gate: { bakeFor: '1s', approval: true } };
  const locations = strategy.waves.flat().map((name) => ({ name }));
  const spec = { locations, strategy, template: { manifests: [group] } };
  const deployment = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', metadata, spec };
  await kubectl(['create', '-f', '-'], JSON.stringify(deployment));
  await place.run('gated', 1, 'Paused');
  const rules = ['create', 'role', 'approvers', '-n', place.namespace, '--verb=create'];
  await kubectl([...rules, '--resource=computeapprovals.azimuth.dev']);
  await kubectl(['create', 'rolebinding', 'approvers', '-n', place.namespace, '--role=approvers', '--user=alice']);
  const approve = (wave: number, approvedBy: string) => {
    const approval = {
      ...deployment,
      kind: 'ComputeApproval',
      metadata: { ...metadata, name: `gated-${wave}` },
      spec: { run: 'gated-1', wave, approvedBy },
    };
    return kubectl(['create', '--as=alice', '-f', '-'], JSON.stringify(approval));
  };
  // The policy may be younger than a second.
  const refusal = await until('the policy is in force', async () => {
    const answer = await approve(1, 'root').then(
      () => kubectl(['delete', 'computeapproval', 'gated-1', '-n', place.namespace]),
      (error: Error) => error.message,
    );
    return answer.includes('azimuth-approvals') && answer;
  });
  expect(refusal).toContain('spec.approvedBy is the user name of whoever creates the approval');
  await approve(1, 'alice');
  await approve(2, 'alice');
  const run = await place.run('gated', 1, 'Succeeded');
  expect(run['status'].gates).toMatchObject([
    { state: 'Passed', approvedBy: 'alice' },
    { state: 'Passed', approvedBy: 'alice' },
  ]);
  await place.removeDeployment('gated');
});

const jobs = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };

/** Writes the status of the next Job as the Job controller does: no controller manager and no kubelet runs here. */
async function completeJob(): Promise<void> {
  const { name } = await until('the Job of the gate', async () => {
    const { items } = await client.list<KubeObject>(jobs, { namespace: place.namespace });
    return items.find((each) => !each['status']?.conditions)?.metadata;
  });
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const condition = { status: 'True', reason: 'CompletionsReached', lastProbeTime: time, lastTransitionTime: time };
  const status = {
    startTime: time,
    completionTime: time,
    succeeded: 1,
    uncountedTerminatedPods: {},
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, ...condition })),
  };
  const key = { namespace: place.namespace, name };
  await client.patch(jobs, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}

test('a gate makes its Job only where the service account of the deployment may, as the API server says', async () => {
  const { namespace } = place;
  const allow = async (name: string, resource: string) => {
    const role = ['create', 'role', name, '-n', namespace, '--verb=create,patch,delete', `--resource=${resource}`];
    await kubectl(role);
    const account = `--serviceaccount=${namespace}:checker`;
    await kubectl(['create', 'rolebinding', name, '-n', namespace, `--role=${name}`, account]);
  };
  await allow('checker-groups', 'resourcegroups.resources.azure.com');
  const group = {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'checked-${location}' },
    spec: { location: '${location}' },
  };
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image: 'curl' }] } };
  const gate = { checks: [{ name: 'smoke', job: { spec: { template } } }] };
  const waves = [['westeurope'], ['northeurope']];
  await place.deploy('checked', {
    locations: waves.flat().map((name) => ({ name })),
    serviceAccountName: 'checker',
    strategy: { waves, gate },
    template: { manifests: [group] },
  });
  const refused = await place.run('checked', 1, 'Failed');
  expect(refused['status'].message).toContain(
    `The service account checker of the deployment may not create jobs.batch in the namespace ${namespace}`,
  );
  expect(await place.names(jobs)).toEqual([]);
  expect(await place.tryGet(types.group, 'checked-northeurope')).toBeUndefined();

  await allow('checker-jobs', 'jobs.batch');
  const spec = { deployment: 'checked', goalOf: 'checked-1' };
  await place.apply(runType, 'checked-again', { spec });
  await completeJob();
  await completeJob();
  const run = await place.run('checked', 2, 'Succeeded');
  expect(run['status'].gates).toMatchObject([{ state: 'Passed' }, { state: 'Passed' }]);
  await place.removeDeployment('checked');
});

test('the permissions that the manifests grant are enough', () => {
  expect(readFileSync(installed.logFile, 'utf8')).not.toMatch(/forbidden/i);
});
