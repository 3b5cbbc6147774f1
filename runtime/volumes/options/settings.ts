import { dirname, join } from 'node:path';
import { type CloudDescription, cloudFromDescription } from '../../azure/clouds.ts';
import { readBoundedTextSync } from '../../base/bounded-file.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { filePermission } from '../mount/file-mode.ts';

/** The node's settings of all its volumes: a JSON file of root's beside the driver. */
export interface DriverSettings {
  /** Variables that override kubelet's: the cloud (AZURE_*), a proxy, NODE_EXTRA_CA_CERTS. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Describes `AzureStackCloud` with the members of an environment file, instead of such a file.
   *
   * @default the file that AZURE_ENVIRONMENT_FILEPATH of `environment` names
   */
  readonly cloud?: CloudDescription;
  /** Path of the log, which has a size limit and one rotated file; '' = none. @default '/var/log/kv-driver.log' */
  readonly logFile: string;
  /**
   * Directory of the drivers' lock, and of tmpfs mounts before the driver attaches them, on Linux before 5.2.
   *
   * @default '/run/azimuth/kv'
   */
  readonly stateDirectory: string;
  /** Socket of the node agent; '' = the node has none. The agent writes it when it installs the driver. @default '' */
  readonly agentSocket: string;
  /** Accepted and not used: the agent calls the node daemon over a Unix socket of root's. */
  readonly hostTokenFile: string;
  /** Longest call in seconds. kubelet waits without a limit, and its pod worker 2 min 3 s. @default 90 */
  readonly deadlineSeconds: number;
  /**
   * Client ids of the machine's identities that volumes may use; `system` is the system-assigned identity. No
   * AzureIdentityBinding limits these: `any` includes identities that are assigned to the machine for other pods.
   *
   * @default none
   */
  readonly machineIdentities: 'any' | readonly string[];
  /** Mode of files without a mode of their own. @default 0o440 */
  readonly filePermission: number;
  /** Size of a volume's tmpfs in bytes. @default 16 MiB */
  readonly volumeBytes: number;
  /**
   * Memory in bytes that the volumes of the node may take together. A namespace may have as much as stays free for others.
   *
   * @default 256 MiB, or 16 times volumeBytes where that is more
   */
  readonly nodeVolumeBytes: number;
}

const mebibyte = 1024 * 1024;

/** The settings of a node without a settings file. */
export const defaultSettings: DriverSettings = {
  environment: {},
  logFile: '/var/log/kv-driver.log',
  stateDirectory: '/run/azimuth/kv',
  agentSocket: '',
  hostTokenFile: '/var/run/azimuth/nmi/host-token',
  deadlineSeconds: 90,
  machineIdentities: [],
  filePermission: 0o440,
  volumeBytes: 16 * mebibyte,
  nodeVolumeBytes: 256 * mebibyte,
};

/**
 * Name of the settings file. It begins with a dot, because kubelet probes the driver again for other changed files.
 */
export const settingsName = '.kv.json';

/** Path of the settings: `AZIMUTH_KV_SETTINGS`, else the file beside the program. */
export function settingsFile(env: NodeJS.ProcessEnv, program: string): string {
  return env['AZIMUTH_KV_SETTINGS'] || join(dirname(program), settingsName);
}

/** Reads the settings; an absent file means the defaults. Throws AZ_CONFIG_INVALID. */
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

/**
 * Parses settings: members as in DriverSettings, `filePermission` as octal text. Throws AZ_CONFIG_INVALID, also for
 * unknown members. `file` is for messages.
 */
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
  const parsed = settings as unknown as DriverSettings;
  if ('nodeVolumeBytes' in value) return parsed;
  return { ...parsed, nodeVolumeBytes: Math.max(parsed.nodeVolumeBytes, 16 * parsed.volumeBytes) };
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
  volumeBytes: whole(16 * 1024, 1024 * mebibyte),
  nodeVolumeBytes: whole(mebibyte, 1024 * 1024 * mebibyte),
};
