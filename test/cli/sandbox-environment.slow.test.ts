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
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'runtime', 'cli', 'azimuth.ts');
const directory = mkdtempSync(join(tmpdir(), 'azimuth-environment-'));
const children: ChildProcess[] = [];
let identity: { clientId: string; objectId: string };

beforeAll(async () => {
  const flags = ['sandbox', '--dir', directory, '--operation-ms', '100'];
  children.push(spawn(process.execPath, [bin, ...flags], { stdio: 'ignore' }));
  await eventually('the sandbox is up', () => existsSync(join(directory, 'ports.json')));
  identity = await admin('POST', '/identities', {});
});

afterAll(() => {
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
  const client = createKubeClient(loadKubeConnection({ kubeconfig: join(directory, 'kubeconfig') }));
  for (const kind of selectKinds('resources.azure.com/ResourceGroup', operatorKinds)) {
    const crd = crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject;
    await client.create(customResourceDefinitions, crd);
  }
  const settings = `export AZURE_USE_MI=true AZURE_CLIENT_ID=${identity.clientId}; unset AZURE_CLIENT_SECRET`;
  const flags = "--health-port=0 --kinds='resources.azure.com/ResourceGroup'";
  const operator = spawn('sh', inShell(`${settings}; exec node ${bin} operator ${flags}`), { env, stdio: 'ignore' });
  children.push(operator);
  const groups: ResourceType = {
    group: 'resources.azure.com',
    version: 'v1api20200601',
    plural: 'resourcegroups',
    kind: 'ResourceGroup',
    namespaced: true,
  };
  const key = { namespace: 'default', name: 'lab' };
  await client.create<KubeObject>(groups, {
    apiVersion: 'resources.azure.com/v1api20200601',
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
