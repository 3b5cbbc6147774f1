import { isObject } from '../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';

/** ARM type of a virtual machine. */
export const machineType = 'Microsoft.Compute/virtualMachines';
/** ARM type of a scale set. */
export const scaleSetType = 'Microsoft.Compute/virtualMachineScaleSets';
/** Instances of a Uniform scale set; those of a Flexible one are virtual machines. */
export const instanceType = 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether an ARM type is that of scale sets, in any case of letters. */
export const isScaleSet = (type: string) => same(type, scaleSetType);

/** Where osProfile, storageProfile and extensionProfile of a virtual machine or scale set stand. */
export const profileOf = (type: string, body: Json): Json =>
  objectOf(at(body, isScaleSet(type) ? 'properties.virtualMachineProfile' : 'properties'));

/** The objects of a list; nothing where it is none. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Windows or Linux; Linux where nothing says which. */
export function osOf(profile: Json): 'Windows' | 'Linux' {
  const disk = stringOf(at(profile, 'storageProfile.osDisk.osType'));
  const windows = disk === 'Windows' || isObject(at(profile, 'osProfile.windowsConfiguration'));
  return windows ? 'Windows' : 'Linux';
}

/** A secret in a vault that a machine's model names. */
export interface SecretReference {
  /** Where the model names it. */
  readonly path: string;
  readonly url: string;
  /** ARM id of the vault that the model says it is in. */
  readonly vaultId: string;
  /** A certificate is installed; settings are handed to an extension. */
  readonly content: 'certificate' | 'settings';
}

/** The secrets that a profile names: in osProfile.secrets, and as protected settings of its extensions. */
export function secretReferences(profile: Json): SecretReference[] {
  const certificates = objectsIn(at(profile, 'osProfile.secrets')).flatMap((group) =>
    objectsIn(group['vaultCertificates']).map((certificate) => ({
      path: 'osProfile.secrets',
      url: stringOf(certificate['certificateUrl']),
      vaultId: stringOf(at(group, 'sourceVault.id')),
      content: 'certificate' as const,
    })),
  );
  const extensions = objectsIn(at(profile, 'extensionProfile.extensions'));
  return [...certificates, ...extensions.flatMap((extension) => settingsReference(extension))];
}

/** The secret that an extension takes its protected settings from. */
export function settingsReference(extension: Json): SecretReference[] {
  const reference = at(extension, 'properties.protectedSettingsFromKeyVault');
  if (!isObject(reference)) return [];
  return [
    {
      path: 'protectedSettingsFromKeyVault',
      url: stringOf(reference['secretUrl']),
      vaultId: stringOf(at(reference, 'sourceVault.id')),
      content: 'settings',
    },
  ];
}
