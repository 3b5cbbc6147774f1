import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { Crds } from '../../constructs/crds.ts';
import { Platform } from '../../constructs/platform.ts';
import { armKinds, operatorKinds } from '../../runtime/api/kinds.ts';
import { operatorPermissions, type PolicyRule } from '../../runtime/api/permissions/index.ts';
import { Applier, definitionsEstablished, readManifests } from '../../runtime/cli/demo/apply.ts';
import { type Followed, followUntilReady } from '../../runtime/cli/demo/follow.ts';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';

/** The operator runs once under the roles that the manifests make, and every request it sends is counted. */
const OPERATOR = 'system:serviceaccount:azimuth-system:azimuth-operator';
const directory = mkdtempSync(join(tmpdir(), 'azimuth-permissions-'));
const used = new Set<string>();
const denied: string[] = [];
let kube: EmbeddedKube;
let azure: EmbeddedAzure;
let client: KubeClient;

const permission = (group: string, resource: string, verb: string) => `${verb} ${resource}${group && `.${group}`}`;

beforeAll(async () => {
  kube = await startEmbeddedKube({
    audit: ({ user, verb, path, group = '', plural, subresource, allowed }) => {
      if (user !== OPERATOR) return;
      if (!allowed) denied.push(`${verb} ${path}`);
      if (plural) used.add(permission(group, subresource ? `${plural}/${subresource}` : plural, verb));
    },
  });
  azure = await startEmbeddedAzure({ arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true } });
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  client = createKubeClient(loadKubeConnection({ kubeconfig: file('admin', kube.adminKubeconfig) }));
  const applier = new Applier(client);

  const app = new App();
  new Crds(new Chart(app, 'kinds'), 'Crds', { kinds: armKinds });
  new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test' });
  const manifests = app.charts.flatMap((chart) => chart.toJson() as KubeObject[]);
  for (const object of manifests) await applier.apply(object);
  const definitions = manifests.filter(({ kind }) => kind === 'CustomResourceDefinition');
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );

  const account = { namespace: 'azimuth-system', name: 'azimuth-operator' };
  const env = {
    ...azure.env(),
    KUBECONFIG: file('operator', await kube.kubeconfigFor(account)),
    POD_NAMESPACE: 'azimuth-system',
  };
  const healthPort = await freePort();
  const operator = new ProgramProcess(['operator', `--health-port=${healthPort}`], env, join(directory, 'log'));
  try {
    await operator.ready(healthPort);
    await oneLife(applier);
  } finally {
    await operator.stop();
  }
});

/** Create, export, change, name a credential, delete. */
async function oneLife(applier: Applier): Promise<void> {
  const objects = await readManifests(['runtime/cli/demo/application.yaml']);
  const extra: KubeObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace: 'demo' },
      stringData: credential(),
    },
    {
      apiVersion: 'keyvault.azure.com/v1api20230701',
      kind: 'Vault',
      metadata: { name: 'azimuth-permissions', namespace: 'demo' },
      spec: {
        owner: { name: 'photos' },
        location: 'westeurope',
        properties: { tenantId: azure.tenantId, accessPolicies: [], sku: { family: 'A', name: 'standard' } },
      },
    },
    {
      apiVersion: 'azimuth.dev/v1alpha1',
      kind: 'ArmResource',
      metadata: { name: 'zone', namespace: 'demo' },
      spec: {
        type: 'Microsoft.Network/privateDnsZones@2020-06-01',
        azureName: 'azimuth.test',
        owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'photos' },
        body: { location: 'global' },
      },
    },
  ];
  const all = [...objects.slice(0, 1), ...extra, ...objects.slice(1)];
  const resources: Followed[] = [];
  for (const object of all) {
    await applier.apply(object);
    const group = object.apiVersion.split('/')[0] as string;
    if (!operatorKinds.some((kind) => kind.group === group)) continue;
    resources.push({ type: await applier.typeOf(object), namespace: 'demo', name: object.metadata.name });
  }
  await followUntilReady(client, resources, () => undefined, AbortSignal.timeout(60_000));
  await exportMore(resources);
  for (const { type, namespace, name } of resources) await client.delete(type, { namespace, name });
  for (const { type, namespace, name } of resources) {
    while (await client.tryGet(type, { namespace, name })) await pause();
  }
}

/** Adds a key to a Secret and a ConfigMap that exist; the writes to Azure repeat events, which makes them series. */
async function exportMore(resources: readonly Followed[]): Promise<void> {
  const exported = async (plural: 'secrets' | 'configmaps', name: string, key: string) => {
    const kind = plural === 'secrets' ? 'Secret' : 'ConfigMap';
    const type = { group: '', version: 'v1', plural, kind, namespaced: true };
    while ((await client.get(type, { namespace: 'demo', name }))['data'][key] === undefined) await pause();
  };
  const change = async (kind: string, spec: object) => {
    const { type, ...key } = resources.find((resource) => resource.type.kind === kind) as Followed;
    await client.patch(type, key, { type: 'merge', body: { spec: { tags: { changed: 'yes' }, operatorSpec: spec } } });
  };
  await change('StorageAccount', { secrets: { key2: { name: 'photos-storage', key: 'second' } } });
  await change('UserAssignedIdentity', { configMaps: { tenantId: { name: 'photos-identity', key: 'tenantId' } } });
  await exported('secrets', 'photos-storage', 'second');
  await exported('configmaps', 'photos-identity', 'tenantId');
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

function credential(): Record<string, string> {
  const {
    AZURE_SUBSCRIPTION_ID = '',
    AZURE_TENANT_ID = '',
    AZURE_CLIENT_ID = '',
    AZURE_CLIENT_SECRET = '',
  } = azure.env();
  return { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET };
}

afterAll(async () => {
  await client?.close();
  await Promise.all([kube?.close(), azure?.close()]);
  rmSync(directory, { recursive: true, force: true });
});

function granted(rules: readonly PolicyRule[]): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => permission(group, resource, verb))),
    ),
  );
}

test('nothing the operator asked for was denied', () => {
  expect(denied).toEqual([]);
  expect(readFileSync(join(directory, 'log'), 'utf8')).not.toMatch(/forbidden/i);
});

test('every permission that the manifests grant was used', () => {
  const { cluster, namespace } = operatorPermissions(operatorKinds, { watchDefinitions: true });
  // Each kind is one row of data for the same code, so one that is used speaks for all.
  const spokenFor = new Set(
    armKinds.flatMap(({ group, kind, plural }) =>
      kind === 'ResourceGroup' ? [] : [plural, `${plural}/status`].map((p) => `${p}.${group}`),
    ),
  );
  const needless = granted([...cluster, ...namespace]).filter(
    (one) => !used.has(one) && !spokenFor.has(one.split(' ')[1] as string),
  );
  expect(needless).toEqual([]);
});
