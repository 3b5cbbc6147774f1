import { canonicalJson, isObject } from '../base/json.ts';
import { type State, transitions } from './states.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined };

/** Why a block failed. Never contains a secret. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The state of one block for the journal's desired state. */
export interface BlockEntry {
  readonly state: State;
  /** The block's memo: an operation that it polls, or the result of an effect. */
  readonly memo?: Json | undefined;
  readonly failure?: Failure | undefined;
}

/**
 * The durable memory of one node, small enough for an annotation. A block has an entry only while it has something to
 * remember; a block without an entry is Pending.
 */
export interface Journal {
  readonly version: 1;
  /** Hash of the desired state; the stored text calls it `goal`. */
  readonly desiredHash: string;
  readonly blocks: Readonly<Record<string, BlockEntry>>;
}

/** A journal without entries for a desired state. */
export function newJournal(desiredHash: string): Journal {
  return { version: 1, desiredHash, blocks: {} };
}

/** Compact text with members in a fixed order, so that equal journals are equal strings. */
export function formatJournal({ version, desiredHash, blocks }: Journal): string {
  return canonicalJson({ version, goal: desiredHash, blocks });
}

/** Undefined for a text that is no journal of a known version: the caller then starts a new journal. */
export function parseJournal(text: string | undefined): Journal | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { version, goal, blocks } = value;
    const isJournal = version === 1 && typeof goal === 'string' && areEntries(blocks);
    return isJournal ? { version, desiredHash: goal, blocks } : undefined;
  } catch {
    return undefined;
  }
}

/** The journal without failed blocks, so that they are tried again for the same desired state. */
export function withoutFailures(journal: Journal | undefined): Journal | undefined {
  if (!journal) return undefined;
  const kept = Object.entries(journal.blocks).filter(([, { state }]) => state !== 'Failed');
  return { ...journal, blocks: Object.fromEntries(kept) };
}

function areEntries(blocks: unknown): blocks is Journal['blocks'] {
  if (!isObject(blocks)) return false;
  return Object.values(blocks).every((entry) => isObject(entry) && String(entry['state']) in transitions);
}
