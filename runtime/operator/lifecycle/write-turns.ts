import { serializedResource } from '../../arm-kinds/extensions/serialized-writes.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { turnNode } from '../objects/node-id.ts';
import type { ObjectIndex } from '../objects/object-index.ts';

/** Milliseconds for which a holder keeps its turn after the time of a poll: there may be no poll. */
const holdMs = 120_000;
/** Milliseconds for which the object whose turn it is may begin its write. */
const offerMs = 10_000;
/** Longest pause after a refusal with Retry-After, in milliseconds. */
const longestPauseMs = 60_000;

/** The write that wants a turn. */
export interface Turn {
  readonly object: KubeObject;
  readonly resourceId: string;
  readonly usesOperatorCredential: boolean;
}

interface Queue {
  /** By uid, each until a time in milliseconds since the epoch. More than one only after a restart. */
  readonly holders: Map<string, number>;
  /** By namespace. */
  readonly waiting: FairQueue<string>;
  readonly objects: Map<string, KubeObject>;
  next?: { readonly uid: string; readonly until: number } | undefined;
  pausedUntil: number;
}

/**
 * Turns of the writes to resources that Azure writes one at a time (`serializedResource`). A turn lasts to the end of
 * the operation, not only of its PUT. An object that waits holds nothing: its run ends, and the next one begins with its
 * turn. Namespaces are served in rotation. The turns are in memory: after a restart, objects whose journal has a write
 * that is not over come first.
 */
export class WriteTurns {
  readonly #objects: ObjectIndex;
  readonly #isKnown: (uid: string) => boolean;
  readonly #now: () => number;
  readonly #enqueue: (node: string) => void;
  readonly #queues = new Map<string, Queue>();

  /** `isKnown`: this process reconciled the object before. `enqueue` is called with the node of the object that is next. */
  constructor(parts: {
    readonly objects: ObjectIndex;
    readonly isKnown: (uid: string) => boolean;
    readonly now: () => number;
    readonly enqueue: (node: string) => void;
  }) {
    this.#objects = parts.objects;
    this.#isKnown = parts.isKnown;
    this.#now = parts.now;
    this.#enqueue = parts.enqueue;
  }

  /** Whether the write may begin. Otherwise the object waits for its turn. */
  tryTake(turn: Turn): boolean {
    const key = keyOf(turn);
    if (key === undefined) return true;
    const { object } = turn;
    const { uid = '', namespace = '' } = object.metadata;
    const queue = this.#queues.get(key) ?? this.#create(key, turn);
    queue.waiting.add(namespace, uid);
    queue.objects.set(uid, nameOf(object));
    if (!this.#isHeld(queue)) this.#choose(queue, uid);
    if (!queue.holders.has(uid) && queue.next?.uid !== uid) return false;
    this.#leave(queue, uid);
    queue.holders.set(uid, this.#now() + holdMs);
    return true;
  }

  /**
   * The write of the object is not over. The turn ends some time after `lastPollAt`, so that an object that is edited
   * again and again, and not polled, does not keep it.
   */
  keep(turn: Turn, lastPollAt: number): void {
    const key = keyOf(turn);
    if (key === undefined) return;
    const { uid = '' } = turn.object.metadata;
    const queue = this.#queues.get(key) ?? this.#create(key, turn);
    this.#leave(queue, uid);
    queue.holders.set(uid, lastPollAt + holdMs);
    this.#goOn(key, queue);
  }

  /** The object neither writes nor waits. After a refusal, no other one writes for `pauseMs`. */
  release(turn: Turn, pauseMs = 0): void {
    const key = keyOf(turn);
    const queue = key === undefined ? undefined : this.#queues.get(key);
    if (key === undefined || !queue) return;
    const { uid = '' } = turn.object.metadata;
    this.#leave(queue, uid);
    queue.holders.delete(uid);
    if (pauseMs > 0) queue.pausedUntil = this.#now() + Math.min(pauseMs, longestPauseMs);
    this.#goOn(key, queue);
  }

  /** Gives the turns on that were not used in time. Call it now and then. */
  endTurns(): void {
    for (const [key, queue] of this.#queues) this.#goOn(key, queue);
  }

  #goOn(key: string, queue: Queue): void {
    if (this.#isHeld(queue)) return;
    this.#choose(queue);
    if (!queue.next && this.#now() >= queue.pausedUntil) this.#queues.delete(key);
  }

  /** Chooses the object that is next, and enqueues it, unless it is the caller. */
  #choose(queue: Queue, caller?: string): void {
    const now = this.#now();
    if (now < queue.pausedUntil || (queue.next && queue.next.until > now)) return;
    queue.next = undefined;
    for (let uid = queue.waiting.take(); uid !== undefined; uid = queue.waiting.take()) {
      const object = queue.objects.get(uid);
      queue.objects.delete(uid);
      if (uid !== caller && (!object || !this.#isThere(object))) continue;
      queue.next = { uid, until: now + offerMs };
      if (uid !== caller) this.#enqueue(turnNode(uid));
      return;
    }
  }

  #isHeld(queue: Queue): boolean {
    const now = this.#now();
    for (const [uid, until] of queue.holders) if (until <= now) queue.holders.delete(uid);
    return queue.holders.size > 0;
  }

  #leave(queue: Queue, uid: string): void {
    const namespace = queue.objects.get(uid)?.metadata.namespace ?? '';
    queue.waiting.delete(namespace, uid);
    queue.objects.delete(uid);
    if (queue.next?.uid === uid) queue.next = undefined;
  }

  /** A new queue; those that an earlier process left writing hold it. */
  #create(key: string, { usesOperatorCredential, object, resourceId }: Turn): Queue {
    const holders = new Map<string, number>();
    for (const other of this.#objects.writingTo(serializedResource(resourceId) ?? '')) {
      const { uid = '', namespace = '', annotations: objectAnnotations } = other.metadata;
      const hasOwn = objectAnnotations?.[annotations.credential]?.startsWith(`${namespace}/`) === true;
      const same = usesOperatorCredential ? !hasOwn : namespace === object.metadata.namespace;
      if (same && uid !== object.metadata.uid && !this.#isKnown(uid)) holders.set(uid, this.#now() + holdMs);
    }
    const queue: Queue = { holders, waiting: new FairQueue(), objects: new Map(), pausedUntil: 0 };
    this.#queues.set(key, queue);
    return queue;
  }

  #isThere({ apiVersion, kind, metadata }: KubeObject): boolean {
    const { namespace = '', name, uid } = metadata;
    return this.#objects.get(apiVersion.split('/')[0] ?? '', kind, { namespace, name })?.metadata.uid === uid;
  }
}

/** A namespace with a credential of its own may name any id, so it has turns of its own. */
function keyOf({ resourceId, usesOperatorCredential, object }: Turn): string | undefined {
  const resource = serializedResource(resourceId);
  const owner = usesOperatorCredential ? '' : (object.metadata.namespace ?? '');
  return resource === undefined ? undefined : `${owner}${resource}`;
}

function nameOf({ apiVersion, kind, metadata: { namespace, name, uid } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { namespace, name, uid } };
}
