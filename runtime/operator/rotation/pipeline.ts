import { type Block, type Decision, done, type Pipeline, pipeline, type Wait } from '../../engine/index.ts';
import type { RotationStep } from '../export/steps.ts';
import { jsonOf, memoOf, type RotationMemo } from './memo.ts';

/** The effects of a rotation. */
export type RotationEffect =
  | { readonly do: 'publish'; readonly memo: RotationMemo }
  /** Reads the key that is to be renewed: a different key than before proves that Azure renewed it. */
  | { readonly do: 'readKey'; readonly memo: RotationMemo }
  | { readonly do: 'renew'; readonly memo: RotationMemo }
  | { readonly do: 'poll'; readonly memo: RotationMemo };

/** The input of the block's decision. Durations in milliseconds, points in time in milliseconds since the epoch. */
export interface RotationObservation {
  readonly now: number;
  readonly steps: readonly RotationStep[];
  /** How long consumers may take to read a published key. */
  readonly overlapMs: number;
  /** Hash of the object: a request that Azure refused for good is tried again under another hash. */
  readonly objectHash: string;
  /** A process that has just started tries once more the requests that Azure refused for good. */
  readonly firstInProcess?: boolean;
  /** Fingerprint of the step's key as it is now, once this run has read it. */
  readonly keyRead: { readonly step: number; readonly key: string } | undefined;
  readonly nextPollAt: number;
}

/** Milliseconds until the key must show whether an interrupted request arrived. */
export const graceMs = 30_000;
const readAgainMs = 5000;

const once = (memo: RotationMemo): Decision<RotationEffect> => ({
  next: 'perform',
  effect: { do: 'renew', memo },
  repeatable: false,
  memo: jsonOf(memo),
});
const repeat = (what: 'publish' | 'readKey' | 'poll', memo: RotationMemo): Decision<RotationEffect> => ({
  next: 'perform',
  effect: { do: what, memo },
  repeatable: true,
});
const pause = (until: number): Decision<RotationEffect> => ({ next: 'pause', until });

/**
 * Does the steps one by one; journals each renewal with the key's fingerprint, so that a restart knows whether it
 * arrived.
 */
const rotate: Block<undefined, RotationObservation, RotationEffect> = {
  name: 'rotate',
  decide: ({ observed, memo: json, polling }) => {
    const memo = memoOf(json);
    const { now, keyRead } = observed;
    if (polling) return now < observed.nextPollAt ? pause(observed.nextPollAt) : repeat('poll', memo);
    const step = observed.steps[memo.step];
    if (!step) return done;
    if (step.do === 'publish') return repeat('publish', memo);
    const { refused, since, before, sentAt = 0 } = memo;
    const dueAt = since === undefined ? now : since + observed.overlapMs;
    if (now < dueAt) return pause(dueAt);
    if (refused && refused.under === observed.objectHash) {
      if (refused.until !== undefined && now < refused.until) return pause(refused.until);
      if (refused.until === undefined && !observed.firstInProcess) return { next: 'wait', waits: [refusal(refused)] };
    }
    if (keyRead?.step !== memo.step) return repeat('readKey', memo);
    // Another key than before would have ended the step, so this is the old key.
    const cutOff = before !== undefined && !refused;
    if (cutOff && now < sentAt + graceMs) return pause(Math.min(sentAt + graceMs, now + readAgainMs));
    return once({ ...withoutRefusal(memo), before: before ?? keyRead.key, sentAt: now });
  },
};

function withoutRefusal({ refused: _, ...memo }: RotationMemo): RotationMemo {
  return memo;
}

/** Only a change of the object ends this wait. */
function refusal({ code, message }: { readonly code: string; readonly message: string }): Wait {
  return { kind: 'explicit', node: 'azure', reason: code, message };
}

/** Renews all keys. One request is finished before the next one begins. */
export const rotationPipeline: Pipeline<undefined, RotationObservation, RotationEffect> = pipeline('rotate', [rotate]);
