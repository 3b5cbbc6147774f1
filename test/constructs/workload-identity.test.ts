import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { CronJob, Deployment } from 'cdk8s-plus-27';
import {
  AzureWorkload,
  ManagedCluster,
  ResourceGroup,
  ServiceAccountTrust,
  UserAssignedIdentity,
  Vault,
  WorkloadIdentity,
  WorkloadIdentityPolicy,
} from '../../constructs/index.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { eventually } from '../fakes/eventually.ts';
import { configMaps, core, startWorld, types, type World } from '../operator/support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.azure.trustIssuerCa(world.kube.caPem);
  await world.startOperator();
});
afterAll(() => world?.close());

const location = 'westus2';
const owner = { armId: '/subscriptions/s/resourceGroups/g' };
const issuer = 'https://issuer.example/';

function app(identityOwner: object = owner) {
  const chart = Testing.chart();
  const identity = new UserAssignedIdentity(chart, 'web', {
    metadata: { namespace: 'default' },
    spec: { location, owner: identityOwner },
  });
  const pods = new Deployment(chart, 'Pods', { metadata: { namespace: 'default' } });
  pods.addContainer({ image: 'web' });
  return { chart, identity, pods };
}

function problemsOf(chart: ReturnType<typeof Testing.chart>): string {
  try {
    return String(Testing.synth(chart).length);
  } catch (error) {
    return (error as Error).message;
  }
}

test('a pod of the synthesized manifests signs in with its own token, once the operator has made the trust', async () => {
  const { chart, identity, pods } = app({ name: 'shop' });
  new ResourceGroup(chart, 'shop', { metadata: { namespace: 'default' }, spec: { location } });
  new WorkloadIdentity(chart, 'web-account', { identity, issuer: world.kube.issuerUrl }).inject(pods);
  const byKind = Object.fromEntries(
    [...Object.values(types), core('serviceaccounts', 'ServiceAccount')].map((type) => [type.kind, type]),
  );
  const objects = Testing.synth(chart) as KubeObject[];
  for (const object of objects) {
    const type = byKind[object.kind];
    if (type) await world.client.create(type, object);
  }
  const { spec } = (objects.find(({ kind }) => kind === 'Deployment') as KubeObject)['spec'].template;
  expect(spec.serviceAccountName).toBe('web-account');
  const account = objects.find(({ kind }) => kind === 'ServiceAccount');
  expect(account?.metadata.annotations).toEqual({ 'azimuth.dev/trusted-by': 'web' });
  const { sources } = spec.volumes[0].projected;
  expect(spec.containers[0].volumeMounts).toEqual([
    { name: spec.volumes[0].name, mountPath: '/var/run/secrets/azure/tokens', readOnly: true },
  ]);
  const variables = Object.fromEntries(
    spec.containers[0].env.map((each: { name: string; value?: string; valueFrom?: object }) => [each.name, each]),
  );
  expect(variables['AZURE_FEDERATED_TOKEN_FILE'].value).toBe('/var/run/secrets/azure/tokens/azure-identity-token');
  // What kubelet does with variables and volume.
  const { name, key } = variables['AZURE_CLIENT_ID'].valueFrom.configMapKeyRef;
  const values = async () => (await world.client.tryGet(configMaps, { namespace: 'default', name }))?.['data'];
  await eventually('the operator writes the client id', async () => (await values())?.[key] !== undefined);
  const credential = async () =>
    (await world.get(types.federated, 'web-web-account'))['status']?.conditions?.[0]?.status;
  await eventually('the federated credential is there', async () => (await credential()) === 'True');
  const assertion = await world.kube.tokenFor(
    { namespace: 'default', name: spec.serviceAccountName },
    { audiences: [sources[0].serviceAccountToken.audience] },
  );
  const answer = await world.portal.tokenRequest({
    grant_type: 'client_credentials',
    client_id: (await values())?.[key],
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    scope: 'https://management.azure.com/.default',
  });
  expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
});

test('the issuer may be the export of a cluster', () => {
  const { chart, identity } = app();
  const cluster = new ManagedCluster(chart, 'aks', { metadata: { namespace: 'default' }, spec: { location, owner } });
  new WorkloadIdentity(chart, 'api', { identity, issuer: cluster.export('oidcIssuerProfile') });
  const made = Testing.synth(chart).find(({ kind }) => kind === 'FederatedIdentityCredential');
  expect(made).toMatchObject({
    metadata: { name: 'web-api', namespace: 'default' },
    spec: {
      owner: { name: 'web' },
      subject: 'system:serviceaccount:default:api',
      issuerFromConfig: { name: 'aks-managedcluster', key: 'oidcIssuerProfile' },
    },
  });
});

test('one credential with an expression trusts the accounts that fit it', () => {
  const { chart, identity, pods } = app();
  const trust = new ServiceAccountTrust(chart, 'Shops', { identity, issuer, accounts: 'shop-*' });
  new WorkloadIdentity(chart, 'shop-web', { identity, trust }).inject(pods);
  new WorkloadIdentity(chart, 'shop-api', { identity, trust });
  new WorkloadIdentity(chart, 'single', { identity, issuer });
  const credentials = Testing.synth(chart).filter(({ kind }) => kind === 'FederatedIdentityCredential');
  expect(credentials).toMatchObject([
    {
      metadata: { name: 'web-shops', namespace: 'default' },
      spec: {
        owner: { name: 'web' },
        claimsMatchingExpression: {
          languageVersion: 1,
          value: "claims['sub'] matches 'system:serviceaccount:default:shop-*'",
        },
        audiences: ['api://AzureADTokenExchange'],
        issuer,
      },
    },
    { metadata: { name: 'web-single' } },
  ]);
});

test('an account outside the trust, another identity, a second issuer and a bad pattern are reported', () => {
  const { chart, identity } = app();
  const other = new UserAssignedIdentity(chart, 'other', {
    metadata: { namespace: 'default' },
    spec: { location, owner },
  });
  const trust = new ServiceAccountTrust(chart, 'shops', { identity, issuer, accounts: 'shop-*' });
  new WorkloadIdentity(chart, 'single', { identity, trust });
  new WorkloadIdentity(chart, 'shop-a', { identity: other, trust });
  new WorkloadIdentity(chart, 'shop-b', { identity, trust, issuer });
  new ServiceAccountTrust(chart, 'bad', { identity, issuer: 'nowhere', accounts: "x' or 'y" });
  const problems = problemsOf(chart);
  expect(problems).toContain(
    '[test/single] Expected `accounts` of test/shops to fit the service account single of the',
  );
  expect(problems).toContain('[test/shop-a] Expected `trust` to be of the same identity, and it is of test/web');
  expect(problems).toContain('[test/shop-b] Expected `issuer` or `trust`, got both');
  expect(problems).toContain('[test/bad] Expected `accounts` to be a name with `*` and `?`');
  expect(problems).toContain('[test/bad] Expected `issuer` to be a URL, got `nowhere`');
});

test('an identity by its ids gets annotations and literal variables, and no federated credential', () => {
  const chart = Testing.chart();
  const job = new CronJob(chart, 'Job', {
    metadata: { namespace: 'default' },
    schedule: { expressionString: '* * * * *' } as never,
    containers: [{ image: 'job' }],
  });
  const ids = { clientId: 'c', tenantId: 't' };
  new WorkloadIdentity(chart, 'job', { identity: ids, namespace: 'default' }).inject(job);
  const objects = Testing.synth(chart);
  expect(objects.map(({ kind }) => kind)).toEqual(['CronJob', 'ServiceAccount']);
  const { spec } = objects[0].spec.jobTemplate.spec.template;
  expect(spec.serviceAccountName).toBe('job');
  expect(spec.containers[0].env).toContainEqual({ name: 'AZURE_CLIENT_ID', value: 'c' });
  expect(objects[1].metadata.annotations).toEqual({
    'azure.workload.identity/client-id': 'c',
    'azure.workload.identity/tenant-id': 't',
  });
});

test('a missing issuer, a container that came later and another namespace are reported with the fix', () => {
  const { chart, identity, pods } = app();
  new WorkloadIdentity(chart, 'api', { identity }).inject(pods);
  pods.addContainer({ name: 'late', image: 'web' });
  const elsewhere = new Deployment(chart, 'Other', { metadata: { namespace: 'b' }, containers: [{ image: 'x' }] });
  new WorkloadIdentity(chart, 'bad', { identity, issuer: 'nowhere' }).inject(elsewhere);
  const problems = problemsOf(chart);
  expect(problems).toContain(
    '[test/api] Expected `issuer` to be the issuer of the cluster, got none: without a federated',
  );
  expect(problems).toContain('The container `late` has no token of Azure: call `inject` after `addContainer`');
  expect(problems).toContain('[test/bad] Expected `issuer` to be a URL, got `nowhere`');
  expect(problems).toContain(
    'Expected the workload to be in the namespace `default` of its service account, and it is in `b`',
  );
});

test('by policy the pods get account and label, and the namespace the parameters', () => {
  const { chart, identity, pods } = app();
  new WorkloadIdentity(chart, 'api', { identity, issuer, byPolicy: true }).inject(pods);
  const objects = Testing.synth(chart);
  const { metadata, spec } = objects.find(({ kind }) => kind === 'Deployment').spec.template;
  expect(metadata.labels['azure.workload.identity/use']).toBe('true');
  expect([spec.serviceAccountName, spec.containers[0].env, spec.volumes]).toEqual(['api', undefined, undefined]);
  expect(objects.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({
    metadata: {
      name: 'workload-identity-api',
      namespace: 'default',
      labels: { 'azimuth.dev/workload-identity': 'true' },
    },
    data: {
      serviceAccountName: 'api',
      authority: 'https://login.microsoftonline.com/',
      clientIdConfigMap: 'web-userassignedidentity',
      clientIdKey: 'clientId',
      tenantIdConfigMap: 'web-userassignedidentity',
      tenantIdKey: 'tenantId',
    },
  });
});

test('the policy is of the cluster, in the version that the API server has; older servers are refused', () => {
  const made = (kubernetesVersion?: string) => {
    const chart = new Chart(Testing.app(), 'platform', { namespace: 'azimuth-system' });
    new WorkloadIdentityPolicy(chart, 'policy', kubernetesVersion === undefined ? {} : { kubernetesVersion });
    return Testing.synth(chart);
  };
  const [policy, binding] = made();
  expect(policy).toMatchObject({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'azimuth-workload-identity' },
  });
  expect([policy.metadata.namespace, binding.metadata.namespace]).toEqual([undefined, undefined]);
  // Without a namespace here, the parameters are those of the pod's own namespace.
  expect(binding.spec).toEqual({
    policyName: 'azimuth-workload-identity',
    paramRef: {
      selector: { matchLabels: { 'azimuth.dev/workload-identity': 'true' } },
      parameterNotFoundAction: 'Allow',
    },
  });
  expect(made('1.34')[0].apiVersion).toBe('admissionregistration.k8s.io/v1beta1');
  expect(() => made('1.33')).toThrow('Expected `kubernetesVersion` to be 1.34 or later, got `1.33`');
});

test('AzureWorkload takes it in place of a pod identity: roles, and volumes of the CSI driver by its ids', () => {
  const { chart, identity, pods } = app();
  const sku = { family: 'A', name: 'standard' } as const;
  const vault = new Vault(chart, 'vault', {
    metadata: { namespace: 'default' },
    spec: { location, owner, properties: { enableRbacAuthorization: true, sku } },
  });
  AzureWorkload.of(pods)
    .use(new WorkloadIdentity(chart, 'api', { identity, issuer }))
    .canRead(vault);
  const kinds = Testing.synth(chart).map(({ kind }) => kind);
  expect(kinds).toContain('RoleAssignment');
  expect(kinds).not.toContain('AzureIdentityBinding');
  AzureWorkload.of(pods).mount(vault, [{ type: 'secret', name: 'db' }], { tenantId: 't' });
  expect(problemsOf(chart)).toContain('mount(vault): volumes of `azure/kv` read the vault by a pod identity; choose');
  const other = app();
  const ids = new WorkloadIdentity(other.chart, 'api', {
    identity: { clientId: 'client', tenantId: 't' },
    namespace: 'default',
  });
  AzureWorkload.of(other.pods)
    .use(ids)
    .mount(vault, [{ type: 'secret', name: 'db' }], { driver: 'csi', tenantId: 't' });
  const made = Testing.synth(other.chart);
  const secretClass = made.find(({ kind }) => kind === 'SecretProviderClass');
  expect(secretClass).toMatchObject({
    metadata: { namespace: 'default' },
    spec: { parameters: { clientID: 'client' } },
  });
  // Somebody else made the identity and gave it the role.
  expect(made.map(({ kind }) => kind)).not.toContain('RoleAssignment');
  const objects = [{ type: 'secret', name: 'db' }] as const;
  AzureWorkload.of(pods).mount(vault, objects, { driver: 'csi', tenantId: 't' });
  expect(problemsOf(chart)).toContain('mount(vault): a SecretProviderClass has the client id as text');
});
