import { getHeapStatistics } from 'node:v8';
import { FairLimit } from '../../base/fairness/fair-limit.ts';
import type { ReaderShare } from './reader-share.ts';

/** What is admitted at a time. */
const chunkBytes = 64 * 1024;

/** The memory that one page may use. */
export interface MemoryShare {
  /** Counts so many bytes, or returns false where the reader may have no more. */
  take(bytes: number): boolean;
  /** Counts so many bytes less. */
  give(bytes: number): void;
}

/** No limit, for a page that is alone in its process. */
export const unlimited: MemoryShare = { take: () => true, give: () => undefined };

/**
 * The memory of all pages of a server. One user, or the service accounts of one namespace, may have half of it. Where
 * all of it is in use, the largest share loses its oldest page to a smaller one.
 */
export class PagesMemory {
  readonly #chunks: FairLimit<'memory'>;

  /** @default half of the heap: the other half is for answers that are being read */
  constructor(bytes = getHeapStatistics().heap_size_limit / 2) {
    const total = Math.floor(bytes / chunkBytes);
    const half = Math.ceil(total / 2);
    this.#chunks = new FairLimit('memory', { total, perNamespace: half, perAddress: half });
  }

  /** The memory of a new page; `end` ends the page. */
  open(reader: ReaderShare, end: () => void): PageMemory {
    return new PageMemory((evict) => this.#chunks.admit(reader.share, reader.user, evict), end);
  }
}

/** The memory of one page. */
export class PageMemory implements MemoryShare {
  readonly #admit: (evict: () => void) => string | (() => void);
  readonly #end: () => void;
  readonly #chunks: (() => void)[] = [];
  #bytes = 0;
  #closed = false;

  constructor(admit: (evict: () => void) => string | (() => void), end: () => void) {
    this.#admit = admit;
    this.#end = end;
  }

  take(bytes: number): boolean {
    const evict = () => {
      this.close();
      this.#end();
    };
    while (!this.#closed && this.#chunks.length * chunkBytes < this.#bytes + bytes) {
      const release = this.#admit(evict);
      if (typeof release === 'string') break;
      this.#chunks.push(release);
    }
    const fits = !this.#closed && this.#chunks.length * chunkBytes >= this.#bytes + bytes;
    if (fits) this.#bytes += bytes;
    this.#trim();
    return fits;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
    this.#trim();
  }

  /** Counts nothing any more, and takes nothing. */
  close(): void {
    this.#closed = true;
    this.#bytes = 0;
    this.#trim();
  }

  #trim(): void {
    while (this.#chunks.length > 0 && (this.#chunks.length - 1) * chunkBytes >= this.#bytes) this.#chunks.pop()?.();
  }
}
