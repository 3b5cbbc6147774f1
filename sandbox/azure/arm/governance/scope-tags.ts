import { isObject } from '../../../../runtime/base/json.ts';
import { type Exchange, jsonBody, type Reply, refuse } from '../../exchange.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';
import { notFound } from '../arm-errors.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { parsePath } from '../resources/resource-path.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { checkTags, methodNotSupported } from '../write-checks.ts';

/** `Microsoft.Resources/tags/default` of a subscription, group or resource; undefined for any other path. */
export function scopeTags(exchange: Exchange, context: BehaviourContext, store: ResourceStore): Reply | undefined {
  const path = `/${exchange.segments.join('/')}`;
  const [, scope] = /^(.+)\/providers\/Microsoft\.Resources\/tags\/default$/i.exec(path) ?? [];
  if (scope === undefined) return undefined;
  const target = targetOf(scope, context, store);
  const { method } = exchange;
  const before = target.tags();
  if (method !== 'GET') {
    const after = changed(method, before, exchange);
    checkTags(after);
    target.set(after);
    exchange.entry.effective = JSON.stringify(before) !== JSON.stringify(after);
  }
  if (method === 'DELETE') return { status: 200 };
  const id = `${scope}/providers/Microsoft.Resources/tags/default`;
  return {
    status: 200,
    body: { id, name: 'default', type: 'Microsoft.Resources/tags', properties: { tags: target.tags() } },
  };
}

/** Something with tags. */
interface Tagged {
  tags(): Json;
  set(tags: Json): void;
}

function targetOf(scope: string, { state, now, ids }: BehaviourContext, store: ResourceStore): Tagged {
  const [, subscriptionId] = /^\/subscriptions\/([^/]+)$/i.exec(scope) ?? [];
  const subscription = state.subscriptions[subscriptionId?.toLowerCase() ?? ''];
  if (subscription) {
    return {
      tags: () => subscription.tags ?? {},
      set(tags) {
        subscription.tags = tags as Record<string, string>;
      },
    };
  }
  const resource = store.find(scope);
  if (!resource) throw notFound.resource(parsePath(scope));
  return {
    tags: () => objectOf(resource.body['tags']),
    set(tags) {
      resource.body['tags'] = tags;
      // A later PATCH is merged with what was requested.
      resource.system['request'] = { ...objectOf(resource.system['request']), tags };
      resource.system['goal'] = '';
      resource.system['etag'] = ids.uuid();
      resource.changedAt = now;
    },
  };
}

function changed(method: string, before: Json, exchange: Exchange): Json {
  if (method === 'DELETE') return {};
  const body = jsonBody(exchange);
  const given = objectOf(body['properties'])['tags'];
  if (!isObject(given))
    throw refuse(400, 'InvalidRequestContent', 'The request content was invalid: properties.tags must be an object.');
  if (method === 'PUT') return given;
  if (method !== 'PATCH') throw methodNotSupported(method);
  const operation = stringOf(body['operation']).toLowerCase();
  if (operation === 'replace') return given;
  if (operation === 'merge') return { ...before, ...given };
  if (operation === 'delete') {
    return Object.fromEntries(Object.entries(before).filter(([name, value]) => given[name] !== value));
  }
  throw refuse(
    400,
    'InvalidTagsOperation',
    `The operation '${stringOf(body['operation'])}' is not Merge, Replace or Delete.`,
  );
}
