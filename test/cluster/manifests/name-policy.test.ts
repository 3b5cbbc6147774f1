/** The policy that refuses names for Azure, by the API server that evaluates it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { App } from 'cdk8s';
import { Platform } from '../../../constructs/index.ts';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { eventually } from '../../fakes/eventually.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';

const namespace = 'azimuth-names-test';
const { group, version } = resourceOf(kindOf('storage.azure.com', 'StorageAccount'));
const { stdout } = await tryKubectl(['get', '--raw', '/apis/admissionregistration.k8s.io/v1']);
const isServed = stdout.includes('"validatingadmissionpolicies"');
if (!isServed) process.stderr.write('No ValidatingAdmissionPolicy here: its tests are skipped\n');

const listOf = (items: readonly unknown[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const account = (name: string, azureName?: string) => ({
  apiVersion: `${group}/${version}`,
  kind: 'StorageAccount',
  metadata: { name, namespace, finalizers: ['azimuth.dev/test'] },
  spec: {
    ...(azureName !== undefined && { azureName }),
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: 'shop' },
  },
});
const tryCreate = (object: object) => tryKubectl(['create', '--dry-run=server', '-f', '-'], JSON.stringify(object));

function manifests(kinds: readonly string[]): { kind: string }[] {
  const app = new App();
  const props = { image: 'azimuth:test', version: 'test', kubernetesVersion: '1.30' };
  new Platform(app, 'azimuth', { ...props, kinds: `${group}/StorageAccount` });
  return app.charts.flatMap((chart) => chart.toJson() as { kind: string }[]).filter(({ kind }) => kinds.includes(kind));
}
const policy = manifests(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);

const suite = isServed ? describe : describe.skip;
suite('the policy for names', () => {
  beforeAll(async () => {
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await kubectl(['apply', '--server-side', '-f', '-'], listOf([...manifests(['CustomResourceDefinition']), made]));
    // An old kubectl does not wait for a definition that has no conditions yet.
    const established = ['wait', '--for=condition=Established', 'crd', `storageaccounts.${group}`];
    await eventually('the definition is established', async () => (await tryKubectl(established)).status === 0);
    await kubectl(['create', '-f', '-'], JSON.stringify(account('from-before')));
    await kubectl(['apply', '-f', '-'], listOf(policy));
    await eventually(
      'the API server applies the policy',
      async () => (await tryCreate(account('my-account'))).status !== 0,
    );
  });
  afterAll(async () => {
    await kubectl(['delete', '--ignore-not-found', '-f', '-'], listOf(policy));
    await kubectl(['delete', 'crd', `storageaccounts.${group}`, '--ignore-not-found']);
  });

  test('a new object with a name that Azure refuses is refused, with the rule', async () => {
    expect((await tryCreate(account('my-account'))).stderr).toMatch(
      /metadata\.name: expected a name in Azure that matches \^\[a-z0-9\]\+\$, or spec\.azureName .*got my-account/,
    );
    expect((await tryCreate(account('n'.repeat(39)))).stderr).toContain('of 3 to 24 characters');
    for (const object of [account('myaccount'), account('my-account', 'myaccount')])
      expect(await tryCreate(object)).toMatchObject({ status: 0 });
  });

  test('an object from before can change, and goes when its finalizer goes', async () => {
    const target = ['storageaccounts', 'from-before', '-n', namespace];
    await kubectl(['label', ...target, 'team=a']);
    await kubectl(['delete', ...target, '--wait=false']);
    await kubectl(['patch', ...target, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    expect(await kubectl(['get', ...target, '--ignore-not-found'])).toBe('');
  });
});
