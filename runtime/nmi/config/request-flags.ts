import type { Flag } from '../../base/program.ts';
import { bool, named, type Setting, type Text } from '../../base/settings.ts';
import { type AllowedPath, parseAllowedPath } from '../http/allowed-paths.ts';

/** Flags that decide which requests of pods and of callers on the node the daemon answers. */
export const requestFlags = {
  blockInstanceMetadata: {
    flag: 'block-instance-metadata',
    env: 'BLOCK_INSTANCE_METADATA',
    default: 'false',
    boolean: true,
    meaning: 'refuse /metadata/instance',
    parse: bool,
  },
  metadataPaths: {
    flag: 'metadata-paths',
    env: 'METADATA_PATHS',
    default: '',
    meaning:
      'further requests of pods that the daemon forwards to the metadata endpoint, such as `POST /metadata/scheduledevents`, ' +
      'separated by commas; `/*` at the end stands for the paths below',
    parse: allowedPaths,
  },
  metadataHeaderRequired: {
    flag: 'metadata-header-required',
    env: 'METADATA_HEADER_REQUIRED',
    default: 'true',
    boolean: true,
    meaning: 'refuse requests without the header Metadata: true',
    parse: bool,
  },
  hostSocket: {
    flag: 'host-socket',
    env: 'HOST_SOCKET',
    default: '',
    meaning:
      'Unix socket, for root only, that serves /host/token/ to callers on the node; nmi.sock beside the host token file ' +
      'when empty, none when off',
  },
  hostTokenTcp: {
    flag: 'host-token-tcp',
    env: 'HOST_TOKEN_TCP',
    default: 'false',
    boolean: true,
    meaning: 'serve /host/token/ by TCP on the loopback too, to callers that answer a challenge with the host token',
    parse: bool,
  },
  hostTokenFile: {
    flag: 'host-token-file',
    env: 'HOST_TOKEN_FILE',
    default: '/var/run/azimuth/nmi/host-token',
    meaning: 'file with the secret of callers by TCP; with --host-token-tcp the daemon creates it if missing',
  },
  allowHostCallers: {
    flag: 'allow-unauthenticated-host-callers',
    env: 'ALLOW_UNAUTHENTICATED_HOST_CALLERS',
    default: 'false',
    boolean: true,
    meaning: 'serve /host/token/ by TCP to everything on the host network, for callers without the challenge',
    parse: bool,
  },
} as const satisfies Record<string, Flag>;

function allowedPaths(setting: Setting, text: Text): AllowedPath[] {
  return text(setting)
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => parseAllowedPath(entry, named(setting)));
}
