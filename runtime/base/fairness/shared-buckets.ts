import { type BucketUse, TokenBucket } from '../scheduling/token-bucket.ts';
import { SharedLru } from './shared-lru.ts';

/**
 * Token buckets by key, such as an address. Beyond so many the least recently used one of the largest share goes, and its
 * key begins with a full bucket again.
 */
export class SharedBuckets {
  readonly #buckets: SharedLru<TokenBucket>;

  /** `most`: buckets in memory. */
  constructor(most: number) {
    this.#buckets = new SharedLru(most);
  }

  /** Takes `count` tokens where the bucket has one at least; false where it has none. @default count 1 */
  take({ key, size }: BucketUse, now: number, { share = '', count = 1 } = {}): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket(size, now);
      this.#buckets.set(key, bucket, share);
    }
    if (bucket.waitMs(now) > 0) return false;
    bucket.take(now, count);
    return true;
  }
}
