/** What sourcing the sandbox's `azure.env` in a shell is enough for: the programs and Azure's clients by a managed identity. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { selectKinds } from '../../runtime/api/kind-pattern.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { secretsType } from '../../runtime/kube/client/core-types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'runtime', 'cli', 'azimuth.ts');
const directory = mkdtempSync(join(tmpdir(), 'azimuth-environment-'));
const children: ChildProcess[] = [];
let client: KubeClient;
let identity: { clientId: string; objectId: string };

beforeAll(async () => {
  const flags = ['sandbox', '--dir', directory, '--operation-ms', '100'];
  children.push(spawn(process.execPath, [bin, ...flags], { stdio: 'ignore' }));
  await eventually('the sandbox is up', () => existsSync(join(directory, 'ports.json')));
  identity = await admin('POST', '/identities', {});
  client = createKubeClient(loadKubeConnection({ kubeconfig: join(directory, 'kubeconfig') }));
  for (const kind of selectKinds('resources.azure.com/ResourceGroup', operatorKinds)) {
    const crd = crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject;
    await client.create(customResourceDefinitions, crd);
  }
});

afterAll(async () => {
  await client?.close();
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

async function admin<T>(method: string, path: string, body?: object): Promise<T> {
  const { url, token } = JSON.parse(readFileSync(join(directory, 'admin.json'), 'utf8'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(answer.status).toBeLessThan(300);
  return answer.json() as Promise<T>;
}

/** A line of `sh` after `azure.env`: nothing else of this process's environment but PATH. */
const inShell = (line: string) => ['-c', `. ${directory}/azure.env; ${line}`];
const env = { PATH: process.env['PATH'] ?? '' };

/** Runs the line to its end; its standard output. */
const output = (line: string) =>
  new Promise<string>((resolve, reject) => {
    execFile('sh', inShell(line), { cwd: root, env }, (error, out, err) =>
      error ? reject(new Error(`${line} failed: ${err}`)) : resolve(out),
    );
  });

const flags = "--health-port=0 --kinds='resources.azure.com/ResourceGroup'";
const apiVersion = 'resources.azure.com/v1api20200601';
const groups: ResourceType = {
  group: 'resources.azure.com',
  version: 'v1api20200601',
  plural: 'resourcegroups',
  kind: 'ResourceGroup',
  namespaced: true,
};

test('@azure/identity gets a token of a managed identity', async () => {
  const program = `
    import { ManagedIdentityCredential } from '@azure/identity';
    const credential = new ManagedIdentityCredential({ clientId: '${identity.clientId}' });
    const { token } = await credential.getToken('https://vault.azure.net/.default');
    console.log(Buffer.from(token.split('.')[1], 'base64url').toString());`;
  const claims = JSON.parse(await output(`exec node --input-type=module -e "${program}"`));
  expect(claims).toMatchObject({ aud: 'https://vault.azure.net', oid: identity.objectId });
});

test('the operator and the import use a managed identity as soon as AZURE_USE_MI says so', async () => {
  const settings = `export AZURE_USE_MI=true AZURE_CLIENT_ID=${identity.clientId}; unset AZURE_CLIENT_SECRET`;
  const operator = spawn('sh', inShell(`${settings}; exec node ${bin} operator ${flags}`), { env, stdio: 'ignore' });
  children.push(operator);
  const key = { namespace: 'default', name: 'lab' };
  await client.create<KubeObject>(groups, {
    apiVersion,
    kind: 'ResourceGroup',
    metadata: key,
    spec: { location: 'westeurope' },
  });
  let id: string | undefined;
  await eventually('the group is there', async () => {
    const { status } = (await client.get(groups, key)) as {
      status?: { id?: string; conditions?: { status: string }[] };
    };
    id = status?.id;
    return status?.conditions?.[0]?.status === 'True';
  });
  operator.kill('SIGTERM');
  const writes = await admin<{ clientId: string }[]>('GET', '/journal?service=arm&method=PUT');
  expect(writes.map(({ clientId }) => clientId)).toEqual([identity.clientId]);
  const imported = await output(`${settings}; exec node ${bin} import ${id}`);
  expect(imported).toContain('kind: ResourceGroup');
});

test('under the profile the operator needs scopes for its own credential, and takes a cloud from a Secret only where that may be', async () => {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, ...cloud } = await admin<
    Record<string, string>
  >('GET', '/env');
  const names = ['AZURE_AUTHORITY_HOST', 'AZURE_RESOURCE_MANAGER_ENDPOINT', 'AZURE_RESOURCE_MANAGER_AUDIENCE'];
  const own = Object.fromEntries(names.map((name) => [name, cloud[name]]));
  const stringData = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, ...own };
  const metadata = { namespace: 'default', name: 'aso-credential' };
  const key = { namespace: 'default', name: 'elsewhere' };
  /** The Ready condition under these settings, once it matches. */
  const readyWith = async (settings: string, expected: RegExp) => {
    await client.apply(
      groups,
      { apiVersion, kind: 'ResourceGroup', metadata: key, spec: { location: 'westeurope' } },
      { fieldManager: 'test', force: true },
    );
    const line = `${settings}; exec node ${bin} operator ${flags}`;
    const operator = spawn('sh', inShell(line), { env, stdio: 'ignore' });
    children.push(operator);
    await eventually(String(expected), async () => {
      const { status } = (await client.get(groups, key)) as { status?: object };
      return expected.test(JSON.stringify(status ?? {}));
    });
    operator.kill('SIGTERM');
    await new Promise((resolve) => operator.once('exit', resolve));
  };
  // Without a credential of the namespace, and without scopes.
  await readyWith('export AZIMUTH_MULTI_TENANT=true', /"reason":"ScopeNotAllowed"/);
  await client.create<KubeObject>(secretsType, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
  await readyWith(':', /needs ALLOW_MULTI_ENV_MANAGEMENT=true on the operator/);
  const allowed = 'export ALLOW_MULTI_ENV_MANAGEMENT=true';
  await readyWith(`${allowed} AZIMUTH_MULTI_TENANT=true`, /none of Azure's own clouds/);
  await readyWith(allowed, /"reason":"Succeeded"/);
});
