import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { OsType } from '../problems/compute-problem.ts';
import { type Machine, objectIn, osProfileOf, profileOf, textIn } from './machine-model.ts';

/** The parts of a machine that its body does not have. */
export interface MachineContext {
  readonly subscriptionId: string;
  /** Whether Azure has accepted the machine before. */
  readonly exists: boolean;
  /** URL of one version that the machine gets, whose port is that of all vaults; undefined without one. */
  readonly secretUrl: string | undefined;
}

const scaleSetType = 'microsoft.compute/virtualmachinescalesets';

/** The kind of a machine by its ARM type. */
export function machineKind(armType: string): Machine['kind'] {
  return armType.toLowerCase() === scaleSetType ? 'VirtualMachineScaleSet' : 'VirtualMachine';
}

/** The machine of a body for the checks and the plan. */
export function machineOf(armType: string, body: JsonObject, context: MachineContext): Machine {
  const kind = machineKind(armType);
  const { subscriptionId, exists, secretUrl } = context;
  const vaultPort = portOf(secretUrl);
  const machine = {
    kind,
    body,
    os: 'Linux' as OsType,
    location: textIn(body, 'location') ?? '',
    subscriptionId,
    exists,
  };
  return { ...machine, os: osOf(machine), ...(vaultPort !== undefined && { vaultPort }) };
}

/** The system that the body names: by its configuration, its disk or its image. Linux where it names none. */
export function osOf(machine: Machine): OsType {
  const profile = osProfileOf(machine);
  if (isObject(profile['windowsConfiguration'])) return 'Windows';
  if (isObject(profile['linuxConfiguration'])) return 'Linux';
  const storage = objectIn(profileOf(machine), 'storageProfile');
  const disk = textIn(objectIn(storage, 'osDisk'), 'osType');
  if (disk !== undefined) return disk.toLowerCase() === 'windows' ? 'Windows' : 'Linux';
  const { publisher, offer } = objectIn(storage, 'imageReference');
  return [publisher, offer].some((name) => typeof name === 'string' && /windows/i.test(name)) ? 'Windows' : 'Linux';
}

/** The administrator's password that comes from a Secret; undefined without one. Is a secret. */
export function passwordFromSecret(machine: Machine): string | undefined {
  const password = osProfileOf(machine)['adminPassword'];
  const value = password instanceof SecretValue ? password.reveal() : undefined;
  return typeof value === 'string' ? value : undefined;
}

function portOf(url: string | undefined): number | undefined {
  const port = url === undefined || !URL.canParse(url) ? '' : new URL(url).port;
  return port === '' ? undefined : Number(port);
}
