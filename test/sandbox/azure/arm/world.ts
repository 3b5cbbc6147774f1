import { afterAll, beforeEach } from '@jest/globals';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { defaultArmSettings } from '../../../../sandbox/azure/arm/behaviour.ts';
import { startEmbeddedAzure } from '../../../../sandbox/azure/azure.ts';
import { TestClient } from '../client.ts';

/** An embedded Azure for the tests of one file. Before each test it is empty but for the resource group `rg`. */
export const clock = new ManualClock(Date.UTC(2026, 5, 1));
export const azure = await startEmbeddedAzure({ clock });
export const client = new TestClient(azure);
export const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg`;

beforeEach(async () => {
  azure.reset();
  Object.assign(azure.settings, defaultArmSettings);
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

/** Status and error code of a request to Resource Manager. */
export const code = async (...call: Parameters<TestClient['arm']>) => {
  const { status, body } = await client.arm(...call);
  return [status, body?.error?.code];
};

/** The id of `Microsoft.Storage/storageAccounts/name` in the group. */
export const provider = (rest: string) => `${group}/providers/${rest}`;
