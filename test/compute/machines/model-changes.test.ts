import { expect, test } from '@jest/globals';
import { changeEffect, changeProblem, isPatchable } from '../../../runtime/compute/machines/model-changes.ts';

test.each([
  ['osProfile.adminUsername', 'Refused', 'Refused'],
  ['osProfile.adminPassword', 'Refused', 'Reimage'],
  ['osProfile.customData', 'Refused', 'Reimage'],
  ['osProfile.secrets', 'InPlace', 'ModelUpgrade'],
  ['userData', 'InPlace', 'ModelUpgrade'],
  ['hardwareProfile.vmSize', undefined, undefined],
])('a change of %s is %s for a machine and %s for a set', (field, vm, set) => {
  expect(changeEffect('VirtualMachine', `properties.${field}`)).toBe(vm);
  expect(changeEffect('VirtualMachineScaleSet', `properties.virtualMachineProfile.${field}`)).toBe(set);
});

test("Azure's answer names the field without its prefix", () => {
  const field = 'properties.osProfile.linuxConfiguration.ssh.publicKeys';
  expect(changeProblem('VirtualMachine', field)).toMatchObject({
    path: field,
    azure: { message: "Changing property 'osProfile.linuxConfiguration.ssh.publicKeys' is not allowed." },
  });
  expect(changeProblem('VirtualMachineScaleSet', field)).toBeUndefined();
});

test('a PATCH of a set has secrets and configurations, and neither names nor passwords', () => {
  expect(
    ['secrets', 'customData', 'adminPassword', 'adminUsername'].map((name) => isPatchable(`osProfile.${name}`)),
  ).toEqual([true, true, false, false]);
});
