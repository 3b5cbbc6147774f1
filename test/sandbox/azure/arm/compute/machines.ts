import { expect } from '@jest/globals';
import { azure, client, clock, provider } from '../world.ts';

/** Machines, vaults and secrets for the tests of Microsoft.Compute, in the world of one file. */
export const version = '2024-07-01';
const vaultVersion = '2023-07-01';

export type Body = Record<string, unknown>;
type Properties = Record<string, Body | string>;

/** A vault with RBAC in which the default app may do all. */
export async function vault(name: string, properties: object = {}, location = 'westus2') {
  const id = provider(`Microsoft.KeyVault/vaults/${name}`);
  const answer = await client.arm('PUT', id, vaultVersion, {
    location,
    properties: {
      tenantId: azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
      enabledForDeployment: true,
      ...properties,
    },
  });
  expect(answer.status).toBe(200);
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', id);
  return { id, url: String(answer.body.properties.vaultUri) };
}

/** A request to a vault's data plane. */
export async function data(method: string, url: string, body?: unknown) {
  const token = await client.token('https://vault.azure.net/.default');
  const separator = url.includes('?') ? '&' : '?';
  return client.send(method, `${url}${separator}api-version=7.4`, { token, ...(body === undefined ? {} : { body }) });
}

/** Sets a secret and returns the URL of its version. */
export async function secret(vaultUrl: string, name: string, value: string): Promise<string> {
  const answer = await data('PUT', `${vaultUrl}secrets/${name}`, { value });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

/** `osProfile.secrets` with one certificate. */
export const group = (vaultId: string, certificateUrl: string) => ({
  sourceVault: { id: vaultId },
  vaultCertificates: [{ certificateUrl }],
});

/** The body of a virtual machine whose OS profile has these members. */
export const machine = (osProfile: Body = {}, properties: Body = {}) => ({
  location: 'westus2',
  properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' }, osProfile, ...properties },
});

/** The Application Health extension, a health source. */
export const health = {
  name: 'health',
  properties: {
    publisher: 'Microsoft.ManagedServices',
    type: 'ApplicationHealthLinux',
    typeHandlerVersion: '1.0',
    settings: { protocol: 'tcp', port: 80 },
  },
};

/** The body of a scale set. */
export function scaleSet(
  capacity: number,
  options: { osProfile?: Body; mode?: string; policy?: Body; more?: Properties } = {},
) {
  const { osProfile = {}, mode = 'Manual', policy, more = {} } = options;
  return {
    location: 'westus2',
    sku: { name: 'Standard_D2s_v3', capacity },
    properties: {
      orchestrationMode: 'Uniform',
      upgradePolicy: { mode, ...(policy ? { rollingUpgradePolicy: policy } : {}) },
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: 'web', ...osProfile },
        extensionProfile: { extensions: [health] },
      },
      ...more,
    },
  };
}

export const setId = (name = 'web') => provider(`Microsoft.Compute/virtualMachineScaleSets/${name}`);
export const machineId = (name = 'vm') => provider(`Microsoft.Compute/virtualMachines/${name}`);

/** Sends a write and waits for its operation; the error it ended with, if any. */
export async function write(
  method: string,
  id: string,
  body?: unknown,
): Promise<{ code: string; message: string } | undefined> {
  const { status, body: answer, headers } = await client.arm(method, id, version, body);
  if (status >= 400) throw new Error(`${method} ${id}: ${status} ${JSON.stringify(answer)}`);
  await clock.advance(1000);
  const polled = await client.get(headers['azure-asyncoperation'] as string);
  return polled.body.error;
}

export const get = async (id: string) => (await client.arm('GET', id, version)).body;

/** [instance id, latestModelApplied] of each instance. */
export async function instances(id = setId()): Promise<[string, boolean][]> {
  const { value } = await get(`${id}/virtualMachines`);
  return value.map((each: { instanceId: string; properties: { latestModelApplied: boolean } }) => [
    each.instanceId,
    each.properties.latestModelApplied,
  ]);
}
