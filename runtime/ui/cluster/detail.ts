import { isObject, type JsonObject } from '../../base/json.ts';
import { AnswerTooLarge } from '../../kube/client/answer.ts';
import { isForbidden } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { Row } from '../../view/model/row.ts';
import { shown } from '../../view/model/row-of.ts';
import { conditionsOf } from '../../view/model/state.ts';
import { type ViewKind, viewKinds } from '../../view/model/view-kinds.ts';
import { discoverKinds } from '../../view/read/discover.ts';
import type { Detail, ShownCondition, ShownEvent } from '../messages.ts';
import { stepsOf } from './steps.ts';

const eventsType: ResourceType = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };

/** Events that are read of an object, and those that are shown. */
const most = { read: 500, shown: 100 } as const;
/** Characters of a message. */
const messageLength = 4096;

/** Group, kind, namespace and name of a row. */
export interface RowKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Conditions and events of the object of a row, read with the client's rights. Undefined if there is no such object, or
 * if the view does not show its kind, as Secrets.
 */
export async function readDetail(
  client: KubeClient,
  { group, kind, namespace, name }: Partial<RowKey>,
  signal: AbortSignal,
): Promise<Detail | undefined> {
  const isVolume = group === '' && kind === 'Volume';
  const wanted = viewKinds.find(({ type }) => type.group === group && type.kind === (isVolume ? 'Pod' : kind));
  const objectName = isVolume ? name?.split('/', 1)[0] : name;
  if (!wanted || !objectName || (kind === 'Pod' && group === '')) return undefined;
  const served = wanted.type.group === '' ? wanted : await servedKind(client, wanted, signal);
  if (!served) return undefined;
  const key = { ...(namespace ? { namespace } : {}), name: objectName };
  const found = await client
    .tryGet(served.type, key, signal)
    .then((object) => object && shownObject(served, object, name));
  if (!found) return undefined;
  const { uid, generation, ...shownParts } = found;
  return { ...shownParts, ...(await readEvents(client, found.row, uid, signal)), generation };
}

/** What the detail has of an object. The object itself, which may be large, is not kept while the events are read. */
function shownObject(kind: ViewKind, object: KubeObject, name: string | undefined) {
  const row = kind.rowsOf(object).find((each) => each.name === name);
  if (!row) return undefined;
  const conditions = conditionsOf(object).map((condition): ShownCondition => {
    const { type, status, severity, reason, message, lastTransitionTime } = condition;
    return {
      type: shown(type, 100),
      status: shown(status, 20),
      severity: shown(severity, 20),
      reason: shown(reason, 200),
      message: shown(message, messageLength),
      since: shown(lastTransitionTime, 40),
    };
  });
  const { uid = '', generation = 0 } = object.metadata;
  return { row, conditions, steps: stepsOf(object), uid, generation };
}

/** The kind under a version that the API server serves: most often the stored one. */
async function servedKind(client: KubeClient, kind: ViewKind, signal: AbortSignal): Promise<ViewKind | undefined> {
  const { kinds } = await discoverKinds(client, [kind], signal);
  return kinds[0];
}

async function readEvents(
  client: KubeClient,
  row: Row,
  uid: string,
  signal: AbortSignal,
): Promise<Pick<Detail, 'events' | 'eventsProblem'>> {
  // Events of cluster-scoped objects are in the namespace default.
  const namespace = row.namespace || 'default';
  const fieldSelector = `involvedObject.uid=${uid}`;
  try {
    const { items } = await client.list(eventsType, { namespace, fieldSelector, limit: most.read, signal });
    const events = items
      .map(eventOf)
      .sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
      .slice(0, most.shown);
    return { events, eventsProblem: '' };
  } catch (error) {
    if (error instanceof AnswerTooLarge) {
      return { events: [], eventsProblem: 'The events of this object are too long to be shown: use kubectl.' };
    }
    if (!isForbidden(error)) throw error;
    return { events: [], eventsProblem: 'You may not list the events of this namespace.' };
  }
}

function eventOf(event: KubeObject): ShownEvent {
  const { type, reason, message, lastTimestamp, eventTime, firstTimestamp } = event as JsonObject;
  const series: unknown = event['series'];
  const observed = isObject(series) ? series['lastObservedTime'] : undefined;
  const times = [observed, lastTimestamp, eventTime, firstTimestamp, event.metadata.creationTimestamp];
  const count: unknown = (isObject(series) ? series['count'] : undefined) ?? event['count'];
  return {
    time: shown(
      times.find((time) => typeof time === 'string' && time !== ''),
      40,
    ),
    type: shown(type, 20),
    reason: shown(reason, 200),
    message: shown(message, messageLength),
    count: typeof count === 'number' ? count : 1,
  };
}
