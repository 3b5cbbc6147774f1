import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { planMachine } from '../../../runtime/compute/machines/machine-plan.ts';
import { identity, names, password } from './secret-uses.ts';
import { certificate, identityId, machine, secretUrl, vaultId, version } from './support.ts';

const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test('certificates are grouped by vault after what is there, and the rest of the body stays', () => {
  const mine = {
    sourceVault: { id: vaultId('KV1') },
    vaultCertificates: [{ certificateUrl: secretUrl('kv1', 'own') }],
  };
  const on = frozen(
    machine(
      'VirtualMachine',
      { osProfile: { adminUsername: 'ops', secrets: [mine] }, hardwareProfile: { vmSize: 's' } },
      {
        body: { tags: { a: 'b' }, zones: ['1'] },
      },
    ),
  );
  const other = certificate({ name: 'other', version: version('kv2', 'other') });
  const plan = planMachine(on, [certificate(), other, certificate()]);
  expect(plan).toEqual({
    problems: [],
    extensions: [],
    body: {
      ...on.body,
      properties: {
        osProfile: {
          adminUsername: 'ops',
          secrets: [
            {
              sourceVault: { id: vaultId('KV1') },
              vaultCertificates: [
                { certificateUrl: secretUrl('kv1', 'own') },
                { certificateUrl: secretUrl('kv1', 'web') },
              ],
            },
            { sourceVault: { id: vaultId('kv2') }, vaultCertificates: [{ certificateUrl: secretUrl('kv2', 'other') }] },
          ],
        },
        hardwareProfile: { vmSize: 's' },
      },
    },
  });
});

test('a scale set has its certificates in the profile of the instances', () => {
  const on = machine('VirtualMachineScaleSet', {}, { properties: { upgradePolicy: { mode: 'Manual' } } });
  expect(planMachine(on, [certificate()]).body).toMatchObject({
    properties: {
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: {
        osProfile: { adminUsername: 'ops', secrets: [{ sourceVault: { id: vaultId('kv1') } }] },
      },
    },
  });
});

test('Windows certificates have their store, and Linux ones lose theirs with a warning', () => {
  const store = { certificateUrl: secretUrl('kv1', 'own'), certificateStore: 'My' };
  const secrets = [{ sourceVault: { id: vaultId('kv1') }, vaultCertificates: [store] }];
  const plan = (os: 'Linux' | 'Windows') =>
    planMachine(machine('VirtualMachine', { osProfile: { secrets } }, { os }), [
      certificate({ certificateStore: 'My' }),
    ]);
  const certificates = [store, { certificateUrl: secretUrl('kv1', 'web'), certificateStore: 'My' }];
  expect(plan('Windows')).toMatchObject({
    problems: [],
    body: { properties: { osProfile: { secrets: [{ vaultCertificates: certificates }] } } },
  });
  const linux = plan('Linux');
  expect(linux.problems).toMatchObject([{ severity: 'Warning' }, { severity: 'Warning' }]);
  expect(JSON.stringify(linux.body)).not.toContain('certificateStore');
});

test('the plan has no body while there is an error, and names all of them', () => {
  const plan = planMachine(machine('VirtualMachine', { osProfile: { adminUsername: 'root' } }), [
    certificate({ kind: 'Password' }),
    certificate({ version: version('kv1', 'web', { enabledForDeployment: false }) }),
  ]);
  expect(plan.body).toBeUndefined();
  expect(plan.extensions).toEqual([]);
  expect(plan.problems.map(({ name, path }) => `${name} ${path}`)).toEqual([
    'AdminUsernameInvalid properties.osProfile.adminUsername',
    'DeliveryImpossible spec.operatorSpec.managedSecrets[0].delivery',
    'VaultNotEnabled spec.operatorSpec.managedSecrets[1]',
  ]);
});

test('an identity is attached beside those of the manifest, once', () => {
  const own = { type: 'SystemAssigned', userAssignedIdentities: { [identityId('MINE')]: {} } };
  const on = frozen(machine('VirtualMachine', {}, { body: { identity: own } }));
  expect(planMachine(on, [identity('app'), identity('app'), identity('mine')]).body?.['identity']).toEqual({
    type: 'SystemAssigned, UserAssigned',
    userAssignedIdentities: { [identityId('MINE')]: {}, [identityId('app')]: {} },
  });
  expect(planMachine(machine('VirtualMachine'), [identity('app')]).body?.['identity']).toMatchObject({
    type: 'UserAssigned',
  });
});

test('certificates and extensions need the VM agent, and extensions that they are allowed', () => {
  const linux = (members: JsonObject) => machine('VirtualMachine', { osProfile: { adminUsername: 'ops', ...members } });
  const noAgent = linux({ linuxConfiguration: { provisionVMAgent: false } });
  expect(names(noAgent, certificate())).toEqual(['VmAgentMissing']);
  expect(names(noAgent, password())).toEqual(['VmAgentMissing']);
  expect(names(noAgent)).toEqual([]);
  expect(names(linux({ allowExtensionOperations: false }), password())).toEqual(['ExtensionsForbidden']);
  expect(names(linux({ allowExtensionOperations: false }), certificate())).toEqual([]);
});

test('a WinRM listener may use a managed certificate', () => {
  const winRM = { listeners: [{ certificateUrl: secretUrl('kv1', 'web') }] };
  const on = machine('VirtualMachine', { osProfile: { windowsConfiguration: { winRM } } }, { os: 'Windows' });
  expect(names(on, certificate({ certificateStore: 'My' }))).toEqual([]);
  expect(names(on)).toEqual(['ListenerCertificateUnknown']);
});

test('uses by the endpoint and no uses leave the body as it is', () => {
  const on = frozen(machine('VirtualMachineScaleSet', { extensionProfile: { extensions: [] } }));
  expect(planMachine(on, [{ name: 'k', kind: 'SymmetricKey', delivery: 'Endpoint' }]).body).toBe(on.body);
});

test('the sandbox has vaults on other ports', () => {
  const url = secretUrl('kv1', 'web').replace('.net/', '.net:8443/');
  const use = certificate({ delivery: 'VaultExtension', version: version('kv1', 'web', { secretUrl: url }) });
  const plan = planMachine(machine('VirtualMachine', {}, { vaultPort: 8443 }), [identity('reader'), use]);
  expect(JSON.stringify(plan.extensions)).toContain('"https://kv1.vault.azure.net:8443/secrets/web"');
  expect(names(machine('VirtualMachine'), identity('reader'), use)).toEqual(['CertificateUrlInvalid']);
});

test('more than fifty uses are refused before any work', () => {
  expect(names(machine('VirtualMachine'), ...Array.from({ length: 51 }, () => certificate()))).toEqual(['UsesTooMany']);
});
