import type { CheckResult } from '../../../compute/deployments/wave-gate.ts';
import type { DeploymentObject } from '../runs/runs.ts';

/** The run and the wave that a check is about. */
export interface CheckPlace {
  readonly deployment: DeploymentObject;
  readonly run: string;
  /** From 1 on. */
  readonly wave: number;
  readonly locations: readonly string[];
}

/** Result of one try. */
export type Try = Pick<CheckResult, 'state' | 'message'>;
