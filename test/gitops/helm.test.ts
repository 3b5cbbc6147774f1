import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { get, onApiServer, withRunningPrograms } from './cluster.ts';
import { removeFolders, run, succeed, synth, temporaryFolder } from './support.ts';

const small = { AZIMUTH_KINDS: 'resources.azure.com/*;managedidentity.azure.com/UserAssignedIdentity' };
const release = ['-n', 'azimuth-system'];
let chart = '';

beforeAll(async () => {
  chart = join(await synth(small, '--format', 'helm'), 'helm/azimuth');
});
afterAll(removeFolders);

const values = (object: object): string => {
  const file = join(temporaryFolder(), 'values.json');
  writeFileSync(file, JSON.stringify(object));
  return file;
};

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
}

/** Objects by kind and name, without the namespace that Helm itself makes. */
function objectsOf(text: string): Map<string, object> {
  const objects = parseAllDocuments(text).map((each) => each.toJS() as Manifest | null);
  return new Map(
    objects.flatMap((object) => {
      if (!object || (object.kind === 'Namespace' && object.metadata.name === 'azimuth-system')) return [];
      return [[`${object.kind}/${object.metadata.name}/${object.metadata.namespace ?? ''}`, object]];
    }),
  );
}

const image = { repository: 'registry.example/azimuth', tag: '9' };
const AZIMUTH_IMAGE = 'registry.example/azimuth:9';
const cases: readonly { readonly name: string; readonly env: Record<string, string>; readonly values: object }[] = [
  { name: 'the operator alone', env: {}, values: {} },
  {
    name: 'pod identities and FlexVolumes without the operator',
    env: { AZIMUTH_PROGRAMS: 'pod-identity;key-vault-volumes' },
    values: { operator: { enabled: false }, podIdentity: { enabled: true }, keyVaultVolumes: { flex: true } },
  },
  {
    name: 'everything for several tenants',
    env: {
      AZIMUTH_PROGRAMS: 'operator;pod-identity;key-vault-volumes;key-vault-csi;machine-secrets;deployments;ui',
      AZIMUTH_SECRETS_AUDIENCE: 'api://azimuth',
      AZIMUTH_MULTI_TENANT: 'true',
      AZIMUTH_DASHBOARD: 'true',
      AZIMUTH_MONITORING: 'true',
      AZIMUTH_METRICS_FROM: 'monitoring;observability',
      AZIMUTH_METRICS_READERS: 'observability/prometheus;monitoring/agent',
    },
    values: {
      multiTenant: true,
      podIdentity: { enabled: true },
      keyVaultVolumes: { flex: true, csi: true },
      machineSecrets: { enabled: true, audiences: ['api://azimuth'] },
      deployments: { enabled: true },
      ui: { enabled: true },
      dashboard: true,
      monitoring: { enabled: true },
      metricsFrom: ['monitoring', 'observability'],
      metricsReaders: ['observability/prometheus', 'monitoring/agent'],
    },
  },
  {
    name: 'metrics for everybody',
    env: {
      AZIMUTH_PROGRAMS: 'pod-identity;key-vault-csi',
      AZIMUTH_MONITORING: 'true',
      AZIMUTH_METRICS_AUTHENTICATION: 'false',
    },
    values: {
      operator: { enabled: false },
      podIdentity: { enabled: true },
      keyVaultVolumes: { csi: true },
      monitoring: { enabled: true },
      metricsAuthentication: false,
    },
  },
];

test.each(cases)('the chart gives the objects of the synthesis for $name', async ({ env, values: given }) => {
  const folder = await synth({ ...small, ...env, AZIMUTH_IMAGE });
  const files = globSync(`${folder}/*.k8s.yaml`).map((file) => readFileSync(file, 'utf8'));
  const args = ['template', 'azimuth', chart, ...release, '-f', values({ image, ...given })];
  const rendered = objectsOf(await succeed('helm', args));
  const wanted = objectsOf(files.join('\n---\n'));
  expect([...rendered.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [id, object] of wanted) expect({ id, object: rendered.get(id) }).toEqual({ id, object });
});

test('values reach images, replicas, Secrets and the environment of the programs', async () => {
  const given = {
    image: { repository: 'registry.example/azimuth', digest: `sha256:${'a'.repeat(64)}` },
    nodeImage: { repository: 'registry.example/azimuth-node', tag: '2' },
    tenantId: 'the-tenant',
    subscriptionId: 'the-subscription',
    operator: { replicas: 3, clientId: 'the-client', env: { AZURE_SYNC_PERIOD: '30m' } },
    podIdentity: { enabled: true },
  };
  const text = await succeed('helm', ['template', 'azimuth', chart, '-n', 'other', '-f', values(given)]);
  const objects = objectsOf(text);
  expect(objects.get('Secret/azimuth-operator-settings/other')).toMatchObject({
    stringData: {
      AZURE_TENANT_ID: 'the-tenant',
      AZURE_SUBSCRIPTION_ID: 'the-subscription',
      AZURE_CLIENT_ID: 'the-client',
    },
  });
  const operator = objects.get('Deployment/azimuth-operator/other') as { spec: { replicas: number; template: object } };
  expect(operator.spec.replicas).toBe(3);
  expect(operator.spec.template).toMatchObject({
    spec: {
      containers: [
        {
          image: `registry.example/azimuth@sha256:${'a'.repeat(64)}`,
          env: expect.arrayContaining([{ name: 'AZURE_SYNC_PERIOD', value: '30m' }]),
        },
      ],
    },
  });
  expect(JSON.stringify(objects.get('DaemonSet/azimuth-nmi/other-nodes'))).toContain('registry.example/azimuth-node:2');
  expect(text).not.toContain('azimuth-value');
});

test('values reach labels, scheduling, memory and heap of pods, and leave other pods as they are', async () => {
  const given = {
    imagePullSecrets: ['registry'],
    podIdentity: { enabled: true, node: { pod: { nodeSelector: { pool: 'a' } } } },
    operator: {
      pod: {
        labels: { team: 'platform' },
        annotations: { note: 'one' },
        tolerations: [{ key: 'pool', operator: 'Exists' }],
        affinity: { nodeAffinity: {} },
        priorityClassName: 'mine',
        resources: { limits: { memory: '1Gi', cpu: '2' } },
      },
    },
  };
  const objects = objectsOf(await succeed('helm', ['template', 'azimuth', chart, ...release, '-f', values(given)]));
  const podOf = (id: string) => (objects.get(id) as { spec: { template: object } }).spec.template;
  const imagePullSecrets = [{ name: 'registry' }];
  expect(podOf('Deployment/azimuth-operator/azimuth-system')).toMatchObject({
    metadata: { labels: { team: 'platform', 'app.kubernetes.io/name': 'azimuth' }, annotations: { note: 'one' } },
    spec: {
      imagePullSecrets,
      tolerations: [{ key: 'pool', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'mine',
      containers: [
        {
          // The heap has what a larger container has more.
          env: expect.arrayContaining([
            { name: 'NODE_OPTIONS', value: expect.stringMatching(/--max-old-space-size=[789]\d\d$/) },
          ]),
          resources: { limits: { memory: '1Gi', cpu: '2' }, requests: { cpu: '50m', memory: '1Gi' } },
        },
      ],
    },
  });
  expect(podOf('DaemonSet/azimuth-nmi/azimuth-system-nodes')).toMatchObject({
    spec: {
      imagePullSecrets,
      nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'a' },
      tolerations: [{ operator: 'Exists' }],
    },
  });
  const wrong = ['template', 'azimuth', chart, '--set', 'operator.pod.resources.limits.memory=1G'];
  expect((await run('helm', wrong)).stderr).toContain('/operator/pod/resources/limits/memory');
});

test('without access to Secrets the roles of pod identities do not name them', async () => {
  const rules = async (allowed: boolean) => {
    const set = `podIdentity.enabled=true,podIdentity.allowAccessToSecrets=${allowed}`;
    const objects = objectsOf(await succeed('helm', ['template', 'azimuth', chart, ...release, '--set', set]));
    return ['identity', 'nmi'].map((program) => JSON.stringify(objects.get(`ClusterRole/azimuth-${program}/`)));
  };
  for (const text of await rules(true)) expect(text).toContain('"secrets"');
  for (const text of await rules(false)) expect(text).not.toContain('"secrets"');
});

test('helm lint finds nothing, and a value that does not exist is named', async () => {
  expect(await succeed('helm', ['lint', '--strict', chart])).toContain('0 chart(s) failed');
  const typo = await run('helm', ['template', 'azimuth', chart, '--set', 'operator.replica=3']);
  expect(typo.status).not.toBe(0);
  expect(typo.stderr).toContain("additional properties 'replica' not allowed");
  const incomplete = await run('helm', ['template', 'azimuth', chart, '--set', 'operator.clientId=one']);
  expect(incomplete.stderr).toContain('tenantId is needed with operator.clientId');
});

test('a second synthesis of the chart writes the same bytes', async () => {
  const again = join(await synth(small, '--format=helm'), 'helm/azimuth');
  const read = (folder: string) =>
    globSync('**/*.*', { cwd: folder })
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  expect(read(again)).toEqual(read(chart));
});

test('an installation, an upgrade with more versions, and an uninstall that keeps definitions and objects', () =>
  onApiServer(async () => {
    const older = join(await synth({ ...small, AZIMUTH_VERSIONS: 'newest' }, '--format', 'helm'), 'helm/azimuth');
    const given = ['-f', values({ podIdentity: { enabled: true } })];
    const definition = 'userassignedidentities.managedidentity.azure.com';
    const versions = async () => ((await get('crd', definition)).spec.versions as object[]).length;

    const install = ['install', 'azimuth', older, ...release, '--create-namespace', '--wait', ...given];
    await withRunningPrograms(() => succeed('helm', install));
    expect(await get('deployment', 'azimuth-operator', 'azimuth-system')).toBeDefined();
    const before = await versions();
    const group = {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'photos', namespace: 'default' },
      spec: { location: 'westeurope' },
    };

    await succeed('helm', ['upgrade', 'azimuth', chart, ...release, ...given]);
    expect(await versions()).toBeGreaterThan(before);
    await succeed('kubectl', ['apply', '-f', '-'], { input: JSON.stringify(group) });

    await succeed('helm', ['uninstall', 'azimuth', ...release]);
    expect(await get('deployment', 'azimuth-operator', 'azimuth-system')).toBeUndefined();
    expect(await get('resourcegroup', 'photos')).toBeDefined();
  }));

/** Some 60 kinds with all their versions; those of all 290 do not fit. */
const many = { AZIMUTH_KINDS: 'resources.azure.com/*;storage.azure.com/*;compute.azure.com/*;documentdb.azure.com/*' };

test('a release with the kinds of several groups fits into the Secret in which Helm stores it', () =>
  onApiServer(async () => {
    const whole = join(await synth(many, '--format', 'helm'), 'helm/azimuth');
    // The API server does not have the kinds of the Prometheus operator.
    const given = ['-f', values({ ...cases[2]?.values, monitoring: { enabled: false } })];
    const args = ['install', 'azimuth', whole, ...release, '--create-namespace', '--wait', ...given];
    await withRunningPrograms(() => succeed('helm', args));
    const stored = await get('secret', 'sh.helm.release.v1.azimuth.v1', 'azimuth-system');
    const bytes = Buffer.from(stored.data.release, 'base64').length;
    // The API server takes 1 MiB for all values of a Secret.
    expect(bytes).toBeLessThan(900_000);
  }));
