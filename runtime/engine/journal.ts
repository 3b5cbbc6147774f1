import { canonicalJson } from '../base/json.ts';
import { type State, transitions } from './states.ts';

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined };

/** Why a block could not go on. Never carries a secret. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What is known of one block under the journal's goal. */
export interface BlockEntry {
  readonly state: State;
  /** The block's own notes: an operation being polled, what an effect left behind. */
  readonly memo?: Json;
  readonly failure?: Failure;
}

/**
 * The durable memory of one node, small enough for an annotation. It has an entry for a block only while that block has
 * something to remember; a block without an entry is Pending.
 */
export interface Journal {
  readonly version: 1;
  /** Hash of the goal that is being driven. */
  readonly goal: string;
  readonly blocks: Readonly<Record<string, BlockEntry>>;
}

/** A journal without entries for a desired state. */
export function newJournal(goal: string): Journal {
  return { version: 1, goal, blocks: {} };
}

/** Compact text with members in a fixed order, so that equal journals are equal strings. */
export function formatJournal(journal: Journal): string {
  return canonicalJson(journal);
}

/** Undefined for text that is no journal of a known version: the caller then starts anew from what it observes. */
export function parseJournal(text: string | undefined): Journal | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Journal> | null;
    const known = value?.version === 1 && typeof value.goal === 'string' && areEntries(value.blocks);
    return known ? (value as Journal) : undefined;
  } catch {
    return undefined;
  }
}

/** The journal of a node whose blocks have not failed yet: what needs no other goal to be tried again. */
export function withoutFailures(journal: Journal | undefined): Journal | undefined {
  if (!journal) return undefined;
  const kept = Object.entries(journal.blocks).filter(([, { state }]) => state !== 'Failed');
  return { ...journal, blocks: Object.fromEntries(kept) };
}

function areEntries(blocks: unknown): boolean {
  if (blocks === null || typeof blocks !== 'object' || Array.isArray(blocks)) return false;
  return Object.values(blocks).every((entry: Partial<BlockEntry> | null) => (entry?.state ?? '') in transitions);
}
