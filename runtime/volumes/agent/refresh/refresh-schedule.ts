import { AuthUnavailable } from '../../../azure/identity/entra-errors.ts';
import { KeyVaultError } from '../../../azure/key-vault/error.ts';
import { backoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { RecordedVolume } from './recorded-volumes.ts';

/** Clock and defaults of the schedule. */
export interface RefreshScheduleOptions {
  readonly clock: Clock;
  /** Interval of volumes without one, milliseconds. */
  readonly intervalMs: number;
  /** Random number from 0 to 1. */
  readonly random: () => number;
}

/** Share of its interval by which a refresh may come early, to join others of its vault. */
const earlyShare = 0.1;
const longestBackoffMs = 15 * 60_000;

/** Decides when each volume is refreshed, and pauses vaults and credentials that ask for it (Retry-After). */
export class RefreshSchedule {
  readonly #options: RefreshScheduleOptions;
  /** Pauses of vaults and of credentials (cache keys), until monotonic milliseconds. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: RefreshScheduleOptions) {
    this.#options = options;
  }

  /** The volumes to refresh now, by vault: those that are due, and others of the same vault that soon are. */
  due(volumes: readonly RecordedVolume[]): Map<string, readonly RecordedVolume[]> {
    const now = this.#options.clock.monotonic();
    for (const [key, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(key);
    const batches = new Map<string, readonly RecordedVolume[]>();
    for (const [vault, all] of Map.groupBy(volumes, (volume) => volume.vault)) {
      if (this.pauseMs(vault) > 0 || !all.some(({ dueAt }) => dueAt <= now)) continue;
      batches.set(
        vault,
        all.filter(({ dueAt, intervalMs }) => dueAt - earlyShare * intervalMs <= now),
      );
    }
    return batches;
  }

  /** Remaining pause of a vault or cache key, milliseconds; 0 or less where it has none. */
  pauseMs(key: string): number {
    return (this.#pausedUntil.get(key) ?? 0) - this.#options.clock.monotonic();
  }

  /** Schedules the next refresh, up to a tenth earlier or later, to spread volumes that were mounted together. */
  next(volume: RecordedVolume, ms: number): void {
    volume.dueAt = this.#options.clock.monotonic() + ms * (0.9 + 0.2 * this.#options.random());
  }

  /**
   * Schedules the retry of a failed refresh with a growing delay, and pauses the vault or the credential that sent
   * Retry-After. Returns the delay in milliseconds.
   */
  retry(volume: RecordedVolume, error: unknown): number {
    const { clock, intervalMs } = this.#options;
    volume.failures++;
    const asked = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    const growing = backoff(volume.failures - 1, { initialMs: 5000, maxMs: Math.max(longestBackoffMs, intervalMs) });
    const wait = Math.max(asked ?? 0, growing);
    this.next(volume, wait);
    // A vault's limits apply to all its readers; Entra's to the credential without a token.
    const source = sourceOf(error);
    const paused = source === 'vault' ? volume.vault : source === 'token' ? volume.cacheKey : undefined;
    if (asked !== undefined && paused !== undefined) this.#pausedUntil.set(paused, clock.monotonic() + asked);
    return wait;
  }
}

/** The service whose answer failed a refresh; undefined where there was no answer. */
function sourceOf(error: unknown): 'vault' | 'token' | undefined {
  if (!(error instanceof AzimuthError)) return undefined;
  if (error instanceof KeyVaultError || error.cause instanceof KeyVaultError) return 'vault';
  const unavailable = error instanceof AuthUnavailable || error.cause instanceof AuthUnavailable;
  return unavailable || error.code === 'AZ_AUTH_FAILED' ? 'token' : undefined;
}
