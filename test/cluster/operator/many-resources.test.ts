/**
 * A ComputeDeployment of 100 resources on a real API server, by an operator with the permissions of the manifests; the
 * slow tier has 300 on the embedded one. AZIMUTH_MANY_RESOURCES takes another number of them.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { Place, scenarioKinds } from '../../operator/deployments/place.ts';
import { manyResources } from '../../operator/deployments/scenarios.ts';
import { type InstalledOperator, installOperator, longLease } from './installed-operator.ts';

const resources = Number(process.env['AZIMUTH_MANY_RESOURCES'] ?? 100);
let installed: InstalledOperator;
let client: KubeClient;
let place: Place;

beforeAll(async () => {
  const arm = { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true };
  installed = await installOperator(scenarioKinds, { deployments: true, arm, flags: longLease });
  client = createKubeClient(loadKubeConnection({}));
  const kill = () => installed.replace();
  // The API server runs without a controller manager.
  place = new Place({ client, azure: installed.azure, namespace: 'azimuth-many-test', kill, collectsGarbage: false });
  await place.prepare();
});

afterAll(async () => {
  await place?.close();
  await client?.close();
  await installed?.remove();
});

test('a deployment of many resources makes each of them once, and leaves nothing behind', async () => {
  const figures = await manyResources(place, Math.ceil(resources / 10), 1_200_000);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(readFileSync(installed.logFile, 'utf8')).not.toMatch(/forbidden/i);
}, 3_000_000);
