import { expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, machineKinds } from '../../../runtime/api/kinds.ts';

const specOf = (kind: string, cel: boolean) =>
  crdManifest(kindOf('azimuth.dev', kind), { cel }).spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];

test('gates belong to the cluster, so that no namespace approves itself', () => {
  expect(machineKinds.map(({ kind, namespaced }) => [kind, namespaced])).toEqual([
    ['ManagedSecret', true],
    ['FeatureRegistration', false],
    ['FeatureApproval', false],
  ]);
});

test('each kind of secret has a member of its own, with and without CEL', () => {
  const rules = specOf('ManagedSecret', true)?.['x-kubernetes-validations']?.map(({ message }) => message);
  expect(rules).toEqual(
    expect.arrayContaining([
      'password goes with kind Password only',
      'kind Certificate needs certificate',
      'spec.kind cannot change: make another object',
      'home names the vault that versions are written to',
      'rollout does not go with kind Identity, which has no home vault to keep its state: remove rollout',
    ]),
  );
  const [choice] = specOf('ManagedSecret', false)?.allOf ?? [];
  expect(choice?.oneOf).toHaveLength(6);
  expect(choice?.oneOf?.[0]).toMatchObject({
    properties: { kind: { enum: ['Certificate'] } },
    required: ['home', 'certificate'],
  });
});

test.each(['VirtualMachine', 'VirtualMachineScaleSet'])('a %s names managed secrets in its operatorSpec', (kind) => {
  const { spec } = crdManifest(kindOf('compute.azure.com', kind));
  const operatorSpec = spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['operatorSpec'];
  expect(operatorSpec?.properties?.['managedSecrets']).toMatchObject({ type: 'array', maxItems: 50 });
});

test('other kinds take no managed secrets', () => {
  const { spec } = crdManifest(kindOf('storage.azure.com', 'StorageAccount'));
  const operatorSpec = spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['operatorSpec'];
  expect(operatorSpec?.properties).not.toHaveProperty('managedSecrets');
});

test('a consumer is one thing, and only a machine proves itself by a document', () => {
  const rules = specOf('ManagedSecret', true)?.properties?.['consumers']?.items?.['x-kubernetes-validations'];
  expect(rules?.map(({ message }) => message)).toEqual([
    'set either identity, or machine, or objectId',
    'attested goes with machine',
  ]);
  expect(specOf('ManagedSecret', false)?.properties?.['consumers']?.items?.allOf?.length).toBeGreaterThan(0);
});

test('columns of the type date have past times only: kubectl prints <invalid> for one that lies ahead', () => {
  const dates = machineKinds.flatMap((kind) => {
    const columns = crdManifest(kind, { cel: true }).spec.versions[0]?.additionalPrinterColumns ?? [];
    return columns.flatMap(({ type, jsonPath }) => (type === 'date' ? [jsonPath] : []));
  });
  expect(new Set(dates)).toEqual(new Set(['.metadata.creationTimestamp']));
});
