import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { IsolatedProcess, type JobResult, noProcessor } from '../../../base/isolation/isolated-process.ts';
import { TimeCredit } from '../../../base/isolation/time-credit.ts';
import { moduleFile } from '../../../base/process/module-file.ts';
import type { YamlAnswer, YamlJob } from '../../options/bounded-yaml.ts';
import type { KeyAndChain } from '../../vault/key-and-chain.ts';
import type { TenantTextAnswer, TenantTextJob } from './tenant-text-program.ts';

/** Milliseconds that one text may take. The slowest that vaults issue, PKCS#12 with RC2 and long chains, takes 200. */
const defaultMaxMs = 2000;
const program = fileURLToPath(moduleFile(import.meta.url, './tenant-text-program.ts'));

/** Time limit of the reader. */
export interface TenantTextReaderOptions {
  readonly clock: Clock;
  /** Milliseconds that one text may compute. @default 2000 */
  readonly maxMs?: number;
  /** Milliseconds after which its reading is ended in any case. @default four times as long as it may compute */
  readonly waitMs?: number;
}

/**
 * Reads keys, certificates and YAML of tenants in a separate process (docs/adr/0032). A text beyond the limits of time
 * and memory fails, and costs the namespace its credit of computing time.
 */
export class TenantTextReader {
  readonly #maxMs: number;
  readonly #credit: TimeCredit;
  readonly #process: IsolatedProcess<TenantTextJob, TenantTextAnswer>;

  constructor({ clock, maxMs = defaultMaxMs, waitMs }: TenantTextReaderOptions) {
    this.#maxMs = maxMs;
    this.#credit = new TimeCredit(clock);
    this.#process = new IsolatedProcess({ program, maxMs, ...(waitMs !== undefined && { waitMs }) });
  }

  /**
   * As `readKeyAndChain`, for the secret of a namespace's volume. Throws AZ_VOLUME_AGENT where the process cannot start,
   * and with retryAfterMs where texts of the namespace have used up its credit.
   */
  async read(namespace: string, value: string, signal: AbortSignal): Promise<KeyAndChain | undefined> {
    const answer = await this.#answer(
      namespace,
      { certificate: value },
      signal,
      'use raw, or a key of the type RSA or EC',
    );
    if (!('certificate' in answer)) throw new Error('the process sent another answer');
    const { certificate } = answer;
    if ('problem' in certificate) throw new Error(certificate.problem);
    return certificate.parts;
  }

  /** As `readYaml`, for texts of a class of the namespace. Throws AZ_VOLUME_AGENT as `read`. */
  async readYaml(namespace: string, yaml: YamlJob, signal: AbortSignal): Promise<YamlAnswer> {
    try {
      const answer = await this.#answer(namespace, { yaml }, signal, 'make it shorter');
      if ('yaml' in answer) return answer.yaml;
      throw new Error('the process sent another answer');
    } catch (error) {
      if (signal.aborted || error instanceof AzimuthError) throw error;
      return { values: [], parts: yaml.parts, problem: messageOf(error) };
    }
  }

  /** Ends the process. */
  close(): void {
    this.#process.close();
  }

  /** `fix` follows the message about a limit. */
  async #answer(namespace: string, job: TenantTextJob, signal: AbortSignal, fix: string): Promise<TenantTextAnswer> {
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) {
      throw new AzimuthError(
        'AZ_VOLUME_AGENT',
        `Texts of the namespace ${namespace} took too long to read as PEM, PKCS#12 or YAML; it is tried again`,
        { retryAfterMs: waitMs },
      );
    }
    const result = await this.#run(namespace, job, signal);
    if (!('exceeded' in result)) return result.answer;
    this.#credit.spend(namespace, result.ms);
    if (result.exceeded === 'processor') throw unreadable(noProcessor());
    const limit = result.exceeded === 'time' ? `more than ${this.#maxMs} ms` : 'too much memory';
    throw new Error(`reading it takes ${limit}; ${fix}`);
  }

  #run(namespace: string, job: TenantTextJob, signal: AbortSignal): Promise<JobResult<TenantTextAnswer>> {
    return this.#process.run(namespace, job, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw unreadable(cause);
    });
  }
}

function unreadable(cause: unknown): AzimuthError {
  const message = `Certificates and classes cannot be read now: ${messageOf(cause)}`;
  return new AzimuthError('AZ_VOLUME_AGENT', message, { cause });
}
