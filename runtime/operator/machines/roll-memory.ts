import type { Operation } from '../../azure/types.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RollInstance } from '../../compute/rolls/instance-counts.ts';
import type { MaintenanceWindow } from '../../compute/rolls/maintenance-window.ts';
import type { Severity } from '../objects/conditions.ts';

/** The progress of one run. */
export interface Progress {
  /** Whether the machine, or every instance of the set, has its model and ManagedSecrets. */
  readonly done: boolean;
  /** Of a set: whether its instances are healthy too, within the limits of its policy. */
  readonly well?: boolean;
  /** No severity: every instance has the model. */
  readonly severity: Severity | undefined;
  readonly reason: string;
  readonly message: string;
  /** Of a set: the instances of the last read. */
  readonly instances?: readonly RollInstance[];
  /** `status.managedSecrets`; undefined where nothing was read in this run. */
  readonly status?: JsonObject;
  /** When to reconcile again, in milliseconds; undefined: only after a change. */
  readonly afterMs?: number;
  /** Of a set: when its maintenance window lets the roll go on, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

/** A maintenance configuration that is attached to a set. */
export interface MaintenanceAssignment {
  readonly name: string;
  readonly configurationId: string;
  /** Of scope OSImage, where it could be read. */
  readonly window?: MaintenanceWindow;
  /** Why its window is not known, which may be of another scope. */
  readonly problem?: string;
  /** Whether the operator reads it again before the hour is over, and nothing may happen until then. */
  readonly isPending?: boolean;
}

/** The maintenance configurations of a set: none known before the first read. `nextAt`: the earliest next read. */
export interface MaintenanceMemory {
  readonly nextAt: number;
  readonly assignments?: readonly MaintenanceAssignment[];
}

/** The record of the roll of one machine in this process. Losing it costs requests, never correctness. */
export interface RollMemory {
  /** Earliest next read of instances, in milliseconds since the epoch. */
  nextReadAt: number;
  /** Fingerprint of the subject of the last report: body, extensions and versions. */
  fingerprint: string | undefined;
  /** The result of the last read of instances. */
  progress: Progress | undefined;
  /** Failures in a row. */
  failures: number;
  /** The request of a roll that Azure works on. */
  operation: Operation | undefined;
  /** Resumptions of an interrupted upgrade in a row, and the earliest next one. */
  resumed: { readonly times: number; readonly nextAt: number };
  /** When this process first saw instances behind the model with no upgrade under way. */
  behindSince: number | undefined;
  /** When the last batch of the operator ended. */
  batchEndedAt: number | undefined;
}

/** The memory of a roll that this process has not seen. */
export function newRollMemory(): RollMemory {
  return {
    nextReadAt: 0,
    fingerprint: undefined,
    progress: undefined,
    failures: 0,
    operation: undefined,
    resumed: { times: 0, nextAt: 0 },
    behindSince: undefined,
    batchEndedAt: undefined,
  };
}

/** Another model has its own progress; the time of the next read stays, as it keeps the requests within Azure's limits. */
export function forgetProgress(memory: RollMemory, fingerprint: string): void {
  if (memory.fingerprint === fingerprint) return;
  memory.fingerprint = fingerprint;
  memory.behindSince = undefined;
  memory.resumed = { times: 0, nextAt: 0 };
  memory.progress = undefined;
}
