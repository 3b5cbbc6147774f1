/** What `azimuth import` prints, given to the kubectl and the API server of people: taken whole, with the values that Azure has. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf } from '../../../runtime/api/kinds.ts';
import { importResources } from '../../../runtime/import/importer.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { readerOf } from '../../import/support.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { kubectl } from '../kubectl.ts';

const namespace = 'azimuth-import-test';
const definitions = [
  kindOf('resources.azure.com', 'ResourceGroup'),
  kindOf('managedidentity.azure.com', 'UserAssignedIdentity'),
  kindOf('azimuth.dev', 'ArmResource'),
].map((kind) => ({ kind, crd: `${kind.plural}.${kind.group}` }));
/** As tags and as members of a body: all of them values that YAML 1.1 has other ideas about. */
const nasty: Readonly<Record<string, string>> = {
  separator: 'a\u2028metadata:\u2028  name: evil',
  next: '\u0085---\u0085kind: Evil',
  document: 'x\n---\nkind: Evil\n',
  lines: 'one\n  two\n\nthree\n',
  mark: '\ufeffx\u202ey',
  control: '\u0007\u001b[2J\u007f',
  octal: '0o17',
  number: '1_000',
  float: '1e3',
  date: '2001-01-01',
  word: 'on',
  merge: '<<',
  nothing: '~',
  blank: ' # x ',
  quotes: `it's "quoted" \\`,
  'a b:c': 'key',
  crab: '🦀',
};

let azure: EmbeddedAzure;
let portal: TestClient;
let group: string;
let yaml: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ arm: { operationMs: 0, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  portal = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/Shop.(1)_ä`;
  const put = async (id: string, version: string, body: object) => {
    const { status, text } = await portal.arm('PUT', encodeURI(id), version, body);
    if (status >= 300) throw new Error(`PUT ${id}: ${status} ${text}`);
  };
  await put(group, '2021-04-01', { location: 'westeurope', tags: nasty });
  await put(`${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/My_ID`, '2023-01-31', {
    location: 'westeurope',
    tags: nasty,
  });
  await put(`${group}/providers/Contoso.Web/sites/front`, '2020-06-01', {
    location: 'westeurope',
    properties: { ...nasty, '<<': 'm', list: Object.values(nasty), deep: { [nasty['separator'] as string]: 1 } },
  });
  const config = { recursive: true, output: 'yaml', namespace, labels: {}, annotations: {}, workers: 2 } as const;
  const imported = await importResources(readerOf(azure), { ...config, ids: [group], credential: 'environment' });
  expect(imported.problems).toEqual([]);
  expect(imported.count).toBe(3);
  yaml = imported.text;
  await kubectl(['create', 'namespace', namespace]).catch(() => undefined);
  const crds = {
    apiVersion: 'v1',
    kind: 'List',
    items: definitions.map(({ kind }) => crdManifest(kind, { cel: false })),
  };
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(crds));
  await kubectl(['wait', '--for=condition=Established', '--timeout=300s', 'crd', ...definitions.map(({ crd }) => crd)]);
});
afterAll(async () => {
  for (const { crd } of definitions) await kubectl(['delete', crd, '--all', '-n', namespace]).catch(() => undefined);
  await kubectl(['delete', 'crd', ...definitions.map(({ crd }) => crd)]).catch(() => undefined);
  await portal?.close();
  await azure?.close();
});

test('kubectl reads the objects that were printed, all of them and no other, with every value as Azure has it', async () => {
  await kubectl(['apply', '-f', '-'], yaml);
  const { items } = JSON.parse(
    await kubectl(['get', definitions.map(({ crd }) => crd).join(), '-n', namespace, '-o', 'json']),
  ) as { items: { kind: string; spec: Record<string, unknown> }[] };
  const spec = (kind: string) => items.find((each) => each.kind === kind)?.spec;
  expect(items).toHaveLength(3);
  expect(spec('ResourceGroup')).toEqual({ azureName: 'Shop.(1)_ä', location: 'westeurope', tags: nasty });
  expect(spec('UserAssignedIdentity')).toMatchObject({ azureName: 'My_ID', tags: nasty });
  expect(spec('ArmResource')?.['body']).toMatchObject({
    properties: { ...nasty, '<<': 'm', list: Object.values(nasty), deep: { [nasty['separator'] as string]: 1 } },
  });
});

test('applied again they change nothing', async () => {
  const lines = (await kubectl(['apply', '-f', '-'], yaml)).trim().split('\n');
  expect(lines.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
});
