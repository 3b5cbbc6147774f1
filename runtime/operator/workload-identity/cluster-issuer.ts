import { messageOf } from '../../base/errors.ts';
import type { Runtime } from '../../kube/cache/types.ts';

const path = '/.well-known/openid-configuration';
/** Milliseconds for which an answer counts; the issuer changes when an administrator restarts the API server. */
const freshMs = 600_000;

/**
 * The issuer of the cluster's service account tokens, by the API server's discovery document. Every service account may
 * read it (`system:service-account-issuer-discovery`), so the operator needs no right of its own.
 */
export class ClusterIssuer {
  readonly #runtime: Pick<Runtime, 'client' | 'clock' | 'log'>;
  #answer: Promise<string | undefined> | undefined;
  #readAt = 0;

  constructor(runtime: Pick<Runtime, 'client' | 'clock' | 'log'>) {
    this.#runtime = runtime;
  }

  /** The issuer's URL; undefined where the API server does not give it. Never rejects. */
  get(): Promise<string | undefined> {
    const now = this.#runtime.clock.monotonic();
    if (!this.#answer || now - this.#readAt > freshMs) {
      this.#readAt = now;
      this.#answer = this.#read();
    }
    return this.#answer;
  }

  async #read(): Promise<string | undefined> {
    try {
      const { issuer } = await this.#runtime.client.raw<{ issuer?: unknown }>(path);
      return typeof issuer === 'string' && issuer !== '' ? issuer : undefined;
    } catch (error) {
      const why = { error: messageOf(error), path };
      this.#runtime.log.warn(
        why,
        'the issuer of the cluster is not known: federated credentials are checked without it',
      );
      return undefined;
    }
  }
}
