import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { CertificateSource, ServingPair } from './certificate-source.ts';

/** Dependencies of ServingCertificate. */
export interface ServingCertificateDeps {
  readonly source: CertificateSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with each pair that can be used, the first time before the server listens. */
  readonly onPair: (pair: ServingPair) => Promise<void>;
}

/** kubelet changes the files of a mounted Secret within two minutes. */
const checkMs = 10_000;

/** Follows the endpoint's own certificate. A pair that cannot be used is not taken. */
export class ServingCertificate {
  readonly #deps: ServingCertificateDeps;
  #used: string | undefined;
  #notAfter = 0;
  #problem: string | undefined = 'the certificate was not read yet';

  constructor(deps: ServingCertificateDeps) {
    this.#deps = deps;
  }

  /** Readiness: why there is no certificate, or that it has ended. */
  problem(): string | undefined {
    if (this.#used === undefined) return this.#problem;
    return this.#notAfter > this.#deps.clock.now() ? undefined : 'the certificate has ended';
  }

  /** Reads the source until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.check();
      await this.#deps.clock.sleep(checkMs, signal).catch(() => undefined);
    }
  }

  /** Reads the source once. */
  async check(): Promise<void> {
    const { source, onPair, log } = this.#deps;
    try {
      const { cert, key } = await source.read();
      const text = `${cert}\n${key}`;
      if (text === this.#used) return;
      // Throws for a key of another certificate.
      createSecureContext({ cert, key });
      const { validTo } = new X509Certificate(cert);
      await onPair({ cert, key });
      this.#used = text;
      this.#notAfter = Date.parse(validTo);
      this.#problem = undefined;
      log.info({ source: source.name, validTo }, 'the certificate is in use');
    } catch (error) {
      // Errors of these functions name sources and reasons, and no part of a key.
      const problem = `${source.name} cannot be used: ${messageOf(error)}`;
      if (problem !== this.#problem) log.warn({ error: problem }, 'the certificate cannot be used');
      this.#problem = problem;
    }
  }
}
