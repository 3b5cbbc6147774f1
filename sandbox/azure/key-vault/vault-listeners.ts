import { Listener, type ListenerDeps } from '../listener.ts';
import type { KeyAndCertificate } from '../pki.ts';
import type { VaultService } from './vault.ts';

/**
 * A listener for each vault, because an unmodified client must reach a vault by a name that resolves: glibc knows no
 * `*.localhost`, so `localhost` and a port works everywhere. The port is kept in the state.
 */
export class VaultListeners {
  readonly #service: VaultService;
  readonly #deps: ListenerDeps;
  readonly #tls: KeyAndCertificate;
  readonly #open = new Map<string, Promise<Listener>>();

  constructor(service: VaultService, deps: ListenerDeps, tls: KeyAndCertificate) {
    this.#service = service;
    this.#deps = deps;
    this.#tls = tls;
  }

  /** Resolves when the vault can be reached. */
  async ensure(vaultName: string): Promise<void> {
    const key = vaultName.toLowerCase();
    const vaults = this.#deps.store.data.vaults;
    let listener = this.#open.get(key);
    if (!listener) {
      const options = { port: vaults[key]?.port ?? 0, tls: this.#tls, fallback: true };
      listener = Listener.start('vault', this.#service.handler(key), this.#deps, options);
      this.#open.set(key, listener);
    }
    const { port } = await listener;
    vaults[key] ??= { secrets: {}, keys: {}, certificates: {} };
    vaults[key].port = port;
  }

  /** Base URL with trailing slash. */
  uri(vaultName: string): string {
    const port = this.#deps.store.data.vaults[vaultName.toLowerCase()]?.port;
    return `https://localhost:${port}/`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(async (listener) => (await listener).close()));
    this.#open.clear();
  }
}
