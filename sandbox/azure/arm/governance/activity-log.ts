import { type Exchange, refuse } from '../../exchange.ts';
import type { JournalEntry } from '../../journal.ts';
import { type Json, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { groupType, type ResourcePath, tryParsePath } from '../resources/resource-path.ts';

const named = (value: string, localizedValue = value) => ({ value, localizedValue });

/** The categories of events. */
export const eventCategories: Json[] = [
  named('Administrative'),
  named('Security'),
  named('ServiceHealth', 'Service Health'),
  named('Alert'),
  named('Recommendation'),
  named('Policy'),
  named('Autoscale'),
  named('ResourceHealth', 'Resource Health'),
];

/** The writes, deletes and actions of clients in a subscription that the filter selects, the newest first. */
export function activityLog(
  exchange: Exchange,
  subscriptionId: string,
  { journal, tenantId }: BehaviourContext,
): Json[] {
  const terms = termsOf(exchange.query.get('$filter') ?? '');
  const select = exchange.query
    .get('$select')
    ?.split(',')
    .map((name) => name.trim());
  return journal
    .entries({ service: 'arm', path: `^/subscriptions/${subscriptionId}/` })
    .filter(({ method, status }) => !['GET', 'HEAD'].includes(method) && status > 0)
    .flatMap((entry) => {
      const path = tryParsePath(entry.path.split('/').filter(Boolean).map(decoded));
      return path ? [eventOf(entry, path, tenantId)] : [];
    })
    .filter((event) => terms.every(({ name, operator, value }) => fits(event, name, operator, value)))
    .reverse()
    .map((event) => (select ? Object.fromEntries(select.map((name) => [name, event[name]])) : event));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function eventOf(entry: JournalEntry, path: ResourcePath, tenantId: string): Json {
  const { time, method, status, errorCode, clientId = '', correlationId = '', requestId = '' } = entry;
  const resourceType = path.type === groupType ? 'Microsoft.Resources/subscriptions/resourceGroups' : path.type;
  const verb = { PUT: 'write', PATCH: 'write', DELETE: 'delete' }[method] ?? 'action';
  const action = [resourceType, ...(verb === 'action' && path.tail ? [path.tail] : []), verb].join('/');
  const when = new Date(time).toISOString();
  const failed = status >= 400;
  const state = failed ? 'Failed' : status === 202 ? 'Accepted' : 'Succeeded';
  return {
    authorization: { action, scope: path.id },
    caller: clientId,
    category: named('Administrative'),
    channels: 'Operation',
    claims: { appid: clientId },
    correlationId,
    description: '',
    eventDataId: requestId,
    eventName: named('EndRequest', 'End request'),
    eventTimestamp: when,
    id: `${path.id}/events/${requestId}/ticks/${BigInt(time) * 10_000n + 621_355_968_000_000_000n}`,
    level: failed ? 'Error' : 'Informational',
    operationId: correlationId,
    operationName: named(action),
    properties: { statusCode: String(status), ...(failed ? { statusMessage: errorCode ?? '' } : {}) },
    resourceGroupName: path.resourceGroup ?? '',
    resourceId: path.id,
    resourceProviderName: named(path.namespace ?? 'Microsoft.Resources'),
    resourceType: named(resourceType),
    status: named(state),
    subStatus: named(errorCode ?? '', `${errorCode ?? ''} (HTTP Status Code: ${status})`.trim()),
    submissionTimestamp: when,
    subscriptionId: path.subscriptionId ?? '',
    tenantId,
  };
}

/** A comparison of a filter. */
interface Term {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

/** Names that a filter may have, with the member of an event that each selects by. */
const members: Readonly<Record<string, string>> = {
  eventtimestamp: 'eventTimestamp',
  resourcegroupname: 'resourceGroupName',
  resourceid: 'resourceId',
  resourceuri: 'resourceId',
  resourceprovider: 'resourceProviderName',
  resourcetype: 'resourceType',
  correlationid: 'correlationId',
  caller: 'caller',
  status: 'status',
  levels: 'level',
  operations: 'operationName',
};

function termsOf(filter: string): Term[] {
  const parts = filter === '' ? [] : filter.split(/\s+and\s+/i);
  return parts.flatMap((part) => {
    const [, given = '', operator = '', value = ''] = /^\s*(\w+)\s+(eq|ge|le)\s+'?([^']*?)'?\s*$/i.exec(part) ?? [];
    const name = members[given.toLowerCase()];
    // All events of the sandbox are of these channels.
    if (given.toLowerCase() === 'eventchannels') return [];
    if (name === undefined || (operator.toLowerCase() === 'eq') === (name === 'eventTimestamp')) {
      throw refuse(400, 'BadRequest', `The filter has a part that the activity log does not know: '${part.trim()}'.`);
    }
    return [{ name, operator: operator.toLowerCase(), value }];
  });
}

function fits(event: Json, name: string, operator: string, value: string): boolean {
  const member = event[name];
  if (operator === 'ge') return Date.parse(stringOf(member)) >= Date.parse(value);
  if (operator === 'le') return Date.parse(stringOf(member)) <= Date.parse(value);
  const text = typeof member === 'object' ? stringOf((member as Json)['value']) : stringOf(member);
  return value.split(',').some((each) => each.trim().toLowerCase() === text.toLowerCase());
}
