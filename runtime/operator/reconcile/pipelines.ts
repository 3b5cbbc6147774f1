import { annotations, reasons } from '../../arm-kinds/names.ts';
import { hasFailed, isBeingDeleted, isInProgress } from '../../azure/arm/operations/provisioning-state.ts';
import { type Block, type Decision, done, type Json, type Pipeline, pipeline } from '../../engine/index.ts';
import {
  endsKnownDifference,
  hasArrived,
  isForDesiredState,
  mayBeStale,
  needsPut,
  type PutMemo,
  putMemo,
  wasApplied,
} from '../effects/applied.ts';
import type { Observation } from '../effects/observation.ts';
import type { DesiredState } from '../effects/reconcile-plan.ts';
import { isRecent } from '../objects/acquisition.ts';
import type { Effect } from './effect.ts';

type OperatorBlock = Block<DesiredState, Observation, Effect>;
type OperatorPipeline = Pipeline<DesiredState, Observation, Effect>;

/** A repeatable effect: the runner performs it without journaling it first. */
const perform = (what: Effect['do']): Decision<Effect> => ({
  next: 'perform',
  effect: { do: what },
  repeatable: true,
});
/** Journals the PUT's hashes before sending it, so that a restart knows whether the PUT arrived. */
const beginCreateOrUpdate = (desired: DesiredState, observed: Observation): Decision<Effect> => {
  const memo = putMemo(desired, observed) as unknown as Json;
  return { next: 'perform', effect: { do: 'beginCreateOrUpdate' }, repeatable: false, memo };
};
/** The journal has it before the request is sent. */
const beginDelete: Decision<Effect> = { next: 'perform', effect: { do: 'beginDelete' }, repeatable: false };
const failure = (code: string, message: string): Decision<Effect> => ({ next: 'fail', failure: { code, message } });
const monitorOperation = ({ now, nextPollAt }: Observation): Decision<Effect> =>
  now < nextPollAt ? { next: 'pause', until: nextPollAt } : perform('monitorOperation');

/** Only a change of the object ends this wait; the resync reads the resource again. */
const refusal = (message: string): Decision<Effect> => ({
  next: 'wait',
  waits: [{ kind: 'explicit', node: 'azure', reason: reasons.adoptionRefused, message }],
});

/** The resync reads the resource again: it goes with its owner. */
const cannotDelete: Decision<Effect> = {
  next: 'wait',
  waits: [
    {
      kind: 'explicit',
      node: 'azure',
      reason: reasons.deletionNotSupported,
      message:
        `Azure has no DELETE for this type. The object stays until Azure has the resource no more, which may go with ` +
        `its owner, or until ${annotations.reconcilePolicy} is detach-on-delete or skip`,
    },
  ],
};

/** Milliseconds that Azure may need until it shows a resource that it has just accepted. */
const showDelayMs = 5000;

const dependencies: OperatorBlock = {
  name: 'dependencies',
  decide: ({ desired: { waits } }) => (waits.length === 0 ? done : { next: 'wait', waits }),
};

const finalizer: OperatorBlock = {
  name: 'finalizer',
  after: ['dependencies'],
  decide: ({ observed }) => (observed.finalizerAdded ? done : perform('addFinalizer')),
};

/**
 * The operator stores generated credentials before it sends the resource, and only a later run sends them, so that
 * there is one password after any crash. It reads the resource first, because an existing server keeps its user name.
 */
const credentials: OperatorBlock = {
  name: 'credentials',
  after: ['finalizer'],
  decide: ({ desired, observed }) => {
    if (desired.policy === 'skip') return done;
    if (observed.adminStored) return { next: 'pause', until: observed.now };
    if (desired.adminTask === undefined) return done;
    if (observed.live === undefined) return perform('readResource');
    return observed.adoptionRefusal === undefined ? perform('storeGeneratedAdmin') : done;
  },
};

/**
 * Reads the resource, compares it with the desired state, and decides whether to PUT, to poll, to wait or to do
 * nothing.
 */
const determineCreateOrUpdateAction: OperatorBlock['decide'] = (context) => {
  const { desired, observed, memo, polling, interrupted } = context;
  if (polling) return monitorOperation(observed);
  const { live } = observed;
  if (live === undefined) return perform('readResource');
  if (live.exists && isBeingDeleted(live.body)) return perform('waitForDeletion');
  if (desired.policy === 'skip') return determineReadOnlyAction(live.exists, observed);
  // A memo without an operation means that a PUT of this desired state was accepted and is over.
  if (memo !== undefined && !interrupted) {
    if (!live.exists) {
      return observed.putSent ? { next: 'pause', until: observed.now + showDelayMs } : perform('reportAbsent');
    }
    if (hasFailed(live.body)) return perform('failAndRetry');
    if (isInProgress(live.body)) return perform('joinOperation');
    return observed.appliedRecorded ? done : perform('recordApplied');
  }
  if (observed.adoptionRefusal !== undefined) return refusal(observed.adoptionRefusal);
  const announced = interrupted ? (memo as PutMemo | undefined) : undefined;
  const needed = !hasArrived(desired, observed, announced) && needsPut(desired, observed);
  // It was there, or well, a moment ago.
  if (needed && !interrupted && mayBeStale(observed) && wasApplied(desired, observed)) {
    return { next: 'pause', until: observed.now + showDelayMs };
  }
  if (live.exists && isInProgress(live.body) && (needed || interrupted)) {
    // The end of a PUT for another desired state proves nothing about this one.
    const foreign = !isForDesiredState(desired, announced);
    return { next: 'perform', effect: { do: 'joinOperation', foreign }, repeatable: true };
  }
  if (needed && !live.exists && (live.ownerGone || observed.ownerDeleting)) return perform('waitForOwnerInAzure');
  if (needed) return beginCreateOrUpdate(desired, observed);
  // An adopted resource is recorded as the object's own.
  const recorded =
    !interrupted &&
    observed.applied !== undefined &&
    observed.owned !== false &&
    !endsKnownDifference(desired, observed);
  return recorded || observed.appliedRecorded ? done : perform('recordApplied');
};

/** Under the policy skip, the operator sends no write. */
function determineReadOnlyAction(exists: boolean, { adoptionRefusal, owned }: Observation): Decision<Effect> {
  if (!exists) return failure(reasons.azureResourceNotFound, 'It does not exist in Azure, and its policy is skip');
  if (adoptionRefusal !== undefined) return refusal(adoptionRefusal);
  return owned === false ? perform('recordAdoption') : done;
}

const submit: OperatorBlock = { name: 'submit', after: ['credentials'], decide: determineCreateOrUpdateAction };

const ready: OperatorBlock = {
  name: 'ready',
  after: ['submit'],
  decide: ({ observed: { readyWhen, now } }) => {
    if (readyWhen === undefined) return perform('evaluateReadyWhen');
    return readyWhen ? done : { next: 'pause', until: now + 3 * showDelayMs };
  },
};

const exports: OperatorBlock = {
  name: 'export',
  after: ['ready'],
  decide: ({ observed }) => (observed.exportsDue ? perform('export') : done),
};

/** Creates or updates the resource until it is as declared. */
export const applyPipeline: OperatorPipeline = pipeline('apply', [
  dependencies,
  finalizer,
  credentials,
  submit,
  ready,
  exports,
]);

/**
 * Polls an operation that began before the deletion to its end, so that the operator deletes the resource that it
 * creates, unless the resource stays. The mark of an interrupted PUT stays until `delete` announces its own request in
 * the same write.
 */
const finishSubmit: OperatorBlock = {
  name: 'submit',
  after: ['dependencies'],
  decide: ({ desired: { deletion }, observed, polling, interrupted }) => {
    // The resource stays, and there may be no credential to read it with.
    if (deletion?.keepReason !== undefined) return done;
    if (polling) return monitorOperation(observed);
    return interrupted && observed.live === undefined ? perform('readResource') : done;
  },
};

const remove: OperatorBlock = {
  name: 'delete',
  after: ['submit', 'dependencies'],
  decide: ({ desired: { deletion }, observed, memo, polling, interrupted }) => {
    // This holds during an operation too: the owner may have been deleted in the meantime, with all its children.
    if (deletion?.keepReason !== undefined) return done;
    if (polling) return monitorOperation(observed);
    if (observed.deleted || memo !== undefined) return done;
    const { live } = observed;
    if (live === undefined) return perform('readResource');
    if (deletion?.undeletable) return live.exists ? cannotDelete : done;
    return live.exists || interrupted || deletion?.putUnanswered || mayShowLater(observed) ? beginDelete : done;
  },
};

/** Services show a new resource, and then answer 404 again: Machine Learning does so with registries. */
function mayShowLater({ live, acquired, now }: Observation): boolean {
  return live?.exists === false && !live.ownerGone && acquired !== undefined && isRecent(acquired, now);
}

/** Deletes the vault secrets of a deleted resource; they stay if the resource stays. */
const vaults: OperatorBlock = {
  name: 'vaults',
  after: ['delete'],
  decide: ({ desired: { deletion }, observed }) =>
    observed.secretsInVaults && deletion && deletion.keepReason === undefined ? perform('clearVaults') : done,
};

const removeFinalizer: OperatorBlock = {
  name: 'removeFinalizer',
  after: ['vaults'],
  decide: ({ observed }) => (observed.finalizerRemoved ? done : perform('removeFinalizer')),
};

/** Deletes the resource, and then the object. */
export const deletePipeline: OperatorPipeline = pipeline('delete', [
  dependencies,
  finishSubmit,
  remove,
  vaults,
  removeFinalizer,
]);
