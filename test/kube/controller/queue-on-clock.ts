/** A work queue on a clock that stands still. */
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { WorkQueue, type WorkQueueOptions } from '../../../runtime/kube/controller/work-queue.ts';

export interface Item {
  readonly id: string;
  readonly uid?: string;
  readonly content?: number;
}

export function setUp(options: Partial<WorkQueueOptions<Item>> = {}) {
  const clock = new ManualClock(1000);
  const metrics = createMetrics();
  const queue = new WorkQueue<Item>({
    name: 'test',
    clock,
    metrics,
    id: ({ id }) => id,
    backoffKey: ({ id, uid }) => uid ?? id,
    backoff: { initialMs: 100, maxMs: 1000, jitter: 0 },
    ...options,
  });
  return { clock, metrics, queue };
}
