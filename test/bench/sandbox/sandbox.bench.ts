import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClient } from '../../sandbox/azure/client.ts';
import { type SandboxProcess, startSandboxProcess } from '../../sandbox/sandbox-process.ts';
import type { Bench } from '../bench.ts';
import { usageOf } from '../process-usage.ts';

const groups = 50;
const ofGroup = 199;
const mostSeconds = 1.5;
const mostMegabytes = 400;

const types: readonly { readonly type: string; readonly apiVersion: string; readonly body: object }[] = [
  { type: 'Microsoft.ManagedIdentity/userAssignedIdentities', apiVersion: '2023-01-31', body: {} },
  {
    type: 'Microsoft.Storage/storageAccounts',
    apiVersion: '2023-01-01',
    body: { sku: { name: 'Standard_LRS' }, kind: 'StorageV2', properties: {} },
  },
  {
    type: 'Microsoft.Network/virtualNetworks',
    apiVersion: '2023-11-01',
    body: { properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } },
  },
  { type: 'Microsoft.Network/networkSecurityGroups', apiVersion: '2023-11-01', body: { properties: {} } },
  { type: 'Microsoft.Network/publicIPAddresses', apiVersion: '2023-11-01', body: { sku: { name: 'Standard' } } },
];

const usage = ({ process: { pid } }: SandboxProcess) => {
  if (pid === undefined) throw new Error('the sandbox has not started');
  const { cpuMicros, rss } = usageOf(pid);
  return { seconds: cpuMicros / 1e6, megabytes: rss / 1e6 };
};

/** Makes the groups with their resources, one after the other in each of four rows. */
async function fill({ azure }: SandboxProcess): Promise<void> {
  const client = new TestClient(azure);
  const token = await client.token();
  const put = async (path: string, apiVersion: string, body: object) => {
    const url = `${azure.endpoints.arm}/subscriptions/${azure.subscriptionId}${path}?api-version=${apiVersion}`;
    const { status, text } = await client.send('PUT', url, { token, body: { location: 'westeurope', ...body } });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  const row = async (first: number) => {
    for (let group = first; group < groups; group += 4) {
      await put(`/resourceGroups/group${group}`, '2021-04-01', {});
      for (let index = 0; index < ofGroup; index++) {
        const { type, apiVersion, body } = types[index % types.length] as (typeof types)[number];
        await put(`/resourceGroups/group${group}/providers/${type}/part${group}x${index}`, apiVersion, body);
      }
    }
  };
  await Promise.all([0, 1, 2, 3].map(row));
  await client.close();
}

/** `azimuth sandbox` as a pipeline uses it: its start, and its memory with many resources. */
export const bench: Bench = {
  name: 'sandbox',
  description: `azimuth sandbox: its start, and its memory with ${groups * (ofGroup + 1)} resources`,
  async run() {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
    // The first start compiles the program, as the first of an installation does.
    const first = await startSandboxProcess(join(directory, 'first'), 1);
    const compiling = usage(first);
    await first.process.stop();
    const sandbox = await startSandboxProcess(join(directory, 'second'), 1);
    const empty = usage(sandbox);
    try {
      await fill(sandbox);
      const full = usage(sandbox);
      return [
        {
          what: 'processor time of a start, s',
          ours: empty.seconds.toFixed(2),
          theirs: `${compiling.seconds.toFixed(2)} the first time`,
          goal: `below ${mostSeconds}`,
          ok: empty.seconds < mostSeconds,
        },
        {
          what: 'RSS with the resources, MB',
          ours: full.megabytes.toFixed(0),
          theirs: `${empty.megabytes.toFixed(0)} without`,
          goal: `below ${mostMegabytes}`,
          ok: full.megabytes < mostMegabytes,
        },
      ];
    } finally {
      await sandbox.process.stop();
    }
  },
};
