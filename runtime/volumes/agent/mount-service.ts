import { type MountCall, podUidOf, requestOf } from '../driver/mount-request.ts';
import type { DriverSettings } from '../driver/settings.ts';
import type { VolumeContent } from '../mount/mount.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { NodePods } from './pods.ts';
import type { WarmVaults } from './warm-vaults.ts';

export interface MountServiceOptions {
  readonly pods: NodePods;
  readonly vaults: WarmVaults;
  readonly settings: Pick<DriverSettings, 'filePermission'>;
}

/** The content of volumes, for pods that are who they say. */
export class MountService {
  readonly #options: MountServiceOptions;

  constructor(options: MountServiceOptions) {
    this.#options = options;
  }

  /** What a volume holds now. Throws what kubelet shall be told. */
  async content(call: MountCall, signal: AbortSignal): Promise<VolumeContent> {
    const { vaults, settings } = this.#options;
    const request = await this.vouched(requestOf(call), podUidOf(call.directory), signal);
    return vaults.use(request, signal, (vault) => contentOf(request, vault, settings));
  }

  /**
   * The request with the pod that it is for: in the path kubelet says it, and the API server knows its name. Only who acts
   * as the pod needs that; credentials of others are in the request itself, or are the machine's.
   */
  async vouched(request: VolumeRequest, uid: string | undefined, signal: AbortSignal): Promise<VolumeRequest> {
    if (request.identity.mode !== 'pod') return request;
    return { ...request, pod: await this.#options.pods.vouch(uid, request.pod, signal) };
  }
}
