import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { IsolatedProcess, type JobResult } from '../../../base/isolation/isolated-process.ts';
import { TimeCredit } from '../../../base/isolation/time-credit.ts';
import type { CertificateAnswer } from '../../vault/certificate-program.ts';
import type { KeyAndChain } from '../../vault/key-and-chain.ts';

/** Milliseconds that one text may take. The slowest that vaults issue, PKCS#12 with RC2 and long chains, takes 200. */
const defaultMaxMs = 2000;
/** The bundle has the program beside its other files (tools/bundle.ts). */
const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../vault/certificate-program.ts' : './certificate-program.mjs',
    import.meta.url,
  ),
);

/** Time limit of the reader. */
export interface CertificateReaderOptions {
  readonly clock: Clock;
  /** Milliseconds that one text may take. @default 2000 */
  readonly maxMs?: number;
}

/**
 * Reads keys and certificates of tenants in a separate process (docs/adr/0032). A text beyond the limits of time and
 * memory fails, and costs the namespace its credit of computing time.
 */
export class CertificateReader {
  readonly #maxMs: number;
  readonly #credit: TimeCredit;
  readonly #process: IsolatedProcess<string, CertificateAnswer>;

  constructor({ clock, maxMs = defaultMaxMs }: CertificateReaderOptions) {
    this.#maxMs = maxMs;
    this.#credit = new TimeCredit(clock);
    this.#process = new IsolatedProcess({ program, maxMs });
  }

  /**
   * As `readKeyAndChain`, for the secret of a namespace's volume. Throws AZ_VOLUME_AGENT where the process cannot start,
   * and with retryAfterMs where texts of the namespace have used up its credit.
   */
  async read(namespace: string, value: string, signal: AbortSignal): Promise<KeyAndChain | undefined> {
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) {
      throw new AzimuthError(
        'AZ_VOLUME_AGENT',
        `Secrets of the namespace ${namespace} took too long to read as PEM or PKCS#12; it is tried again`,
        { retryAfterMs: waitMs },
      );
    }
    const result = await this.#run(namespace, value, signal);
    if ('exceeded' in result) {
      this.#credit.spend(namespace, result.ms);
      const limit = result.exceeded === 'time' ? `more than ${this.#maxMs} ms` : 'too much memory';
      throw new Error(`reading it takes ${limit}; use raw, or a key of the type RSA or EC`);
    }
    const { answer } = result;
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.parts;
  }

  /** Ends the process. */
  close(): void {
    this.#process.close();
  }

  #run(namespace: string, value: string, signal: AbortSignal): Promise<JobResult<CertificateAnswer>> {
    return this.#process.run(namespace, value, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new AzimuthError('AZ_VOLUME_AGENT', `Certificates cannot be read now: ${messageOf(cause)}`, { cause });
    });
  }
}
