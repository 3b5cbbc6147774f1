import { dirname, join } from 'node:path';
import { type CloudDescription, cloudFromDescription } from '../../azure/clouds.ts';
import { readBoundedTextSync } from '../../base/bounded-file.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { filePermission } from '../mount/file-mode.ts';

/** What a node sets for all of its volumes: a JSON file beside the driver, which root owns. */
export interface DriverSettings {
  /** Variables over those of kubelet: the cloud (AZURE_*), a proxy, NODE_EXTRA_CA_CERTS. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Describes `AzureStackCloud`, with the members of an environment file; a node needs no such file then.
   *
   * @default the file that AZURE_ENVIRONMENT_FILEPATH of `environment` names
   */
  readonly cloud?: CloudDescription;
  /** Bounded, rotated once; '' = none. @default '/var/log/kv-driver.log' */
  readonly logFile: string;
  /** Where volumes are put together before anybody can see them, on Linux before 5.2. @default '/run/azimuth/kv' */
  readonly stateDirectory: string;
  /** Where the node agent listens; '' = the node has none. The agent writes it when it installs the driver. @default '' */
  readonly agentSocket: string;
  /** Accepted and not used: the agent asks the node daemon over a Unix socket of root's. */
  readonly hostTokenFile: string;
  /** Longest call. kubelet waits for ever, and its pod worker for 2 min 3 s. @default 90 */
  readonly deadlineSeconds: number;
  /**
   * Client ids of the machine's identities that volumes may use, `system` for the system-assigned one. The node reads the
   * volume, so no binding guards these: `any` includes the identities that are attached to the machine for other pods.
   *
   * @default none
   */
  readonly machineIdentities: 'any' | readonly string[];
  /** Mode of files where the pod says none. @default 0o440 */
  readonly filePermission: number;
  /** Size of a volume's tmpfs. @default 16 MiB, and at most what its content needs several times over */
  readonly volumeBytes: number;
}

export const defaultSettings: DriverSettings = {
  environment: {},
  logFile: '/var/log/kv-driver.log',
  stateDirectory: '/run/azimuth/kv',
  agentSocket: '',
  hostTokenFile: '/var/run/azimuth/nmi/host-token',
  deadlineSeconds: 90,
  machineIdentities: [],
  filePermission: 0o440,
  volumeBytes: 16 * 1024 * 1024,
};

/** Dot-named: kubelet probes the driver again for any other file that changes in its directory. */
export const settingsName = '.kv.json';

/** `AZIMUTH_KV_SETTINGS`, or the file beside the program. */
export function settingsFile(env: NodeJS.ProcessEnv, program: string): string {
  return env['AZIMUTH_KV_SETTINGS'] || join(dirname(program), settingsName);
}

/** Reads the file; an absent one means the defaults. Throws AZ_CONFIG_INVALID. */
export function readSettings(file: string): DriverSettings {
  let text: string;
  try {
    text = readBoundedTextSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return defaultSettings;
    throw new AzimuthError('AZ_CONFIG_INVALID', `The settings ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  return parseSettings(text, file);
}

/** Members as in DriverSettings, `filePermission` as octal text; unknown ones are refused. */
export function parseSettings(text: string, file: string): DriverSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The settings ${file} are no JSON document`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw expected(file, 'a JSON object', 'other JSON');
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, member] of Object.entries(value)) {
    const check = checks[name as keyof DriverSettings];
    if (!check) throw expected(`a member of ${file}`, `one of ${Object.keys(checks).join(', ')}`, name);
    settings[name] = check(member, `${name} of ${file}`);
  }
  return settings as unknown as DriverSettings;
}

type Check = (value: unknown, what: string) => unknown;

const path: Check = (value, what) => {
  if (typeof value === 'string' && value.startsWith('/') && !value.includes('\0')) return value;
  throw expected(what, 'an absolute path', value);
};
const whole =
  (least: number, most: number): Check =>
  (value, what) => {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return value;
    throw expected(what, `a whole number from ${least} to ${most}`, value);
  };

const checks: Record<keyof DriverSettings, Check> = {
  environment: (value, what) => {
    const object = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (object && Object.values(value).every((one) => typeof one === 'string')) return value;
    // Values may be the URL of a proxy with its password.
    throw expected(what, 'an object of texts', typeof value);
  },
  cloud: (value, what) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw expected(what, 'an object with the members of an environment file', value);
    }
    cloudFromDescription(value as CloudDescription, what);
    return value;
  },
  logFile: (value, what) => (value === '' ? value : path(value, what)),
  agentSocket: (value, what) => (value === '' ? value : path(value, what)),
  stateDirectory: path,
  hostTokenFile: path,
  deadlineSeconds: whole(1, 600),
  machineIdentities: (value, what) => {
    if (value === 'any' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))) return value;
    throw expected(what, '`any`, or a list of client ids and `system`', value);
  },
  filePermission: (value, what) => {
    if (typeof value !== 'string' || value === '') throw expected(what, 'an octal mode as text', value);
    return filePermission(value);
  },
  volumeBytes: whole(16 * 1024, 1024 * 1024 * 1024),
};
