import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, eventReasons, reasons } from '../../arm-kinds/names.ts';
import { parseJournal, type RunResult } from '../../engine/index.ts';
import { isConflict } from '../../kube/client/status-error.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import type { DeletionPlan } from '../lifecycle/deletion.ts';
import { type Readiness, readyCondition } from './conditions.ts';
import type { Pass } from './effects.ts';
import { failureFacts } from './errors.ts';

/** Events for what one pass did to an object, or could not do; none for a pass that only looked. */
export class PassEvents {
  readonly #events: EventRecorder;
  readonly #model: ArmModel;

  constructor(events: EventRecorder, model: ArmModel) {
    this.#events = events;
    this.#model = model;
  }

  ended(object: KubeObject, pass: Pass, result: RunResult, deleting = false): void {
    const action = deleting ? 'Delete' : 'CreateOrUpdate';
    if (result.state === 'Succeeded' && !deleting && wasSent(object, pass)) {
      const note = `${this.#model.armType(object)} is as declared`;
      this.#events.record({ regarding: object, reason: eventReasons.createOrUpdateSucceeded, action, note });
    }
    const refused = result.waits.find(({ reason }) => reason === reasons.adoptionRefused);
    // Said once: a condition that says it already was preceded by its event.
    if (refused && readyCondition(object['status']?.conditions)?.reason !== refused.reason) {
      this.#warn(object, eventReasons.adoptionRefused, 'Adopt', refused.message);
    }
    if (result.failure && pass.error !== undefined && !isConflict(pass.error)) {
      const { reason, message } = failureFacts(pass.error, this.#model.errorOverrides);
      const name = deleting ? eventReasons.deleteActionError : eventReasons.createOrUpdateActionError;
      this.#warn(object, name, action, `${reason}: ${message}`);
    }
  }

  /** The object has no room for its status: the event is all that tells of it. */
  tooLarge(object: KubeObject, { reason, message }: Readiness): void {
    const note = `The object is too large for a status; make it smaller. Ready would say ${reason}: ${message}`;
    this.#warn(object, eventReasons.statusTooLarge, 'UpdateStatus', note.slice(0, 1000));
  }

  /** The object is gone. */
  released(object: KubeObject, resourceId: string | undefined, plan: DeletionPlan): void {
    const told = { regarding: object, action: 'Delete' } as const;
    if (plan.noteworthy) {
      const note = `The object is gone, and nothing was deleted in Azure: ${plan.leave}`;
      this.#events.record({ ...told, reason: eventReasons.notPossibleInAzure, note });
    } else if (plan.leave === undefined) {
      this.#events.record({ ...told, reason: eventReasons.deleteSucceeded, note: `${resourceId} is gone from Azure` });
    }
  }

  #warn(regarding: KubeObject, reason: string, action: string, note: string): void {
    this.#events.record({ regarding, type: 'Warning', reason, action, note });
  }
}

/** Whether this pass ended what a PUT began, in this pass or in an earlier one. */
function wasSent(object: KubeObject, pass: Pass): boolean {
  const before = parseJournal(object.metadata.annotations?.[annotations.journal]);
  return pass.acted || before?.blocks['submit'] !== undefined;
}
