import type { Clock } from '../../base/clock.ts';
import type { VolumeContent } from '../mount/mount.ts';
import type { Mounts } from '../mount/mounts.ts';
import type { MountCall } from './mount-request.ts';
import type { DriverSettings } from './settings.ts';

/** The node that the driver runs on. */
export interface DriverOptions {
  readonly settings: DriverSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly mounts: Mounts;
  /** Aborts when the process is told to end. */
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** What is in a volume. @default what the agent says, or the vault where there is none */
  readonly content?: (call: MountCall, options: DriverOptions) => Promise<VolumeContent>;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}
