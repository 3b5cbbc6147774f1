import { rmSync } from 'node:fs';
import type { AdminServer } from '../admin/admin.ts';
import type { Handler } from '../exchange.ts';
import type { ServiceName } from '../journal.ts';
import { Listener } from '../listener.ts';
import type { AzureDeps } from './azure-deps.ts';
import type { createServices } from './services.ts';

/** The ports of an embedded Azure. Where one cannot be opened, the others close. */
export class ServiceListeners {
  readonly #deps: AzureDeps;
  readonly #services: ReturnType<typeof createServices>;
  readonly #listeners: Listener[] = [];
  #admin: AdminServer | undefined;

  constructor(deps: AzureDeps, services: ReturnType<typeof createServices>) {
    this.#deps = deps;
    this.#services = services;
  }

  /** Opens the ports of the services, and completes the endpoints but for `admin`. */
  async start(): Promise<void> {
    const { entra, arm, graph, imds, vaultService, vaults, storage } = this.#services;
    const { endpoints, state, options } = this.#deps;
    const { ports = {} } = options;
    await this.#orClose(async () => {
      endpoints.aad = `https://localhost:${await this.#listen('aad', entra.handle, ports.aad)}`;
      endpoints.arm = `https://localhost:${await this.#listen('arm', arm.handle, ports.arm)}`;
      endpoints.graph = `https://localhost:${await this.#listen('graph', graph.handle, ports.graph)}`;
      endpoints.imds = `http://127.0.0.1:${await this.#listen('imds', imds.handle, ports.imds)}`;
      endpoints.vaultSuffix = `vault.localhost:${await this.#listen('vault', vaultService.handler(), ports.vault)}`;
      endpoints.blob = `https://127.0.0.1:${await this.#listen('blob', storage.handler('blob'), ports.blob)}`;
      endpoints.queue = `https://127.0.0.1:${await this.#listen('queue', storage.handler('queue'), ports.queue)}`;
      for (const name of Object.keys(state.vaults)) await vaults.ensure(name);
    });
  }

  /** Opens the port of the admin endpoint. */
  async startAdmin(admin: AdminServer): Promise<void> {
    const { endpoints, options } = this.#deps;
    this.#admin = admin;
    await this.#orClose(async () => {
      endpoints.admin = `http://127.0.0.1:${await admin.listen(options.ports?.admin ?? 0)}`;
    });
  }

  /** Closes all ports, and writes the state. */
  async close(): Promise<void> {
    const { assertions, listeners, temporary } = this.#deps;
    const open = this.#listeners.map((listener) => listener.close());
    await Promise.all([this.#admin?.close(), ...open, this.#services.vaults.close()]);
    await assertions.close();
    listeners.store.flush();
    if (temporary) rmSync(temporary, { recursive: true, force: true });
  }

  async #listen(service: ServiceName, handler: Handler, port = 0): Promise<number> {
    const secure = service === 'imds' ? {} : { tls: this.#deps.tls };
    const listener = await Listener.start(service, handler, this.#deps.listeners, { port, ...secure });
    this.#listeners.push(listener);
    return listener.port;
  }

  async #orClose(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
