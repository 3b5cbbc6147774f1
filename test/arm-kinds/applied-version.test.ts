import { expect, test } from '@jest/globals';
import type { ArmKindDefinition } from '../../runtime/api/kinds.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import { appliedVersion } from '../../runtime/arm-kinds/applied-version.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';

test.each([5, null, {}, 'x/constructor'])(
  'kubectl’s annotation with the apiVersion %p leads to a known version',
  (apiVersion) => {
    const object = {
      apiVersion: 'storage.azure.com/v1api20230101',
      kind: 'StorageAccount',
      metadata: {
        name: 'x',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ apiVersion }) },
      },
    };
    expect(appliedVersion(object)).toBe(typeof apiVersion === 'string' ? 'constructor' : 'v1api20230101');
    const model = catalogueModel(kindOf('storage.azure.com', 'StorageAccount') as ArmKindDefinition);
    expect(model.apiVersion(object)).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  },
);

const group = 'storage.azure.com';
const whole = { '.': {}, 'f:location': {}, 'f:owner': { 'f:name': {} }, 'f:sku': { 'f:name': {} } };
const { '.': _, ...applied } = whole;

const write = (manager: string, version: string, spec: object, second: number, operation = 'Update') => ({
  manager,
  operation,
  apiVersion: `${group}/${version}`,
  time: `2026-01-01T00:00:0${second}Z`,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': spec },
});

test.each([
  ['a patch of five tags', write('kubectl-patch', 'v1', { 'f:tags': { 'f:a': {}, 'f:b': {}, 'f:c': {} } }, 2)],
  ['an edit of a value', write('kubectl-edit', 'v1', { 'f:sku': { 'f:name': {} }, 'f:location': {} }, 2)],
  ['an apply of one field', write('scaler', 'v1', { 'f:sku': { 'f:name': {} } }, 2, 'Apply')],
  ['a label', { ...write('kubectl-label', 'v1', {}, 2), fieldsV1: { 'f:metadata': { 'f:labels': {} } } }],
  ['a status', { ...write('other', 'v1', whole, 2), subresource: 'status' }],
])('%s under another version leaves the version of the declaration', (_, edit) => {
  for (const declaration of [
    write('kubectl-create', 'v2', whole, 1),
    write('kubectl-client-side-apply', 'v2', whole, 1),
    write('helm', 'v2', whole, 1),
    write('argocd-controller', 'v2', applied, 1, 'Apply'),
  ])
    expect(versionOf(declaration, edit)).toBe('v2');
});

test.each([
  ['the same program', 'helm', write('helm', 'v3', { 'f:sku': { 'f:name': {} } }, 2)],
  ['kubectl replace', 'kubectl-create', write('kubectl-replace', 'v3', { 'f:location': {} }, 2)],
  ['kubectl apply', 'kubectl-create', write('kubectl-client-side-apply', 'v3', { 'f:tags': {} }, 2)],
  ['kubectl apply --server-side', 'kubectl-client-side-apply', write('kubectl', 'v3', applied, 2, 'Apply')],
  ['a tool that takes the object over', 'helm', write('kustomize-controller', 'v3', applied, 2, 'Apply')],
])('a manifest under another version moves the version: %s', (_, first, second) => {
  expect(versionOf(write(first, 'v2', whole, 1), second)).toBe('v3');
});

function versionOf(...managedFields: object[]): string {
  const metadata = { name: 'x', managedFields };
  return appliedVersion({ apiVersion: `${group}/v9`, kind: 'StorageAccount', metadata });
}
