import type { ArmModel } from '../../../arm-kinds/model.ts';
import { annotations, eventReasons, reasons } from '../../../arm-kinds/names.ts';
import { type EngineResult, parseJournal } from '../../../engine/index.ts';
import { isConflict } from '../../../kube/client/status-error.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { EventRecorder } from '../../../kube/events/recorder.ts';
import { failureInfo } from '../../effects/failures.ts';
import type { DeletionPlan } from '../../lifecycle/deletion.ts';
import { type Readiness, readyCondition } from '../../objects/conditions.ts';
import type { Reconciliation } from '../reconciliation.ts';

/** The events of a reconcile run; none for a run that only checked Azure. */
export class ReconcileEvents {
  readonly #events: EventRecorder;
  readonly #model: ArmModel;

  constructor(events: EventRecorder, model: ArmModel) {
    this.#events = events;
    this.#model = model;
  }

  ended(object: KubeObject, run: Reconciliation, result: EngineResult, deleting = false): void {
    const action = deleting ? 'Delete' : 'CreateOrUpdate';
    if (result.state === 'Succeeded' && !deleting && wasSent(object, run)) {
      const note = `${this.#model.armType(object)} is as declared`;
      this.#events.record({ regarding: object, reason: eventReasons.createOrUpdateSucceeded, action, note });
    }
    const refused = result.waits.find(({ reason }) => reason === reasons.adoptionRefused);
    // Reported once: if the condition already has the reason, the event was sent before.
    if (refused && readyCondition(object['status']?.conditions)?.reason !== refused.reason) {
      this.#warn(object, eventReasons.adoptionRefused, 'Adopt', refused.message);
    }
    if (result.failure && run.error !== undefined && !isConflict(run.error)) {
      const { reason, message } = failureInfo(run.error, this.#model.errorOverrides);
      const name = deleting ? eventReasons.deleteActionError : eventReasons.createOrUpdateActionError;
      this.#warn(object, name, action, `${reason}: ${message}`);
    }
  }

  /** The object has no room for its status: only the event reports it. */
  tooLarge(object: KubeObject, { reason, message }: Readiness): void {
    const note = `The object is too large for a status; make it smaller. Ready would be ${reason}: ${message}`;
    this.#warn(object, eventReasons.statusTooLarge, 'UpdateStatus', note.slice(0, 1000));
  }

  /** Reports that the operator removes the finalizer, and with it the object. */
  removed(object: KubeObject, resourceId: string | undefined, deletionPlan: DeletionPlan): void {
    const event = { regarding: object, action: 'Delete' } as const;
    if (deletionPlan.needsEvent) {
      const note = `The object is gone, and nothing was deleted in Azure: ${deletionPlan.keepReason}`;
      this.#events.record({ ...event, reason: eventReasons.notPossibleInAzure, note });
    } else if (deletionPlan.keepReason === undefined) {
      this.#events.record({ ...event, reason: eventReasons.deleteSucceeded, note: `${resourceId} is gone from Azure` });
    }
  }

  #warn(regarding: KubeObject, reason: string, action: string, note: string): void {
    this.#events.record({ regarding, type: 'Warning', reason, action, note });
  }
}

/** Whether this run sent a PUT, or finished the PUT of an earlier run. */
function wasSent(object: KubeObject, run: Reconciliation): boolean {
  const before = parseJournal(object.metadata.annotations?.[annotations.journal]);
  return run.observed.wroteToAzure || before?.blocks['submit'] !== undefined;
}
