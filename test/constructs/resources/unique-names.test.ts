import { expect, test } from '@jest/globals';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { write } from '../../../constructs/gitops/formats.ts';
import {
  AzureIdentity,
  AzureWorkload,
  Platform,
  StorageAccount,
  UserAssignedIdentity,
  Vault,
  WorkloadIdentity,
} from '../../../constructs/index.ts';
import { scratch } from '../../fakes/scratch.ts';

const owner = { armId: '/subscriptions/s/resourceGroups/g' };
const spec = { owner, location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } } as const;
const platformProps = { image: 'azimuth:test', version: 'test' };

class Logs extends Construct {
  readonly account: StorageAccount;
  constructor(scope: Construct, id: string, metadata: { name?: string; namespace?: string } = {}) {
    super(scope, id);
    this.account = new StorageAccount(this, 'logs', { spec, metadata });
  }
}

/** The problems of an app with these objects in one chart. */
function problems(add: (chart: Chart) => void): string {
  const app = new App();
  add(new Chart(app, 'shop', { namespace: 'shop' }));
  return problemsOf(app);
}
function problemsOf(app: App): string {
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
const identityOf = (chart: Chart, id: string, metadata: { name?: string; namespace?: string } = {}) =>
  new UserAssignedIdentity(chart, id, { metadata, spec: { owner, location: 'westeurope' } });

test('a construct with a resource that is there twice ends the synthesis, with both constructs and the property', () => {
  const found = problems((chart) => {
    new Logs(chart, 'west');
    new Logs(chart, 'east');
  });
  expect(found.split('\n')).toEqual([
    'Validation failed with the following errors:',
    '  [shop] StorageAccount.storage.azure.com shop/logs is an object of two constructs, shop/west/logs and ' +
      'shop/east/logs: in the cluster the second replaces the first. Change `metadata.name`, which is the id in lower ' +
      'case by default, of one of them',
  ]);
});

test('the written name counts: the namespace, ids in lower case, patches, and objects of other constructs', () => {
  const twice = (second: (chart: Chart) => void) =>
    problems((chart) => {
      new Logs(chart, 'one');
      second(chart);
    }).includes('is an object of two constructs');
  const logs = (metadata: object) => (chart: Chart) => new Logs(chart, 'two', metadata);
  const object = (apiVersion: string, kind: string) => (chart: Chart) =>
    new ApiObject(chart, 'object', { apiVersion, kind, metadata: { name: 'logs' } });
  const patched = (name: string, to: string) => (chart: Chart) =>
    ApiObject.of(new Logs(chart, 'two', { name }).account).addJsonPatch(JsonPatch.replace('/metadata/name', to));
  expect(twice(logs({}))).toBe(true);
  expect(twice(logs({ name: 'other' }))).toBe(false);
  expect(twice(logs({ namespace: 'other' }))).toBe(false);
  expect(twice((chart) => new StorageAccount(chart, 'LOGS', { spec }))).toBe(true);
  expect(twice(object('storage.azure.com/v1api20210401', 'StorageAccount'))).toBe(true);
  expect(twice(object('storage.azure.upbound.io/v1', 'StorageAccount'))).toBe(false);
  expect(twice(object('v1', 'ConfigMap'))).toBe(false);
  expect(twice(patched('logs', 'other'))).toBe(false);
  expect(twice(patched('other', 'logs'))).toBe(true);
});

test('names that are unique stay as they are', () => {
  const chart = Testing.chart();
  new Logs(chart, 'west');
  new Logs(chart, 'east', { name: 'eastlogs' });
  expect(Testing.synth(chart).map(({ metadata }) => metadata.name)).toEqual(['logs', 'eastlogs']);
});

test('charts may be for several clusters, but not in an app with one platform', () => {
  const found = (...platforms: string[]) => {
    const app = new App();
    for (const id of platforms) new Platform(app, id, platformProps);
    for (const id of ['west', 'east']) new Logs(new Chart(app, id, { namespace: 'shop' }), 'store');
    return problemsOf(app);
  };
  expect(found()).toBe('');
  expect(found('west-azimuth', 'east-azimuth')).toBe('');
  expect(found('azimuth')).toContain('two constructs, west/store/logs and east/store/logs');
});

test('the synthesis of main.ts ends with the problem', () => {
  const files = scratch();
  try {
    const app = new App({ outdir: files.path });
    const platform = new Platform(app, 'azimuth', platformProps);
    const chart = new Chart(app, 'shop');
    for (const id of ['one', 'two']) new Logs(chart, id);
    expect(() => write('manifests', app, platform, platformProps)).toThrow(/shop\/one\/logs and shop\/two\/logs/);
  } finally {
    files.remove();
  }
});

test('identities, service accounts and their trust are checked too', () => {
  const found = problems((chart) => {
    const [first, second] = [identityOf(chart, 'a'), identityOf(chart, 'a-b')];
    new WorkloadIdentity(chart, 'b-web', { identity: first, issuer: 'https://issuer' });
    new WorkloadIdentity(chart, 'web', { identity: second, issuer: 'https://issuer' });
    AzureWorkload.of(new Deployment(chart, 'pods', { containers: [{ image: 'web' }] })).use(first);
    const credential = { kind: 'userAssigned', identity: first } as const;
    new AzureIdentity(chart, 'by-hand', { name: 'a', namespace: 'shop', credential });
  });
  expect(found).toMatch(
    /FederatedIdentityCredential\S+ shop\/a-b-web is .* shop\/b-web and shop\/web: .*`name`.*`metadata\.name`/,
  );
  expect(found).toMatch(/AzureIdentity\.aadpodidentity\.k8s\.io shop\/a is .* shop\/pods-a and shop\/by-hand: /);
});

test('a second grant whose name is that of another grant is refused', () => {
  const found = problems((chart) => {
    const properties = {
      tenantId: '00000000-0000-0000-0000-000000000000',
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
    } as const;
    const vault = new Vault(chart, 'vault', { spec: { owner, location: 'westeurope', properties } });
    const first = identityOf(chart, 'first', { name: 'a-b' });
    for (const identity of [first, first, identityOf(chart, 'second', { name: 'a.b' })]) vault.grantRead(identity);
  });
  expect(found.split('\n').slice(1)).toEqual([
    expect.stringMatching(
      /\[shop\/vault\] The RoleAssignment vault-a-b-\S+ would be both .* for a-b and .* for a\.b: rename one of the identities$/,
    ),
  ]);
});

test('identities of one name in two namespaces get an AzureIdentity each', () => {
  const chart = Testing.chart();
  for (const namespace of ['first', 'second']) {
    const pods = new Deployment(chart, namespace, { metadata: { namespace }, containers: [{ image: 'web' }] });
    AzureWorkload.of(pods).use(identityOf(chart, `web-${namespace}`, { name: 'web', namespace }));
  }
  const made = Testing.synth(chart).filter(({ kind }) => kind === 'AzureIdentity');
  expect(made.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['first/web', 'second/web']);
});
