import { AzimuthError } from '../../base/errors.ts';
import type { VolumeContent } from '../mount/mount.ts';
import { withVault } from '../vault/vault-session.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { DriverOptions } from './driver-options.ts';
import { type MountCall, requestOf } from './mount-request.ts';

/**
 * The content of a volume, read by the driver itself: where a node has no agent, or it is away for a moment. A pod's
 * identity is not for the driver to use: only the agent authenticates the pod that the options name.
 */
export async function directContent(call: MountCall, options: DriverOptions): Promise<VolumeContent> {
  const request = requestOf(call);
  const { mode } = request.identity;
  const { agentSocket } = options.settings;
  // The agent may have rules for namespaces, and only the agent knows the namespace.
  if (mode === 'pod' || (mode === 'vm' && agentSocket !== '')) throw withoutAgent(mode, agentSocket);
  return withVault(request, options, (vault) => contentOf(request, vault, options.settings));
}

function withoutAgent(mode: 'pod' | 'vm', socket: string): AzimuthError {
  const away =
    socket === ''
      ? 'this node has none: deploy it (azimuth volumes), or use a service principal'
      : `none answers at ${socket}: is its DaemonSet running here? It is tried again`;
  return new AzimuthError(
    'AZ_VOLUME_AGENT',
    `A volume with ${mode === 'pod' ? 'usepodidentity' : 'usevmmanagedidentity'} needs the node agent, which authenticates the pod, and ${away}`,
  );
}
