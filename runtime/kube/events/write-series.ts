import type { Runtime } from '../cache/types.ts';
import { isAlreadyExists, isNotFound } from '../client/status-error.ts';
import type { KubeObject } from '../client/types.ts';
import { eventsType, keyOfEvent } from './event-object.ts';
import { microTime } from './micro-time.ts';
import type { Series } from './series-table.ts';

/**
 * Writes the occurrences of a series that are not written yet: creates its Event, or patches the count. Throws the API
 * server's errors.
 */
export async function writeSeries(
  { client, clock }: Pick<Runtime, 'client' | 'clock'>,
  series: Series,
  newObject: (series: Series) => KubeObject,
  signal?: AbortSignal,
): Promise<void> {
  const { count } = series;
  if (count <= series.written) return;
  const state = { count, lastObservedTime: microTime(series.lastObserved) };
  if (series.created) {
    try {
      const patch = { type: 'merge', body: { series: state } } as const;
      await client.patch(eventsType, keyOfEvent(series.object), patch, { ...(signal && { signal }) });
      series.written = count;
      series.writtenAt = clock.monotonic();
      return;
    } catch (error) {
      // Events expire after an hour; the series continues in a new Event.
      if (!isNotFound(error)) throw error;
      series.object = newObject(series);
    }
  }
  // A series begins with its second occurrence; the API server refuses a count of one.
  const object = count > 1 ? { ...series.object, series: state } : series.object;
  try {
    await client.create(eventsType, object, { ...(signal && { signal }) });
    series.written = count;
  } catch (error) {
    // The answer to an earlier try was lost; nobody else uses this name.
    if (!isAlreadyExists(error)) throw error;
    series.written = 1;
  }
  series.created = true;
  series.writtenAt = clock.monotonic();
}
