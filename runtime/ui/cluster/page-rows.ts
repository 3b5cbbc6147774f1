import type { ObjectMeta } from '../../kube/client/types.ts';
import type { Row } from '../../view/model/row.ts';
import type { MemoryShare } from './page-memory.ts';

/** Rows, or ids, of one message, and characters of its rows. */
const batch = { rows: 500, characters: 256 * 1024 } as const;
/** Bytes of a row without its id and its text: entries of maps, the metadata of its object. */
const entryBytes = 512;

/** The kind and the object that a row comes from. */
export interface RowSource {
  readonly kind: object;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
}

interface Entry {
  readonly namespace: string;
  source: RowSource;
  /** JSON of the row, until it is sent. */
  text: string | undefined;
  bytes: number;
  /** Whether the page has the row. */
  sent: boolean;
}

/** The rows of a namespace that are on the page, and the bytes of their entries. */
interface Namespace {
  readonly ids: Set<string>;
  bytes: number;
}

/** Of what a page has no more. */
type Limit = 'rows' | 'memory';

/** Finds the namespace with most. */
class Largest {
  readonly #measure: (namespace: Namespace) => number;
  #found: Namespace | undefined;
  /** Whether no namespace has more. */
  #isExact = true;

  constructor(measure: (namespace: Namespace) => number) {
    this.#measure = measure;
  }

  grown(namespace: Namespace): void {
    if (!this.#found || this.#measure(namespace) > this.#measure(this.#found)) this.#found = namespace;
  }

  shrunk(): void {
    this.#isExact = false;
  }

  /** One that has more than `own` and `more`, if there is one. Compares all of them only when this may be necessary. */
  above(own: Namespace | undefined, more: number, all: Iterable<Namespace>): Namespace | undefined {
    const least = (own ? this.#measure(own) : 0) + more;
    const found = () => (this.#found && this.#measure(this.#found) > least ? this.#found : undefined);
    if (found() || this.#isExact) return found();
    this.#found = undefined;
    this.#isExact = true;
    for (const each of all) this.grown(each);
    return found();
  }
}

/**
 * The rows of a page: the newest state of rows to send, and the ids of rows that it has. Where there are
 * more than it takes, or more than its memory holds, namespaces share the room: one with less takes the place of one
 * with most.
 */
export class PageRows {
  readonly #most: number;
  readonly #memory: MemoryShare;
  /** On the page, or to be sent. */
  readonly #entries = new Map<string, Entry>();
  readonly #byNamespace = new Map<string, Namespace>();
  readonly #pending = new Set<string>();
  /** Rows that the page has and has to remove, with the bytes that count until it has. */
  readonly #gone = new Map<string, number>();
  /** Bytes of rows that made room, whose removal the page has not received yet; the room is in use again. */
  #owed = 0;
  /** Bytes that count. */
  #bytes = 0;
  readonly #largest = { rows: new Largest(({ ids }) => ids.size), memory: new Largest(({ bytes }) => bytes) };
  #limit: Limit | undefined;
  onChange: () => void = () => undefined;

  constructor(most: number, memory: MemoryShare) {
    this.#most = most;
    this.#memory = memory;
  }

  /** Whether there is something to send. */
  get pending(): boolean {
    return this.#pending.size > 0 || this.#gone.size > 0 || this.#limit !== undefined;
  }

  /** The rows of a kind, with the metadata of their objects. */
  *of(kind: object): Generator<[id: string, metadata: RowSource['metadata']]> {
    for (const [id, { source }] of this.#entries) if (source.kind === kind) yield [id, source.metadata];
  }

  /** Whether the row is on the page, or will be. */
  put(row: Row, source: RowSource): boolean {
    const { id, namespace } = row;
    const known = this.#entries.get(id);
    const { uid, resourceVersion } = source.metadata;
    const version = resourceVersion !== undefined && known?.source.metadata.resourceVersion === resourceVersion;
    if (version && known.source.metadata.uid === uid) return true;
    const text = JSON.stringify(row);
    const bytes = entryBytes + 2 * id.length + sizeOf(text);
    if (!known && this.#entries.size >= this.#most && !this.#drop(namespace, 1, 'rows')) return this.#refuse('rows');
    if (!this.#reserve(namespace, bytes - (known?.bytes ?? 0))) {
      if (known) this.remove(id);
      return this.#refuse('memory');
    }
    const entry = known ?? this.#add(id, namespace, source);
    this.#resize(entry, bytes);
    Object.assign(entry, { source, text });
    this.#pending.add(id);
    this.onChange();
    return true;
  }

  remove(id: string): void {
    const entry = this.#take(id);
    if (!entry) return;
    if (entry.sent) this.#gone.set(id, entry.bytes);
    else this.#free(entry.bytes);
    this.onChange();
  }

  /** The next messages, as JSON; empty where there are none. */
  take(): string[] {
    const messages: string[] = [];
    if (this.#gone.size > 0) {
      const ids = [...this.#gone.keys()].slice(0, batch.rows);
      for (const id of ids) {
        this.#free(this.#gone.get(id) ?? 0);
        this.#gone.delete(id);
      }
      if (this.#gone.size === 0) this.#owed = 0;
      messages.push(JSON.stringify({ type: 'gone', ids }));
    }
    // An id that is gone and there again has to go first.
    const texts = this.#gone.size === 0 ? this.#takeTexts() : [];
    if (texts.length > 0) messages.push(`{"type":"rows","rows":[${texts.join(',')}]}`);
    if (this.#limit !== undefined) {
      messages.push(JSON.stringify({ type: 'limit', rows: this.#entries.size, of: this.#limit }));
      this.#limit = undefined;
    }
    return messages;
  }

  #takeTexts(): string[] {
    const texts: string[] = [];
    let characters = 0;
    for (const id of this.#pending) {
      if (texts.length >= batch.rows || characters > batch.characters) break;
      this.#pending.delete(id);
      const entry = this.#entries.get(id);
      if (entry?.text === undefined) continue;
      texts.push(entry.text);
      characters += entry.text.length;
      const less = sizeOf(entry.text);
      entry.text = undefined;
      entry.sent = true;
      this.#resize(entry, entry.bytes - less);
      this.#free(less);
    }
    return texts;
  }

  #refuse(limit: Limit): false {
    this.#limit = limit;
    this.onChange();
    return false;
  }

  #add(id: string, namespace: string, source: RowSource): Entry {
    const entry: Entry = { namespace, source, text: undefined, bytes: 0, sent: false };
    this.#entries.set(id, entry);
    const owner = this.#byNamespace.get(namespace) ?? { ids: new Set(), bytes: 0 };
    this.#byNamespace.set(namespace, owner);
    owner.ids.add(id);
    this.#largest.rows.grown(owner);
    return entry;
  }

  #resize(entry: Entry, bytes: number): void {
    const owner = this.#byNamespace.get(entry.namespace);
    if (!owner) return;
    owner.bytes += bytes - entry.bytes;
    if (bytes < entry.bytes) this.#largest.memory.shrunk();
    else this.#largest.memory.grown(owner);
    entry.bytes = bytes;
  }

  /** Takes an entry out; its bytes still count. */
  #take(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    const owner = entry && this.#byNamespace.get(entry.namespace);
    if (!owner) return undefined;
    this.#entries.delete(id);
    this.#pending.delete(id);
    owner.ids.delete(id);
    owner.bytes -= entry.bytes;
    if (owner.ids.size === 0) this.#byNamespace.delete(entry.namespace);
    for (const each of Object.values(this.#largest)) each.shrunk();
    return entry;
  }

  /** Counts so many bytes, for which rows of namespaces with more make room. */
  #reserve(namespace: string, bytes: number): boolean {
    while (!this.#memory.take(bytes)) if (!this.#drop(namespace, bytes, 'memory')) return false;
    this.#bytes += bytes;
    return true;
  }

  #free(bytes: number): void {
    this.#bytes -= bytes;
    this.#memory.give(bytes);
  }

  /** Drops a row of the namespace with most, for one that will have less. Returns whether there was one. */
  #drop(namespace: string, more: number, limit: Limit): boolean {
    // A page that does not read must not give its room out again and again.
    if (limit === 'memory' && this.#owed > Math.max(this.#bytes / 8, 4 * entryBytes)) return false;
    const own = this.#byNamespace.get(namespace);
    const [id] = this.#largest[limit].above(own, more, this.#byNamespace.values())?.ids ?? [];
    if (id === undefined) return false;
    this.#limit = limit;
    this.remove(id);
    const counted = this.#gone.get(id) ?? 0;
    if (limit === 'rows' || counted === 0) return true;
    this.#owed += counted;
    this.#gone.set(id, 0);
    this.#free(counted);
    return true;
  }
}

const isLatin1 = (text: string) => /^[\0-\xff]*$/.test(text);

/** Bytes of a string in memory. */
const sizeOf = (text: string) => (isLatin1(text) ? 1 : 2) * text.length;
