import type { Runtime } from '../../kube/cache/types.ts';
import type { AttachmentIndex } from '../attachments/attachment-index.ts';
import type { AttachmentRecords } from '../attachments/attachment-records.ts';
import type { IdentityVerifier } from '../verification/identity-verifier.ts';
import type { MachineReports } from './machine-reports.ts';
import type { MachineWriter } from './machine-writer.ts';
import type { NeededDefinitions } from './needed-definitions.ts';
import type { ProtectedIdentities } from './protected-identities.ts';

/** Times and limits of the reconciliation of machines, milliseconds. */
export interface MachinesOptions {
  /** Time between two reads of a machine in sync; a read finds identities that somebody detached. @default 180000 */
  readonly verifyMs?: number;
  /** Number of workers. @default 32 */
  readonly concurrency?: number;
  /**
   * How long a worker waits at most for one machine before it takes the next. The reconcile run continues without a
   * worker: a slow machine, a long operation or a throttled region must not delay the others. @default 1000
   */
  readonly waitAtMostMs?: number;
  /** Changes within this time share one PATCH; the machine is read meanwhile. @default 25 */
  readonly gatherMs?: number;
  /** Delays before the retry of a refused identity. @default 15 s to 10 min */
  readonly refusedBackoff?: { readonly initialMs: number; readonly maxMs: number };
  /** A longer wait for Azure is reported to its pods. @default 30000 */
  readonly reportMs?: number;
  /** Longest wait for a foreign operation on a machine before its identities count as attached. @default 60000 */
  readonly busyMs?: number;
  /** Time between two reads that show an entry without a client id, before it counts as dead. @default 5000 */
  readonly confirmMs?: number;
}

/** Dependencies of the reconciliation of machines. */
export interface MachinesDeps {
  readonly runtime: Runtime;
  readonly index: AttachmentIndex;
  readonly records: AttachmentRecords;
  readonly writer: MachineWriter;
  readonly protection: Pick<ProtectedIdentities, 'protects' | 'learn' | 'resolve'>;
  /** What Azure shows of the identities themselves. */
  readonly identities: Pick<IdentityVerifier, 'shown' | 'answerOf'>;
  /** Region of a machine before its first read; '' where unknown. */
  readonly regionOf: (machine: string) => string;
  /** Resolves once the objects are known from which the index follows. */
  readonly whenReady: (signal: AbortSignal) => Promise<void>;
  /** Whether the index has all assignments: the controller detaches identities that are not in it. */
  readonly isComplete: () => boolean;
  /** Nothing is detached while one of them is gone: the index then has less than pods need. */
  readonly definitions: Pick<NeededDefinitions, 'areRemoved'>;
  /** Enqueues assignments whose identities changed on a machine. */
  readonly enqueue: (keys: ReadonlySet<string>) => void;
  readonly reports: Pick<MachineReports, 'pending' | 'failed' | 'detachFailed'>;
}
