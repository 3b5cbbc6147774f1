import { AzimuthError } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';

/**
 * Ends the process when work outlived its lease (`Manager.run` rejects with this error): the work must not continue
 * while another replica works, so there is no graceful shutdown. Returns for every other error.
 */
export function endIfWorkOutlivedLease(error: unknown, log: Logger): void {
  if (!(error instanceof AzimuthError && error.code === 'AZ_LEASE_LOST')) return;
  log.error({ code: error.code, error: error.message }, 'program ends at once');
  process.exit(1);
}
