import { isObject } from '../../../base/json.ts';
import type { NeededAnswer } from '../../../compute/deployments/open-values.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { ProgramKey } from '../../../kube/controller/program-key.ts';
import { SignedRecords } from '../../../kube/controller/signed-records.ts';

/** Why a run was made. */
export type RunReason = 'GoalChanged' | 'Retry' | 'Rollback' | 'Requested';

/** The operator's record of a run, which it trusts later. */
export interface RunRecord {
  /** From 1 on, by deployment. */
  readonly number: number;
  readonly reason: RunReason;
  /** Hash of the goal. */
  readonly goalHash: string;
  /** Hash of the deployment's goal and retry word when the run was made: a new one makes a new run. */
  readonly trigger: string;
  /** Name of the run that has the goal; absent: the run itself. */
  readonly goalOf?: string;
  /** Waves from the first one on whose gates have passed; the run starts no resource of a wave before. */
  readonly passedGates?: number;
  /** SHA-256 of the text of the goal that the run has; absent where it has none. */
  readonly textHash?: string;
  /** By location: what decided names and counts, so that each expansion of the run gives the same. @default none */
  readonly decided?: Readonly<Record<string, DecidedLocation>>;
}

/** The answers of Azure that decided about resources of one location. */
export interface DecidedLocation {
  /** Rounds of the run that answers decided. */
  readonly rounds: number;
  readonly answers: readonly DecidedAnswer[];
}

/** An answer, with the parts of the resource that the template reads. */
export interface DecidedAnswer extends NeededAnswer {
  readonly resource: unknown;
  /** Hash of the state of the object when the answer was read: another one can mean another answer. */
  readonly state: string;
}

/** The annotation of a ComputeRun with its record. */
export const runAnnotation = 'azimuth.dev/run';
const purpose = 'compute-run';

/**
 * The records of runs (docs/adr/0039). Anybody with write permission on ComputeRuns can write each byte of one; the operator runs the
 * goals of runs that it has signed, and of no others.
 */
export class RunRecords {
  readonly #key: ProgramKey;
  #signed: SignedRecords | undefined;
  /** The records read from the objects in the cache: there may be thousands of one deployment, read again and again. */
  readonly #read = new WeakMap<KubeObject, RunRecord | { readonly none: true }>();

  constructor(key: ProgramKey) {
    this.#key = key;
  }

  /** Loads the key. Await it once before any other call. */
  async load(signal: AbortSignal): Promise<void> {
    this.#signed ??= new SignedRecords(await this.#key.load(signal));
  }

  /** The text of the annotation for a stored run. */
  sign(run: KubeObject, record: RunRecord): string {
    if (!this.#signed) throw new Error('The key of the records is not loaded');
    return this.#signed.sign(purpose, run, JSON.stringify(record));
  }

  /** The record of a run; undefined where the operator has signed none. */
  read(run: KubeObject): RunRecord | undefined {
    if (run.metadata.annotations?.[runAnnotation] === undefined || !this.#signed) return undefined;
    const known = this.#read.get(run) ?? this.#verified(run) ?? { none: true };
    this.#read.set(run, known);
    return 'none' in known ? undefined : known;
  }

  #verified(run: KubeObject): RunRecord | undefined {
    const text = this.#signed?.verify(purpose, run, run.metadata.annotations?.[runAnnotation]);
    if (text === undefined) return undefined;
    const record: unknown = JSON.parse(text);
    return isObject(record) ? (record as unknown as RunRecord) : undefined;
  }
}
