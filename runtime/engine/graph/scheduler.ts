import { PriorityQueue } from '../../base/scheduling/priority-queue.ts';
import type { Gate } from './gates.ts';

/** An item that waits for its gates. */
interface Item<T> {
  readonly value: T;
  readonly priority: number;
  readonly sequence: number;
}

/** The items with the same gates. */
interface Queue<T> {
  readonly id: string;
  readonly gates: readonly Gate[];
  readonly items: PriorityQueue<Item<T>>;
  /** The place where the queue stands now; older entries do not count. */
  entry: Entry<T> | undefined;
}

/** A queue with the priority of its first item, among the candidates or parked at a gate. */
interface Entry<T> {
  readonly queue: Queue<T>;
  readonly first: Item<T>;
  /** The gate where the queue is parked. */
  readonly at: Parking<T> | undefined;
  /** The gate that sent the queue here, and sends the next one when this one is tried. */
  readonly from: Parking<T> | undefined;
}

/** The queues that a gate stops. */
interface Parking<T> {
  readonly gate: Gate;
  readonly entries: PriorityQueue<Entry<T>>;
  /** Whether a wake-up is set. */
  timed: boolean;
}

const isBefore = <T>(a: Item<T>, b: Item<T>) =>
  a.priority > b.priority || (a.priority === b.priority && a.sequence < b.sequence);

/**
 * Chooses the item with the highest priority whose gates are all open. Items with the same gates share a queue. A queue
 * that a gate stops is parked there, and the gate sends queues back one by one, as many as it has room for: nobody scans
 * items that cannot start.
 */
export class Scheduler<T> {
  readonly #queues = new Map<string, Queue<T>>();
  readonly #candidates = new PriorityQueue<Entry<T>>((a, b) => isBefore(a.first, b.first));
  readonly #parked = new Map<string, Parking<T>>();
  readonly #wakeUps = new PriorityQueue<{ readonly at: number; readonly parking: Parking<T> }>((a, b) => a.at < b.at);
  readonly #counts: (value: T) => boolean;
  #sequence = 0;

  /** `counts` says whether an item that waits may still start. */
  constructor(counts: (value: T) => boolean) {
    this.#counts = counts;
  }

  /** Adds an item. Of equal priorities the first goes first. */
  push(value: T, priority: number, gates: readonly Gate[]): void {
    const id = gates.map((gate) => gate.id).join('\n');
    let queue = this.#queues.get(id);
    if (!queue) {
      queue = { id, gates, items: new PriorityQueue<Item<T>>(isBefore), entry: undefined };
      this.#queues.set(id, queue);
    }
    const item = { value, priority, sequence: this.#sequence++ };
    queue.items.push(item);
    if (queue.items.peek() === item) this.#place(queue, queue.entry?.at);
  }

  /** Takes the next item that may start now, and passes its gates; undefined for none. */
  take(now: number): T | undefined {
    for (let next = this.#wakeUps.peek(); next && next.at <= now; next = this.#wakeUps.peek()) {
      this.#wakeUps.pop();
      next.parking.timed = false;
      this.#release(next.parking, now);
    }
    for (let entry = this.#candidates.pop(); entry; entry = this.#candidates.pop()) {
      const taken = entry.queue.entry === entry ? this.#try(entry, now) : undefined;
      if (entry.from) this.#release(entry.from, now);
      if (taken) return taken.value;
    }
    return undefined;
  }

  /** Tries the queues at a gate that has room again. */
  opened(gate: Gate, now: number): void {
    const parking = this.#parked.get(gate.id);
    if (parking) this.#release(parking, now);
  }

  /** When a gate may open by itself, in milliseconds; undefined for never. */
  get wakeAt(): number | undefined {
    return this.#wakeUps.peek()?.at;
  }

  #try({ queue, first }: Entry<T>, now: number): Item<T> | undefined {
    for (let item = queue.items.peek(); item && !this.#counts(item.value); item = queue.items.peek()) queue.items.pop();
    if (queue.items.peek() !== first) {
      this.#next(queue);
      return undefined;
    }
    let longest = 0;
    let closed: Gate | undefined;
    for (const gate of queue.gates) {
      const wait = gate.waitMs(now);
      if (wait > longest) {
        longest = wait;
        closed = gate;
      }
    }
    if (closed) {
      this.#park(queue, closed, now + longest);
      return undefined;
    }
    for (const gate of queue.gates) gate.take(now);
    queue.items.pop();
    this.#next(queue);
    return first;
  }

  /** Makes the queue a candidate with its present first item, or forgets it. */
  #next(queue: Queue<T>): void {
    if (queue.items.size > 0) this.#place(queue, undefined);
    else this.#queues.delete(queue.id);
  }

  /** Puts the queue among the candidates, or at the gate where it is parked already. */
  #place(queue: Queue<T>, at: Parking<T> | undefined, from?: Parking<T>): void {
    const first = queue.items.peek();
    if (!first) return;
    queue.entry = { queue, first, at, from };
    (at?.entries ?? this.#candidates).push(queue.entry);
  }

  #park(queue: Queue<T>, gate: Gate, wakeAt: number): void {
    let parking = this.#parked.get(gate.id);
    if (!parking) {
      parking = {
        gate,
        entries: new PriorityQueue<Entry<T>>((a, b) => isBefore(a.first, b.first)),
        timed: false,
      };
      this.#parked.set(gate.id, parking);
    }
    this.#place(queue, parking);
    this.#wakeLater(parking, wakeAt);
  }

  /** Makes the first queue at the gate a candidate, or sets a wake-up for when the gate opens. */
  #release(parking: Parking<T>, now: number): void {
    let entry = parking.entries.peek();
    for (; entry && entry.queue.entry !== entry; entry = parking.entries.peek()) parking.entries.pop();
    const wait = parking.gate.waitMs(now);
    if (!entry) {
      if (this.#parked.get(parking.gate.id) === parking) this.#parked.delete(parking.gate.id);
    } else if (wait > 0) {
      this.#wakeLater(parking, now + wait);
    } else {
      parking.entries.pop();
      this.#place(entry.queue, undefined, parking);
    }
  }

  #wakeLater(parking: Parking<T>, at: number): void {
    if (parking.timed || at === Number.POSITIVE_INFINITY) return;
    parking.timed = true;
    this.#wakeUps.push({ at, parking });
  }
}
