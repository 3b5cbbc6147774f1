import { type MountCall, podUidOf, requestOf } from '../driver/mount-request.ts';
import type { DriverSettings } from '../driver/settings.ts';
import type { VolumeContent } from '../mount/mount.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { NodePods } from './pods.ts';
import type { VaultPool } from './vault-pool.ts';

export interface MountServiceOptions {
  readonly pods: NodePods;
  readonly vaults: VaultPool;
  readonly settings: Pick<DriverSettings, 'filePermission' | 'volumeBytes'>;
  /** Whether a volume that acts as the machine needs an authenticated pod: its namespace decides. */
  readonly authenticateMachines: boolean;
}

/** The content of volumes, for authenticated pods. */
export class MountService {
  readonly #options: MountServiceOptions;

  constructor(options: MountServiceOptions) {
    this.#options = options;
  }

  /**
   * Reads the content of a volume and hands it to `deliver`. The volume counts for the bounds of its namespace until that is
   * done. Throws the reason for kubelet.
   */
  async mount<T>(
    call: MountCall,
    signal: AbortSignal,
    deliver: (content: VolumeContent) => T | Promise<T>,
  ): Promise<T> {
    const { vaults, settings } = this.#options;
    const request = await this.authenticated(requestOf(call), podUidOf(call.directory), signal);
    return vaults.use(request, signal, async (vault) => deliver(await contentOf(request, vault, settings)));
  }

  /**
   * The request with the pod that it is for: kubelet writes the uid into the path, and the API server knows its name and
   * namespace. A volume that acts as the pod, or as the machine by rules for namespaces, is refused without.
   */
  async authenticated(request: VolumeRequest, uid: string | undefined, signal: AbortSignal): Promise<VolumeRequest> {
    const { pods, authenticateMachines } = this.#options;
    const { mode } = request.identity;
    if (mode === 'pod' || (mode === 'vm' && authenticateMachines))
      return { ...request, pod: await pods.authenticate(uid, request.pod, signal) };
    const { name = '', namespace = '' } = (uid && pods.get(uid)?.metadata) || {};
    return { ...request, pod: { name, namespace, uid: uid ?? '' } };
  }
}
