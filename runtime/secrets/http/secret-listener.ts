import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { CertificateSource, ServingPair } from './certificate-source.ts';
import type { SecretServer } from './secret-server.ts';
import { ServingCertificate } from './serving-certificate.ts';

/** Dependencies of SecretListener. */
export interface SecretListenerDeps {
  readonly server: SecretServer;
  readonly source: CertificateSource;
  readonly port: number;
  readonly address: string | undefined;
  /** Called with the key of each certificate, the first time before the server listens. */
  readonly onKey: (key: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Listens once there is a certificate, and serves new connections with each later one. */
export class SecretListener {
  readonly #deps: SecretListenerDeps;
  readonly #certificate: ServingCertificate;
  readonly #port = Promise.withResolvers<number>();
  #listens = false;

  constructor(deps: SecretListenerDeps) {
    const { source, clock, log } = deps;
    this.#deps = deps;
    this.#port.promise.catch(() => undefined);
    this.#certificate = new ServingCertificate({ source, clock, log, onPair: (pair) => this.#use(pair) });
  }

  /** The HTTPS port, once it listens. */
  get listening(): Promise<number> {
    return this.#port.promise;
  }

  /** Readiness: why there is no certificate, or that it has ended. */
  problem(): string | undefined {
    return this.#certificate.problem();
  }

  /** Follows the certificate until the signal aborts. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#certificate.run(stop);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#port.reject(new Error('the endpoint has stopped'));
    await this.#deps.server.close();
  }

  async #use(pair: ServingPair): Promise<void> {
    const { server, port, address, onKey, log } = this.#deps;
    onKey(pair.key);
    if (this.#listens) {
      server.renew(pair);
      return;
    }
    const listener = await server.listen(pair, port, address);
    this.#listens = true;
    log.info({ port: listener }, 'the endpoint listens');
    this.#port.resolve(listener);
  }
}
