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
