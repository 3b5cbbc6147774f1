import type { StoredResource } from '../../arm/resources/stored-resources.ts';

/** A message of a queue. Times are milliseconds since the epoch. */
export interface StoredMessage {
  readonly id: string;
  text: string;
  /** Who has it may change and delete the message. */
  receipt: string;
  readonly insertedAt: number;
  readonly expiresAt: number;
  visibleAt: number;
  /** How often it was taken. */
  taken: number;
}

/** The messages of a queue that have not expired, in their order. */
export function messagesOf(queue: StoredResource, now: number): StoredMessage[] {
  const kept = (queue.system['messages'] as StoredMessage[] | undefined) ?? [];
  const live = kept.filter(({ expiresAt }) => expiresAt > now);
  queue.system['messages'] = live;
  return live;
}
