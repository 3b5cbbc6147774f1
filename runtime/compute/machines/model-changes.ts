/** Effects of a changed field of a model on existing machines. Azure documents them, and reports them in no answer. */
import { type ComputeProblem, computeError } from '../problems/compute-problem.ts';
import type { Machine } from './machine-model.ts';

/**
 * `InPlace`: the machine gets it without a restart. `ModelUpgrade`: each instance when it is brought to the model.
 * `Reimage`: new and reimaged instances only. `Refused`: Azure refuses the PUT.
 */
export type ChangeEffect = 'InPlace' | 'ModelUpgrade' | 'Reimage' | 'Refused';

/** Effects by field, without the prefix of the profile: `osProfile.customData`. */
const effects: ReadonlyMap<string, readonly [machine: ChangeEffect, scaleSet: ChangeEffect]> = new Map([
  ['osProfile.adminUsername', ['Refused', 'Refused']],
  ['osProfile.adminPassword', ['Refused', 'Reimage']],
  ['osProfile.computerName', ['Refused', 'Refused']],
  ['osProfile.customData', ['Refused', 'Reimage']],
  ['osProfile.linuxConfiguration.ssh.publicKeys', ['Refused', 'Reimage']],
  ['osProfile.linuxConfiguration.disablePasswordAuthentication', ['Refused', 'Reimage']],
  ['osProfile.secrets', ['InPlace', 'ModelUpgrade']],
  ['userData', ['InPlace', 'ModelUpgrade']],
  ['extensionProfile', ['InPlace', 'ModelUpgrade']],
]);

/** Fields of a scale set's osProfile that a PATCH may have; others need a PUT. */
const patchable: ReadonlySet<string> = new Set(['customData', 'windowsConfiguration', 'linuxConfiguration', 'secrets']);

/** The effect of a change; undefined for a field that is not in the table. `field` may begin with the profile's path. */
export function changeEffect(kind: Machine['kind'], field: string): ChangeEffect | undefined {
  const [machine, scaleSet] = effects.get(withoutProfile(field)) ?? [];
  return kind === 'VirtualMachine' ? machine : scaleSet;
}

/** Whether a PATCH of a scale set may have the field; only fields of the osProfile are known. */
export function isPatchable(field: string): boolean {
  const [profile, member = ''] = withoutProfile(field).split('.');
  return profile === 'osProfile' && patchable.has(member);
}

/** The problem of a changed field that Azure refuses; undefined for another effect. */
export function changeProblem(kind: Machine['kind'], field: string): ComputeProblem | undefined {
  if (changeEffect(kind, field) !== 'Refused') return undefined;
  const fix = 'cannot change after creation; restore the former value, or replace the machine';
  const message = `Changing property '${withoutProfile(field)}' is not allowed.`;
  return computeError('PropertyChangeNotAllowed', field, fix, {
    when: 'Request',
    status: 409,
    code: 'PropertyChangeNotAllowed',
    message,
  });
}

/**
 * Machines with a certificate after its entry is removed from the model: existing ones keep it, new ones never get it.
 * So a removed entry retires nothing: the version has to be disabled, and its trust withdrawn.
 */
export const removedCertificate = { existingMachines: 'Keep', newMachines: 'Without' } as const;

function withoutProfile(field: string): string {
  for (const prefix of ['properties.', 'virtualMachineProfile.']) {
    if (field.startsWith(prefix)) field = field.slice(prefix.length);
  }
  return field;
}
