/** The example of the guide, synthesized by the installed package and applied to the sandbox, with the operator of the package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Applier, definitionsEstablished, readManifests } from '../../runtime/cli/demo/apply.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { eventually } from '../fakes/eventually.ts';
import { compile, compilerOf, projectWithAzimuth, run } from './installed-package.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-package-sandbox-'));
const project = join(directory, 'app');
const sandbox = join(directory, 'sandbox');
const bin = join('node_modules', '.bin', 'azimuth');
const children: ChildProcess[] = [];

beforeAll(async () => {
  await projectWithAzimuth(project, 'module');
  compile(project, 'docs/guides/using-the-package/shop.ts', compilerOf('@typescript/native'), { module: 'nodenext' });
  const flags = ['sandbox', '--dir', sandbox, '--operation-ms', '100'];
  children.push(spawn(process.execPath, [bin, ...flags], { cwd: project, stdio: 'ignore' }));
  await eventually('the sandbox is up', () => existsSync(join(sandbox, 'ports.json')), 120_000);
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

test('account, vault, identity and both roles of the example become Ready in Azure', async () => {
  run(process.execPath, ['built/shop.js'], project);
  const tenantId = /AZURE_TENANT_ID='(.*)'/.exec(readFileSync(join(sandbox, 'azure.env'), 'utf8'))?.[1] ?? '';
  const shop = join(project, 'dist', '0002-shop.k8s.yaml');
  // What a reader puts in the place of the example's tenant.
  writeFileSync(shop, readFileSync(shop, 'utf8').replaceAll('00000000-0000-0000-0000-000000000000', tenantId));
  const client = createKubeClient(loadKubeConnection({ kubeconfig: join(sandbox, 'kubeconfig') }));
  const applier = new Applier(client);
  const objects = await readManifests(globSync(join(project, 'dist', '*.yaml')).sort());
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  for (const definition of definitions) await applier.apply(definition);
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );
  for (const object of objects) if (!definitions.includes(object)) await applier.apply(object);
  const operator = `. ${sandbox}/azure.env; exec "$0" ${bin} operator --health-port=0 --namespace=default`;
  children.push(spawn('sh', ['-c', operator, process.execPath], { cwd: project, stdio: 'ignore' }));
  const resources = objects.filter(({ apiVersion }) => apiVersion.includes('.azure.com/'));
  expect(resources.map(({ kind }) => kind).sort()).toEqual([
    'ResourceGroup',
    'RoleAssignment',
    'RoleAssignment',
    'StorageAccount',
    'UserAssignedIdentity',
    'Vault',
  ]);
  for (const object of resources) {
    const { namespace = 'default', name } = object.metadata;
    const type = await applier.typeOf(object);
    await eventually(
      `${object.kind} ${name} is Ready`,
      async () => {
        const { status } = await client.get(type, { namespace, name });
        const conditions = (status as { conditions?: { type: string; status: string }[] } | undefined)?.conditions;
        return conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
      },
      120_000,
    );
  }
  await client.close();
}, 600_000);
