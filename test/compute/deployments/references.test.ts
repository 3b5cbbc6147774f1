import { expect, test } from '@jest/globals';
import { referencesOf } from '../../../runtime/compute/deployments/references.ts';

test('blanks and line feeds around the names of an owner, a Secret and a ManagedSecret do not count', () => {
  const spec = {
    owner: { name: 'rg ' },
    osProfile: { adminPassword: { name: 'login\n', key: 'password' } },
    operatorSpec: { managedSecrets: [{ managedSecret: ' web', delivery: 'OsProfile' }] },
  };
  const machine = {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'a' },
    spec,
  };
  expect([...referencesOf(machine)].sort()).toEqual([
    'ManagedSecret.azimuth.dev/web',
    'ResourceGroup.resources.azure.com/rg',
    'Secret./login',
  ]);
});
