import { type Block, type Decision, done, type Pipeline, pipeline, type Wait } from '../../engine/index.ts';
import { jsonOf, memoOf, type RotationMemo } from './memo.ts';
import type { RotationStep } from './steps.ts';

export type RotationEffect =
  | { readonly do: 'publish'; readonly memo: RotationMemo }
  /** Reads the key that is to be renewed, and tells if it was. */
  | { readonly do: 'look'; readonly memo: RotationMemo }
  | { readonly do: 'renew'; readonly memo: RotationMemo }
  | { readonly do: 'poll'; readonly memo: RotationMemo };

/** What the block decides upon. Times in milliseconds, since the epoch where they are points. */
export interface RotationFacts {
  readonly now: number;
  readonly steps: readonly RotationStep[];
  /** How long consumers may take to read what was published. */
  readonly overlapMs: number;
  /** Fingerprint of the object: what Azure refused for good is tried again under another one. */
  readonly under: string;
  /** A program that has just started tries once more what was refused for good. */
  readonly afresh?: boolean;
  /** Fingerprint of the step's key as it is now, once somebody looked in this pass. */
  readonly looked: { readonly step: number; readonly key: string } | undefined;
  readonly nextPollAt: number;
}

/** How long a request that was cut off may take until the key shows whether it arrived. */
export const graceMs = 30_000;
const lookAgainMs = 5000;

const once = (memo: RotationMemo): Decision<RotationEffect> => ({
  next: 'perform',
  effect: { do: 'renew', memo },
  repeatable: false,
  memo: jsonOf(memo),
});
const repeat = (what: 'publish' | 'look' | 'poll', memo: RotationMemo): Decision<RotationEffect> => ({
  next: 'perform',
  effect: { do: what, memo },
  repeatable: true,
});
const pause = (until: number): Decision<RotationEffect> => ({ next: 'pause', until });

/** Walks the steps one by one; every renewal is announced, with what tells later whether it took place. */
const rotate: Block<undefined, RotationFacts, RotationEffect> = {
  name: 'rotate',
  decide: ({ observed: facts, memo: json, polling }) => {
    const memo = memoOf(json);
    const { now, looked } = facts;
    if (polling) return now < facts.nextPollAt ? pause(facts.nextPollAt) : repeat('poll', memo);
    const step = facts.steps[memo.step];
    if (!step) return done;
    if (step.do === 'publish') return repeat('publish', memo);
    const { refused, since, before, sentAt = 0 } = memo;
    const dueAt = since === undefined ? now : since + facts.overlapMs;
    if (now < dueAt) return pause(dueAt);
    if (refused && refused.under === facts.under) {
      if (refused.until !== undefined && now < refused.until) return pause(refused.until);
      if (refused.until === undefined && !facts.afresh) return { next: 'wait', waits: [refusal(refused)] };
    }
    if (looked?.step !== memo.step) return repeat('look', memo);
    // A look that finds another key than before ends the step; so this one found the same.
    const cutOff = before !== undefined && !refused;
    if (cutOff && now < sentAt + graceMs) return pause(Math.min(sentAt + graceMs, now + lookAgainMs));
    return once({ ...withoutRefusal(memo), before: before ?? looked.key, sentAt: now });
  },
};

function withoutRefusal({ refused: _, ...memo }: RotationMemo): RotationMemo {
  return memo;
}

/** Nothing in the cluster ends this wait but a change of the object. */
function refusal({ code, message }: { readonly code: string; readonly message: string }): Wait {
  return { kind: 'explicit', node: 'azure', reason: code, message };
}

/** Towards new keys. Its goal is one request: it is seen to its end before the next is begun. */
export const rotationPipeline: Pipeline<undefined, RotationFacts, RotationEffect> = pipeline('rotate', [rotate]);
