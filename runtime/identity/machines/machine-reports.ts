import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Desired } from '../assignments/desired.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import type { Reports } from '../reports.ts';

/** Most identities to detach whose last assignment is remembered, shared out by namespace of the binding. */
const mostDetaching = 10_000;

/** Dependencies of the reports. */
export interface MachineReportsDeps {
  readonly reports: Reports;
  /** The assignment with this key. */
  readonly desired: (key: string) => Desired | undefined;
  /** Counts an identity that ARM refused. */
  readonly refused: () => void;
}

/** Reports waits and failures on machines as events of the bindings and pods concerned. */
export class MachineReports {
  readonly #deps: MachineReportsDeps;
  /** The last assignment that needed an identity on a machine. */
  readonly #detaching = new SharedLru<Desired>(mostDetaching);

  constructor(deps: MachineReportsDeps) {
    this.#deps = deps;
  }

  /** Remembers the last assignment of an identity that the controller is about to detach. */
  released(reference: AttachmentReference, last: Desired): void {
    this.#detaching.set(keyOf(reference), last, last.binding.metadata.namespace ?? '');
  }

  /** These assignments wait for a long operation of Azure. */
  pending(machine: string, keys: ReadonlySet<string>): void {
    for (const desired of this.#desired(keys)) this.#deps.reports.pending(desired, machine);
  }

  /** An identity, or (undefined) the whole machine, could not be changed for these assignments. */
  failed(machine: string, identity: string | undefined, why: string, keys: ReadonlySet<string>): void {
    if (identity) this.#deps.refused();
    const text = identity ? `${identity} on ${machine}: ${why}` : `${machine}: ${why}`;
    for (const desired of this.#desired(keys)) this.#deps.reports.applyFailed(desired, text);
  }

  /** These identities could not be detached. */
  detachFailed(machine: string, identities: Iterable<string>, why: string): void {
    for (const identity of identities) {
      const last = this.#detaching.get(keyOf({ machine, identity }));
      if (last) this.#deps.reports.detachFailed(last, `${identity} on ${machine}: ${why}`);
    }
  }

  #desired(keys: ReadonlySet<string>): Desired[] {
    return [...keys].map((key) => this.#deps.desired(key)).filter((desired) => desired !== undefined);
  }
}

function keyOf({ machine, identity }: AttachmentReference): string {
  return `${machine} ${identity}`;
}
