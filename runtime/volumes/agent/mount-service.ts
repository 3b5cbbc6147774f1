import { type MountCall, podUidOf, requestOf } from '../driver/mount-request.ts';
import type { VolumeContent } from '../mount/mount.ts';
import type { DriverSettings } from '../options/settings.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';
import { contentOf } from '../vault/volume-content.ts';
import type { NodePods } from './pods.ts';
import type { VaultPool } from './pool/vault-pool.ts';

/** Dependencies of the mount service. */
export interface MountServiceDeps {
  readonly pods: NodePods;
  readonly vaults: VaultPool;
  readonly settings: Pick<DriverSettings, 'filePermission' | 'volumeBytes'>;
  /**
   * Whether a volume with the machine's identity needs an authenticated pod, because rules depend on its namespace.
   */
  readonly authenticateMachines: boolean;
}

/** Reads the content of volumes for authenticated pods. */
export class MountService {
  readonly #deps: MountServiceDeps;

  constructor(deps: MountServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the content of a volume and passes it to `deliver`. The volume counts for the limits of its namespace until
   * `deliver` resolves. Throws the reason for kubelet.
   */
  async mount<T>(
    call: MountCall,
    signal: AbortSignal,
    deliver: (content: VolumeContent) => T | Promise<T>,
  ): Promise<T> {
    const { vaults, settings } = this.#deps;
    const request = await this.authenticated(requestOf(call), podUidOf(call.directory), signal);
    const { namespace } = request.pod;
    return vaults.use(request, signal, async (vault) =>
      deliver({ ...(await contentOf(request, vault, settings)), namespace }),
    );
  }

  /**
   * The request with its authenticated pod: kubelet writes the uid into the path, and the API server has name and
   * namespace. Throws for an unknown pod where the volume uses the pod's identity, or the machine's under rules for
   * namespaces.
   */
  async authenticated(request: VolumeSpec, uid: string | undefined, signal: AbortSignal): Promise<VolumeSpec> {
    const { pods, authenticateMachines } = this.#deps;
    const { mode } = request.identity;
    if (mode === 'pod' || (mode === 'vm' && authenticateMachines))
      return { ...request, pod: await pods.authenticate(uid, request.pod, signal) };
    const { name = '', namespace = '' } = (uid && pods.get(uid)?.metadata) || {};
    return { ...request, pod: { name, namespace, uid: uid ?? '' } };
  }
}
