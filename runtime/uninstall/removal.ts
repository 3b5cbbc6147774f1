import type { Clock } from '../base/clock.ts';
import type { KubeClient } from '../kube/client/types.ts';
import type { UninstallMode } from './config.ts';

/** Parts and options of a removal. */
export interface Removal {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly mode: UninstallMode;
  /** Milliseconds without progress after which the removal fails. */
  readonly stallMs: number;
  /** Milliseconds between two reads of the cluster. @default 2000 */
  readonly pollMs?: number;
  /** Gets one line at a time. */
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}
