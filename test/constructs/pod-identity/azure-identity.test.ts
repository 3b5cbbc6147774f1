import { expect, test } from '@jest/globals';
import { Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { UserAssignedIdentity } from '../../../constructs/generated/managedidentity.ts';
import { AzureIdentity, type AzureIdentityProps } from '../../../constructs/pod-identity/azure-identity.ts';
import { AzureIdentityBinding } from '../../../constructs/pod-identity/azure-identity-binding.ts';
import { IdentityController } from '../../../constructs/pod-identity/identity-controller.ts';
import { NodeIdentity } from '../../../constructs/pod-identity/node-identity.ts';
import { PodIdentity } from '../../../constructs/pod-identity/pod-identity.ts';
import { kindOf, problems, program, synth } from '../manifests.ts';

const resourceId =
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders';
const orders: AzureIdentityProps = {
  namespace: 'shop',
  clientId: 'c',
  credential: { kind: 'userAssigned', resourceId },
};

test('each kind of credential renders as its type', () => {
  const secret = { namespace: 'shop', name: 'creds' };
  const spec = (credential: AzureIdentityProps['credential']) =>
    kindOf(
      synth((chart) => void new AzureIdentity(chart, 'Orders', { ...orders, credential })),
      'AzureIdentity',
    ).spec;
  expect(spec(orders.credential)).toEqual({ type: 0, clientID: 'c', resourceID: resourceId });
  expect(spec({ kind: 'clientSecret', tenantId: 't', secret, auxiliaryTenantIds: ['u'] })).toEqual({
    type: 1,
    clientID: 'c',
    tenantID: 't',
    clientPassword: secret,
    auxiliaryTenantIDs: ['u'],
  });
  expect(spec({ kind: 'clientCertificate', tenantId: 't', secret })).toMatchObject({ type: 2, clientPassword: secret });
  expect(spec({ kind: 'workloadFederation', tenantId: 't' })).toEqual({ type: 3, clientID: 'c', tenantID: 't' });
});

test('an identity is namespaced unless said otherwise', () => {
  const metadata = (namespaced?: boolean) =>
    kindOf(
      synth(
        (chart) =>
          void new AzureIdentity(chart, 'Orders', { ...orders, ...(namespaced !== undefined && { namespaced }) }),
      ),
      'AzureIdentity',
    ).metadata;
  expect(metadata()).toEqual({
    name: 'orders',
    namespace: 'shop',
    annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' },
  });
  expect(metadata(false).annotations).toBeUndefined();
});

test('a workload uses identities: one label, a binding each, the first of them the default', () => {
  const manifests = synth((chart) => {
    const first = new AzureIdentity(chart, 'Orders', orders);
    const second = new AzureIdentity(chart, 'Audit', { ...orders, name: 'audit' });
    const workload = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web' }] });
    PodIdentity.of(workload).use(first);
    const limits = { availability: { notBefore: '2027-01-01T00:00:00Z' }, volumes: { vaults: ['contoso'] } };
    PodIdentity.of(workload).use(second, limits);
  });
  const label = kindOf(manifests, 'Deployment').spec.template.metadata.labels.aadpodidbinding;
  const bindings = manifests.filter(({ kind }) => kind === 'AzureIdentityBinding');
  expect(bindings.map(({ spec }) => spec)).toEqual([
    { azureIdentity: 'orders', selector: label },
    {
      azureIdentity: 'audit',
      selector: label,
      weight: -1,
      availability: { notBefore: '2027-01-01T00:00:00Z' },
      volumes: { vaults: ['contoso'] },
    },
  ]);
  expect(label).toMatch(/^[\w.-]{1,63}$/);
});

test('an availability that never opens is reported at synth', () => {
  const identity = { name: 'x', namespace: 'y' };
  const availability = { windows: [{ schedule: '0 25 * * *', duration: '1h' }] };
  expect(problems((chart) => new AzureIdentityBinding(chart, 'A', { identity, selector: 's', availability }))).toEqual([
    expect.stringContaining('`availability` to be one that opens'),
  ]);
});

test('what cannot work is reported at synth, all of it, with what was expected', () => {
  expect(
    problems((chart) => {
      new AzureIdentity(chart, 'A', {
        ...orders,
        clientId: '',
        credential: { kind: 'userAssigned', resourceId: 'orders' },
      });
      new AzureIdentity(chart, 'B', { ...orders, name: 'Not A Name' });
      new AzureIdentityBinding(chart, 'C', { identity: { name: 'x', namespace: 'y' }, selector: '' });
      new AzureIdentityBinding(chart, 'D', {
        identity: { name: 'x', namespace: 'y' },
        selector: 's',
        availability: { windows: [{ schedule: 'whenever', duration: '1h' }] },
      });
      new NodeIdentity(chart, 'E', { ...program, maxUnavailable: 0, mode: 'managed', forceNamespaced: false });
      const secret = { namespace: 'shop', name: '' };
      new AzureIdentity(chart, 'F', {
        ...orders,
        namespace: 'My Shop',
        credential: { kind: 'clientSecret', tenantId: '', secret, auxiliaryTenantIds: [] },
      });
      const names = { secretNames: ['*'] };
      new IdentityController(chart, 'G', { ...program, ...names });
      new NodeIdentity(new Chart(chart, 'other'), 'H', { ...program, ...names, federatedAccounts: ['shop/web'] });
    }),
  ).toEqual([
    expect.stringContaining('`clientId`'),
    expect.stringContaining('got `orders`'),
    expect.stringContaining('"Not A Name"'),
    expect.stringContaining('`selector`'),
    expect.stringContaining('schedule'),
    expect.stringContaining('`maxUnavailable`'),
    expect.stringContaining('`forceNamespaced`'),
    'Expected `namespace` to be the name of an object, got `My Shop`',
    'Expected `credential.secret.name` to be the name of an object, got ``',
    expect.stringContaining('`credential.tenantId`'),
    expect.stringContaining('`credential.auxiliaryTenantIds`'),
    'Expected `secretNames` to be the name of an object, got `*`',
    'Expected `secretNames` to be the name of an object, got `*`',
    'Expected `federatedAccounts` to be the name of an object, got `shop/web`',
  ]);
});

test('an identity of another namespace that serves only its own is no use to a workload', () => {
  const found = (namespaced: boolean) =>
    problems((chart) => {
      const workload = new Deployment(chart, 'Web', {
        metadata: { namespace: 'other' },
        containers: [{ image: 'web' }],
      });
      PodIdentity.of(workload).use(new AzureIdentity(chart, 'Orders', { ...orders, namespaced }));
    });
  expect(found(true)).toEqual([expect.stringContaining('to be in the namespace `other`')]);
  expect(found(false)).toEqual([]);
});

test('two workloads whose labels make one name of a binding are refused, with what to do', () => {
  const two = (first: string, second: string) =>
    problems((chart) => {
      const identity = new AzureIdentity(chart, 'orders', orders);
      for (const [id, label] of Object.entries({ one: first, two: second })) {
        const podMetadata = { labels: { aadpodidbinding: label } };
        PodIdentity.of(new Deployment(chart, id, { podMetadata })).use(identity);
      }
    }).filter((problem) => problem.includes('AzureIdentityBinding'));
  expect(two('a.b', 'a-b')).toEqual([
    expect.stringMatching(
      /^AzureIdentityBinding\S+ shop\/a-b-\S+ is an object of two .* test\/one\/\S+ and test\/two\/.* the label `aadpodidbinding`/,
    ),
  ]);
  expect(two('a-b', 'a-c')).toEqual([]);
});

test('an identity that is an object of the namespace is named in place of its ids', () => {
  const chart = Testing.chart();
  const owner = { armId: '/subscriptions/s/resourceGroups/g' };
  const identity = new UserAssignedIdentity(chart, 'shop', {
    metadata: { namespace: 'app' },
    spec: { location: 'westeurope', owner },
  });
  new AzureIdentity(chart, 'Pods', { namespace: 'app', credential: { kind: 'userAssigned', identity } });
  new AzureIdentity(chart, 'Web', { namespace: 'app', credential: { kind: 'workloadFederation', identity } });
  const identityRef = { name: 'shop' };
  expect(Testing.synth(chart).flatMap(({ kind, spec }) => (kind === 'AzureIdentity' ? [spec] : []))).toEqual([
    { type: 0, identityRef },
    { type: 3, identityRef },
  ]);
  new AzureIdentity(chart, 'Other', { namespace: 'other', credential: { kind: 'userAssigned', identity } });
  expect(() => Testing.synth(chart)).toThrow(
    '[test/Other] Expected `credential.identity` to be in the namespace `other` of the AzureIdentity, and shop is in `app`',
  );
});
