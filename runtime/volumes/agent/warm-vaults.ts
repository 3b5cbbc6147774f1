import type { Clock } from '../../base/clock.ts';
import type { DriverSettings } from '../driver/settings.ts';
import type { VolumeRequest } from '../options/volume-request.ts';
import type { FetchOptions } from '../vault/fetch.ts';
import { openConnections, type VaultConnections, type VaultSessionOptions, withVault } from '../vault/vault-session.ts';
import { WarmTokens } from './warm-tokens.ts';

export interface WarmVaultsOptions {
  readonly settings: DriverSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** The node daemon's port; what pods say of it is not heard, since it is told the host's secret. */
  readonly nmiPort: number;
}

/** Clouds at a time; more than one is rare. */
const mostClouds = 8;

/** Reads vaults with connections and tokens that outlive a mount, which take longer to make than all else. */
export class WarmVaults {
  readonly #options: WarmVaultsOptions;
  readonly #tokens: WarmTokens;
  readonly #connections = new Map<string, VaultConnections>();

  constructor(options: WarmVaultsOptions) {
    this.#options = options;
    this.#tokens = new WarmTokens(options.clock);
  }

  /** As withVault. */
  use<T>(
    request: VolumeRequest,
    signal: AbortSignal,
    use: (vault: FetchOptions) => Promise<T>,
    { once = false }: Pick<VaultSessionOptions, 'once'> = {},
  ): Promise<T> {
    const { keep: keepTokens } = this.#tokens;
    const connections = (volume: VolumeRequest) => this.#connectionsFor(volume);
    return withVault(request, { ...this.#options, signal, connections, keepTokens, once }, use);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((each) => each.close()));
  }

  #connectionsFor(request: VolumeRequest): VaultConnections {
    const key = request.cloudName.toLowerCase();
    const known = this.#connections.get(key);
    if (known) return known;
    const [[oldest, connections] = []] = this.#connections;
    if (oldest !== undefined && this.#connections.size >= mostClouds) {
      this.#connections.delete(oldest);
      // Requests under way are let finish.
      void connections?.close().catch(() => undefined);
    }
    const fresh = openConnections(request, { ...this.#options, http: { keepAliveMs: 60_000, connections: 32 } });
    this.#connections.set(key, fresh);
    return fresh;
  }
}
