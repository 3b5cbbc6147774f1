import type { CheckResult } from '../../../compute/deployments/wave-gate.ts';
import type { DeploymentObject, RunObject } from '../runs/runs.ts';

/** The run and the wave that a check is about. */
export interface CheckPlace {
  readonly deployment: DeploymentObject;
  readonly run: RunObject;
  /** From 1 on. */
  readonly wave: number;
  readonly locations: readonly string[];
  /** Since when the wave is well, milliseconds since the epoch: earlier results count for nothing. */
  readonly since: number;
}

/** Result of one try. */
export type Try = Pick<CheckResult, 'state' | 'message'>;
