import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ProcessStart, ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import type { DemoAzure } from '../../runtime/cli/demo/world.ts';
import { adminRequest } from '../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import type { JournalEntry, JournalFilter } from '../../sandbox/azure/journal.ts';

/** An embedded Azure in another process. */
export interface RemoteAzure extends DemoAzure {
  /** Entries that match every member of the filter. */
  journal(filter?: JournalFilter): Promise<JournalEntry[]>;
  /** Assigns a built-in role by name. */
  assignRole(principalId: string, role: string, scope: string): Promise<void>;
}

/** `azimuth sandbox` as a process: a measurement beside it measures neither the sandbox's work nor that of the attacks. */
export interface SandboxProcess {
  readonly process: ProgramProcess;
  readonly kubeconfig: string;
  readonly azure: RemoteAzure;
}

/**
 * Starts the sandbox, with its files in a directory; an operation of Azure takes so many milliseconds.
 */
export async function startSandboxProcess(
  directory: string,
  operationMs: number,
  start: ProcessStart = {},
): Promise<SandboxProcess> {
  const args = ['sandbox', `--dir=${directory}`, `--operation-ms=${operationMs}`];
  const child = new ProgramProcess(args, {}, join(directory, '..', 'sandbox.log'), start);
  const started = new AbortController();
  try {
    // The last file that it writes.
    while (!existsSync(join(directory, 'ports.json'))) {
      await Promise.race([pause(50), child.failure(started.signal)]);
    }
  } finally {
    started.abort(new Error('the sandbox has started'));
  }
  const admin = JSON.parse(await readFile(join(directory, 'admin.json'), 'utf8')) as { url: string; token: string };
  return { process: child, kubeconfig: join(directory, 'kubeconfig'), azure: await remoteAzure(admin, directory) };
}

async function remoteAzure(admin: { url: string; token: string }, directory: string): Promise<RemoteAzure> {
  const access = { endpoints: { admin: admin.url }, adminToken: admin.token };
  const env = await adminRequest<Record<string, string>>(access, 'GET', '/env');
  const value = (name: string) => env[name] ?? '';
  const subscriptionId = value('AZURE_SUBSCRIPTION_ID');
  // The app of the environment has no object id in there.
  const roles = [{ role: 'Owner', scope: `/subscriptions/${subscriptionId}` }];
  const defaultApp = await adminRequest<RegisteredApp>(access, 'POST', '/apps', { displayName: 'portal', roles });
  // Throttling by Azure would be felt by both tenants and say nothing of the programs.
  const { throttle } = await adminRequest<{ throttle: Record<string, object> }>(access, 'GET', '/settings');
  const unlimited = Object.keys(throttle).map((kind) => [kind, { size: 1e6, refillPerSecond: 1e6 }]);
  await adminRequest(access, 'PATCH', '/settings', { throttle: Object.fromEntries(unlimited) });
  const caFile = join(directory, 'azure-ca.pem');
  return {
    ...access,
    tenantId: value('AZURE_TENANT_ID'),
    subscriptionId,
    caFile,
    caPem: await readFile(caFile, 'utf8'),
    defaultApp,
    endpoints: {
      ...access.endpoints,
      aad: value('AZURE_AUTHORITY_HOST'),
      arm: value('AZURE_RESOURCE_MANAGER_ENDPOINT'),
      graph: value('AZURE_MICROSOFT_GRAPH_ENDPOINT'),
      imds: value('AZURE_POD_IDENTITY_AUTHORITY_HOST'),
      blob: value('AZURE_STORAGE_BLOB_ENDPOINT'),
      queue: value('AZURE_STORAGE_QUEUE_ENDPOINT'),
      vaultSuffix: value('AZURE_KEYVAULT_DNS_SUFFIX'),
    },
    env({ tenantId, clientId, secret } = defaultApp) {
      const { AZURE_CLIENT_SECRET: _, ...rest } = env;
      const own = { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId };
      return { ...rest, ...own, ...(secret && { AZURE_CLIENT_SECRET: secret }) };
    },
    journal(filter = {}) {
      const text = (member: unknown) => (member instanceof RegExp ? member.source : String(member));
      const query = new URLSearchParams();
      for (const [name, member] of Object.entries(filter)) query.set(name, text(member));
      return adminRequest(access, 'GET', `/journal?${query}`);
    },
    assignRole: (principalId, role, scope) => adminRequest(access, 'POST', '/roles', { principalId, role, scope }),
  };
}
