import { join, resolve } from 'node:path';
import { AzimuthError, expected } from '../../base/errors.ts';
import { type ConfigOf, defineProgram, type Flag, logLevelFlag, optional, wholeFrom } from '../../base/program.ts';
import { bool, named, type Setting, type Text } from '../../base/settings.ts';

/** The endpoints of the sandbox with a port of their own. */
export const portNames = ['kube', 'aad', 'arm', 'vault', 'graph', 'imds', 'blob', 'queue', 'admin'] as const;
/** One of `portNames`. */
export type PortName = (typeof portNames)[number];

function portFlag(name: PortName, what: string) {
  return {
    flag: `port-${name}`,
    env: `SANDBOX_PORT_${name.toUpperCase()}`,
    default: '0',
    meaning: `port of ${what}; 0 picks a free one`,
    parse: wholeFrom(0, 65_535),
  } as const satisfies Flag;
}

/** The origin of an https URL without path, user and query. */
function httpsOrigin(setting: Setting, text: Text): string {
  const given = text(setting);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin;
  throw new AzimuthError('AZ_CONFIG_INVALID', `Expected \`${named(setting)}\` to be an https URL without a path`);
}

const program = defineProgram({
  name: 'sandbox',
  usage: ['Usage: azimuth sandbox [flags] [-- command]'],
  description: [
    'Starts an embedded Kubernetes API and an embedded Azure on 127.0.0.1 and runs until it is interrupted.',
    'With a command, runs that in the environment of azure.env, and ends with its exit code.',
  ],
  flags: {
    directory: {
      flag: 'dir',
      env: 'SANDBOX_DIR',
      default: join('.azimuth', 'sandbox'),
      meaning: 'where kubeconfig, certificates and environment files go',
      parse: (setting, text) => resolve(text(setting)),
    },
    persist: {
      flag: 'persist',
      env: 'SANDBOX_PERSIST',
      default: 'false',
      boolean: true,
      meaning: 'keep objects, resources, keys and ports in that directory over a restart',
      parse: bool,
    },
    seed: {
      flag: 'seed',
      env: 'SANDBOX_SEED',
      default: '',
      meaning: "make Azure's ids and keys the same in every run",
      parse: optional,
      // The keys follow from it.
      secret: true,
    },
    operationMs: {
      flag: 'operation-ms',
      env: 'SANDBOX_OPERATION_MS',
      default: '1000',
      meaning: 'milliseconds of an Azure operation',
      parse: wholeFrom(0, 3_600_000),
    },
    rbac: {
      flag: 'rbac',
      env: 'SANDBOX_RBAC',
      default: 'false',
      boolean: true,
      meaning: 'let role assignments decide about access to Azure Resource Manager',
      parse: bool,
    },
    fail: {
      flag: 'fail',
      env: 'SANDBOX_FAIL',
      default: '',
      meaning: 'files with faults (JSON arrays) that are set from the start, separated by commas',
      parse: (setting, text) => text(setting).split(',').filter(Boolean),
    },
    replay: {
      flag: 'replay',
      env: 'SANDBOX_REPLAY',
      default: '',
      meaning: 'recorded sessions (files, separated by commas) to replay: prints what differs, and ends',
      parse: (setting, text) => text(setting).split(',').filter(Boolean),
    },
    record: {
      flag: 'record',
      env: 'SANDBOX_RECORD',
      default: '',
      meaning: 'file for a session: starts no sandbox, but a proxy before the upstream that records, redacted',
      parse: (setting, text) => (text(setting) === '' ? undefined : resolve(text(setting))),
    },
    upstream: {
      flag: 'upstream',
      env: 'SANDBOX_UPSTREAM',
      default: 'https://management.azure.com',
      meaning: 'address of the Resource Manager that answers while --record records',
      parse: httpsOrigin,
    },
    logLevel: { ...logLevelFlag, env: 'SANDBOX_LOG_LEVEL', default: 'warn' },
    kube: portFlag('kube', 'the Kubernetes API'),
    aad: portFlag('aad', 'Microsoft Entra ID'),
    arm: portFlag('arm', 'Azure Resource Manager'),
    vault: portFlag('vault', 'Key Vault'),
    graph: portFlag('graph', 'Microsoft Graph'),
    imds: portFlag('imds', 'the metadata endpoint'),
    blob: portFlag('blob', 'blobs of storage accounts'),
    queue: portFlag('queue', 'queues of storage accounts'),
    admin: portFlag('admin', 'the admin endpoint'),
  } as const satisfies Record<string, Flag>,
  complete: ({ kube, aad, arm, vault, graph, imds, blob, queue, admin, ...values }) => {
    const { record, replay } = values;
    if (record !== undefined && replay.length > 0)
      throw expected('--replay', 'absent with --record, which makes the session', replay.join(','));
    return {
      ...values,
      ports: { kube, aad, arm, vault, graph, imds, blob, queue, admin } satisfies Record<PortName, number>,
    };
  },
});

/** The flags of `azimuth sandbox`. */
export const sandboxSettings = program.flags;
/** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID naming flag and variable. */
export const sandboxConfig = program.read;
/** The settings of `azimuth sandbox`. */
export type SandboxConfig = ConfigOf<typeof sandboxConfig>;
