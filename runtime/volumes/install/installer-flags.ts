import { type Flag, optional } from '../../base/program.ts';
import { absolutePath } from '../../base/settings.ts';

/** Flags of both programs that install the driver `kv` on a node: `azimuth volumes` and `azimuth flexvolume`. */
export const installerFlags = {
  targetDirectory: {
    flag: 'target-dir',
    env: 'TARGET_DIR',
    default: '',
    meaning: "kubelet's plugin directory; detected on the host when empty",
    parse: optional,
  },
  hostRoot: {
    flag: 'host-root',
    env: 'HOST_ROOT',
    default: '/',
    meaning: "mount point of the host's /",
    parse: absolutePath,
  },
  source: {
    flag: 'source',
    env: 'KV_SOURCE',
    default: 'dist/kv',
    meaning: 'the driver, with its digest <file>.sha256 beside it',
  },
} as const satisfies Record<string, Flag>;
