import { AzimuthError } from '../../base/errors.ts';
import type { VolumeContent } from '../mount/mount.ts';
import { withVault } from '../vault/vault-session.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { DriverOptions } from './driver-options.ts';
import { type MountCall, requestOf } from './mount-request.ts';

/**
 * Reads the content of a volume in the driver, on nodes without an agent or while it restarts. Throws AZ_VOLUME_AGENT
 * for pod identities, because only the agent can authenticate the pod, and for the machine's on a node with an agent.
 */
export async function directContent(call: MountCall, options: DriverOptions): Promise<VolumeContent> {
  const request = requestOf(call);
  const { mode } = request.identity;
  const { agentSocket } = options.settings;
  // The agent may have rules for namespaces, and only it knows the pod's namespace.
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
