import { reasons } from '../../arm-kinds/names.ts';
import { type Block, type Decision, done, type Json, type Pipeline, pipeline } from '../../engine/index.ts';
import {
  type Effect,
  type Facts,
  hasArrived,
  hasFailed,
  isBeingDeleted,
  isMoving,
  isStillWanted,
  needsPut,
  type PutMemo,
  putMemo,
} from './observed.ts';

type OperatorBlock = Block<undefined, Facts, Effect>;

const repeat = (what: Effect['do']): Decision<Effect> => ({
  next: 'perform',
  effect: { do: what },
  repeatable: true,
});
/** Journaled before it is done. */
const once = (what: Effect['do']): Decision<Effect> => ({ next: 'perform', effect: { do: what }, repeatable: false });
/** Announces with it what tells later whether it took place. */
const put = (facts: Facts): Decision<Effect> => {
  const memo = putMemo(facts) as unknown as Json;
  return { next: 'perform', effect: { do: 'put' }, repeatable: false, memo };
};
const failure = (code: string, message: string): Decision<Effect> => ({ next: 'fail', failure: { code, message } });
const poll = ({ now, nextPollAt }: Facts): Decision<Effect> =>
  now < nextPollAt ? { next: 'pause', until: nextPollAt } : repeat('poll');

/** Nothing in the cluster ends this wait but a change of the object; Azure is asked again with the periodic check. */
const refusal = (message: string): Decision<Effect> => ({
  next: 'wait',
  waits: [{ kind: 'explicit', node: 'azure', reason: reasons.adoptionRefused, message }],
});

/** Azure may take a moment until it shows what it has just accepted. */
const settleMs = 5000;

const dependencies: OperatorBlock = {
  name: 'dependencies',
  decide: ({ observed: { waits } }) => (waits.length === 0 ? done : { next: 'wait', waits }),
};

const claim: OperatorBlock = {
  name: 'claim',
  after: ['dependencies'],
  decide: ({ observed }) => (observed.claimed ? done : repeat('claim')),
};

/**
 * Made-up credentials are stored before the resource is sent, and sent in the pass that finds them stored: whatever
 * happens in between, there is one password. What Azure has comes first, as an existing server keeps its user name.
 */
const credentials: OperatorBlock = {
  name: 'credentials',
  after: ['claim'],
  decide: ({ observed: facts }) => {
    if (facts.credentials === undefined || facts.policy === 'skip') return done;
    if (facts.credentials === 'stored') return { next: 'pause', until: facts.now };
    if (facts.live === undefined) return repeat('get');
    return facts.adoptionRefusal === undefined ? repeat('storeCredentials') : done;
  },
};

const submit: OperatorBlock = {
  name: 'submit',
  after: ['credentials'],
  decide: ({ observed: facts, memo, polling, interrupted }) => {
    if (polling) return poll(facts);
    const { live } = facts;
    if (live === undefined) return repeat('get');
    if (live.exists && isBeingDeleted(live.body)) return repeat('waitForDeletion');
    if (facts.policy === 'skip') {
      if (!live.exists) {
        return failure(reasons.azureResourceNotFound, 'It does not exist in Azure, and its policy is skip');
      }
      if (facts.adoptionRefusal !== undefined) return refusal(facts.adoptionRefusal);
      return facts.owned === false ? repeat('recordAdoption') : done;
    }
    // A memo without an operation means that a PUT under this goal was accepted and is over.
    if (memo !== undefined && !interrupted) {
      if (!live.exists) return facts.sent ? { next: 'pause', until: facts.now + settleMs } : repeat('reportAbsent');
      if (hasFailed(live.body)) {
        return repeat('giveUp');
      }
      if (isMoving(live.body)) return repeat('adopt');
      return facts.settled ? done : repeat('settle');
    }
    if (facts.adoptionRefusal !== undefined) return refusal(facts.adoptionRefusal);
    const announced = interrupted ? (memo as PutMemo | undefined) : undefined;
    const needed = !hasArrived(facts, announced) && needsPut(facts);
    if (live.exists && isMoving(live.body) && (needed || interrupted)) {
      // The end of what was announced for another goal says nothing about this one.
      return { next: 'perform', effect: { do: 'adopt', foreign: !isStillWanted(facts, announced) }, repeatable: true };
    }
    if (needed && !live.exists && live.ownerGone) return repeat('waitForOwnerInAzure');
    if (needed) return put(facts);
    // What was taken over as it is counts as our own from here on.
    const recorded = !interrupted && facts.applied !== undefined && facts.owned !== false;
    return recorded || facts.settled ? done : repeat('settle');
  },
};

const ready: OperatorBlock = {
  name: 'ready',
  after: ['submit'],
  decide: ({ observed: { readyWhen, now } }) => {
    if (readyWhen === undefined) return repeat('askReady');
    return readyWhen ? done : { next: 'pause', until: now + 3 * settleMs };
  },
};

const exports: OperatorBlock = {
  name: 'export',
  after: ['ready'],
  decide: ({ observed }) => (observed.exports === 'owed' ? repeat('export') : done),
};

/** Towards a resource that is as declared. */
export const applyPipeline: Pipeline<undefined, Facts, Effect> = pipeline('apply', [
  dependencies,
  claim,
  credentials,
  submit,
  ready,
  exports,
]);

/**
 * An operation of the time before the deletion is seen to its end, as what it makes must not be left behind, unless the
 * resource is to stay. The mark of a PUT that was cut off stays until `delete` can announce its own request in the same write.
 */
const finishSubmit: OperatorBlock = {
  name: 'submit',
  after: ['dependencies'],
  decide: ({ observed, polling, interrupted }) => {
    // What Azure is left with is none of this object's business any more, and there may be no credential to ask with.
    if (observed.deletion?.leave !== undefined) return done;
    if (polling) return poll(observed);
    return interrupted && observed.live === undefined ? repeat('get') : done;
  },
};

const remove: OperatorBlock = {
  name: 'delete',
  after: ['submit', 'dependencies'],
  decide: ({ observed: facts, memo, polling, interrupted }) => {
    const { deletion, live } = facts;
    // Also while Azure is at work on it: its owner went in the meantime, say, and all that was in that with it.
    if (deletion?.leave !== undefined) return done;
    if (polling) return poll(facts);
    if (deletion?.deleted || memo !== undefined) return done;
    if (live === undefined) return repeat('get');
    return live.exists || interrupted || deletion?.unsure ? once('delete') : done;
  },
};

/** The secrets of a resource that is gone are worth nothing; where it stays, they stay. */
const vaults: OperatorBlock = {
  name: 'vaults',
  after: ['delete'],
  decide: ({ observed: { deletion } }) =>
    deletion?.inVaults && deletion.leave === undefined ? repeat('clearVaults') : done,
};

const release: OperatorBlock = {
  name: 'release',
  after: ['vaults'],
  decide: ({ observed }) => (observed.deletion?.released ? done : repeat('release')),
};

/** Towards a resource, and then an object, that is gone. */
export const deletePipeline: Pipeline<undefined, Facts, Effect> = pipeline('delete', [
  dependencies,
  finishSubmit,
  remove,
  vaults,
  release,
]);
