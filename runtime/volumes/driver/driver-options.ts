import type { Clock } from '../../base/clock.ts';
import type { VolumeContent } from '../mount/mount.ts';
import type { Mounts } from '../mount/mounts.ts';
import type { DriverSettings } from '../options/settings.ts';
import type { MountCall } from './mount-request.ts';

/** The environment of one driver call. */
export interface DriverOptions {
  readonly settings: DriverSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly mounts: Mounts;
  /** Aborts on SIGTERM, SIGINT and SIGHUP. */
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** Reads the content of a volume. @default from the agent, or from the vault where the node has no agent */
  readonly content?: (call: MountCall, options: DriverOptions) => Promise<VolumeContent>;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}
