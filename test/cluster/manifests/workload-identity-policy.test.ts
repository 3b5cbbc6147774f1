/** The policy that gives pods their token, by the API server that evaluates it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { UserAssignedIdentity, WorkloadIdentity, WorkloadIdentityPolicy } from '../../../constructs/index.ts';
import { eventually } from '../../fakes/eventually.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';

const namespace = 'azimuth-injection';
const policy = 'azimuth-workload-identity-test';
const group = 'admissionregistration.k8s.io';
const { stdout } = await tryKubectl(['api-versions']);

/** The form of the manifests for an API server of a version, and the version of the group that it has. */
const forms = [
  { apiVersion: 'v1', kubernetesVersion: '1.36' },
  { apiVersion: 'v1beta1', kubernetesVersion: '1.34' },
] as const;

/** API servers before 1.34 do not have the kinds, and the beta version has to be switched on: see tools/clusters/envtest.ts. */
async function isServed(apiVersion: string): Promise<boolean> {
  if (!stdout.split('\n').includes(`${group}/${apiVersion}`)) return false;
  const { resources } = JSON.parse(await kubectl(['get', '--raw', `/apis/${group}/${apiVersion}`]));
  return resources.some(({ name }: { name: string }) => name === 'mutatingadmissionpolicies');
}

const listOf = (items: readonly unknown[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
function policyObjects(kubernetesVersion: string): { apiVersion: string }[] {
  const chart = Testing.chart();
  new WorkloadIdentityPolicy(chart, 'Policy', { name: policy, kubernetesVersion });
  return Testing.synth(chart);
}

/** The pod as the API server would store it. */
async function admitted(name: string, pod: object, metadata: object = {}) {
  const labels = { 'azure.workload.identity/use': 'true' };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels, ...metadata }, spec: pod };
  return JSON.parse(await kubectl(['create', '--dry-run=server', '-o', 'json', '-f', '-'], JSON.stringify(object)));
}

const container = { name: 'app', image: 'app' };
const changed = async () => {
  const { spec } = await admitted('probe', { serviceAccountName: 'job', containers: [container] });
  return spec.containers[0].env !== undefined;
};

const mount = { name: 'azure-identity-token', mountPath: '/var/run/secrets/azure/tokens', readOnly: true };
const common = [
  { name: 'AZURE_FEDERATED_TOKEN_FILE', value: '/var/run/secrets/azure/tokens/azure-identity-token' },
  { name: 'AZURE_AUTHORITY_HOST', value: 'https://login.microsoftonline.com/' },
];
const literals = [
  { name: 'AZURE_CLIENT_ID', value: 'client-1' },
  { name: 'AZURE_TENANT_ID', value: 'tenant-1' },
  ...common,
];

for (const { apiVersion, kubernetesVersion } of forms) {
  const served = await isServed(apiVersion);
  const withPolicy = served ? test : test.skip;
  if (!served)
    process.stderr.write(`No MutatingAdmissionPolicy of ${group}/${apiVersion} here: its tests are skipped\n`);

  describe(`as ${apiVersion}`, () => {
    beforeAll(async () => {
      if (!served) return;
      const chart = new Chart(Testing.app(), 'shop', { namespace });
      const identity = new UserAssignedIdentity(chart, 'web', {
        spec: { location: 'westus2', owner: { armId: '/subscriptions/s/resourceGroups/g' } },
      });
      new WorkloadIdentity(chart, 'api', { identity, issuer: 'https://issuer.example/', byPolicy: true });
      const ids = { clientId: 'client-1', tenantId: 'tenant-1' };
      new WorkloadIdentity(chart, 'job', { identity: ids, byPolicy: true });
      const parameters = Testing.synth(chart).filter(({ kind }) => kind === 'ConfigMap');
      const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      await kubectl(['apply', '-f', '-'], listOf([made]));
      await kubectl(['apply', '-f', '-'], listOf(parameters));
      expect(await changed()).toBe(false);
      const objects = policyObjects(kubernetesVersion);
      expect(new Set(objects.map((object) => object.apiVersion))).toEqual(new Set([`${group}/${apiVersion}`]));
      await kubectl(['apply', '-f', '-'], listOf(objects));
      await eventually('the API server applies the policy', changed);
    });

    afterAll(async () => {
      if (!served) return;
      const kinds = ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'];
      for (const kind of kinds)
        await kubectl(['delete', `${kind}.${apiVersion}.${group}`, policy, '--ignore-not-found']);
      await eventually('the API server applies the policy no more', async () => !(await changed()));
      await kubectl(['delete', 'configmap', '--all', '-n', namespace]);
    });

    withPolicy('a pod with the label gets volume, mounts and variables', async () => {
      const { spec } = await admitted('pod', {
        serviceAccountName: 'job',
        containers: [{ name: 'app', image: 'app' }],
        initContainers: [{ name: 'init', image: 'init' }],
      });
      expect(
        spec.volumes.find(({ name }: { name: string }) => name === 'azure-identity-token').projected.sources,
      ).toEqual([
        {
          serviceAccountToken: {
            path: 'azure-identity-token',
            audience: 'api://AzureADTokenExchange',
            expirationSeconds: 3600,
          },
        },
      ]);
      for (const container of [spec.containers[0], spec.initContainers[0]]) {
        expect(container.env).toEqual(literals);
        expect(container.volumeMounts).toContainEqual(mount);
      }
    });

    withPolicy('ids that the operator exports come from its ConfigMap', async () => {
      const { spec } = await admitted('pod', {
        serviceAccountName: 'api',
        containers: [{ name: 'app', image: 'app' }],
      });
      const from = (key: string) => ({ configMapKeyRef: { name: 'web-userassignedidentity', key } });
      expect(spec.containers[0].env).toEqual([
        { name: 'AZURE_CLIENT_ID', valueFrom: from('clientId') },
        { name: 'AZURE_TENANT_ID', valueFrom: from('tenantId') },
        ...common,
      ]);
    });

    withPolicy('what a pod declares itself stays, and containers that it excepts get nothing', async () => {
      const own = { name: 'AZURE_CLIENT_ID', value: 'own' };
      const containers = [
        { name: 'app', image: 'app', env: [own], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        { name: 'proxy', image: 'proxy' },
      ];
      const annotations = { 'azure.workload.identity/skip-containers': 'other; proxy' };
      const volumes = [{ name: 'data', emptyDir: {} }];
      const { spec } = await admitted('pod', { serviceAccountName: 'job', containers, volumes }, { annotations });
      expect(spec.containers[0].env).toEqual([own, ...literals.slice(1)]);
      expect(spec.containers[0].volumeMounts).toEqual(
        expect.arrayContaining([mount, { name: 'data', mountPath: '/data' }]),
      );
      expect(spec.containers[1].env).toBeUndefined();
    });

    withPolicy(
      'other pods are as they were: without the label, of another account, in a namespace without parameters',
      async () => {
        const containers = [{ name: 'app', image: 'app' }];
        const all = [
          await admitted('pod', { serviceAccountName: 'job', containers }, { labels: {} }),
          await admitted('pod', { serviceAccountName: 'other', containers }),
          await admitted('pod', { serviceAccountName: 'job', containers }, { namespace: 'default' }),
        ];
        expect(all.map(({ spec }) => spec.containers[0].env)).toEqual([undefined, undefined, undefined]);
      },
    );
  });
}
