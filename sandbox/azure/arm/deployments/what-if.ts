import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../../runtime/base/json.ts';
import type { ExpandedTemplate } from '../../../../runtime/compute/templates/expand-template.ts';
import { Refusal } from '../../exchange.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import type { ResourceEngine } from '../resources/resource-engine.ts';
import type { DeploymentRecord } from './deployment-record.ts';
import { unmanaged } from './deployment-run.ts';
import { deploymentType, requestPath } from './deployment-scope.ts';
import { knownAnswers } from './known-answers.ts';
import { requestBody } from './template-expansion.ts';

/** The changes that a deployment would make, as `whatIf` shows them. */
export function whatIf(
  expanded: ExpandedTemplate,
  record: DeploymentRecord,
  engine: ResourceEngine,
  context: BehaviourContext,
): Json {
  const changes = expanded.resources
    .filter(({ type }) => type.toLowerCase() !== deploymentType.toLowerCase())
    .map((part) => {
      const { resourceGroup: _group, ...body } = bodyOf(part, engine, context);
      const resourceId = requestPath(part.id);
      const { apiVersion, type } = part;
      return changeOf(resourceId, { ...body, apiVersion, type, name: lastName(part.name), id: resourceId }, engine);
    });
  const others = unmanaged(record, context).map((resource) => {
    const changeType = record.request.mode === 'Complete' ? 'Delete' : 'Ignore';
    return { resourceId: resource.id, changeType, before: engine.resources.view(resource) };
  });
  return { status: 'Succeeded', properties: { correlationId: record.correlationId, changes: [...changes, ...others] } };
}

const lastName = (name: string) => name.split('/').at(-1) ?? '';

/** The body as far as it is known before the deployment; expressions stand where it is not. */
function bodyOf(part: ExpandedTemplate['resources'][number], engine: ResourceEngine, context: BehaviourContext): Json {
  const there = part.waitsFor.filter((id) => engine.resources.find(id));
  try {
    return requestBody(part, knownAnswers(there, engine), context);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return {};
  }
}

function changeOf(resourceId: string, after: Json, engine: ResourceEngine): Json {
  const resource = engine.resources.find(resourceId);
  if (!resource) return { resourceId, changeType: 'Create', after };
  const before = engine.resources.view(resource);
  const delta = Object.keys(after)
    .filter((name) => !['id', 'name', 'type', 'apiVersion'].includes(name))
    .flatMap((name) => differences(name, before[name], after[name]));
  return { resourceId, changeType: delta.length === 0 ? 'NoChange' : 'Modify', before, after, delta };
}

/** The members of `after` that differ: a member that only `before` has is the provider's own. */
function differences(path: string, before: unknown, after: unknown): Json[] {
  if (path === 'location' && sameLocation(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    return Object.keys(after).flatMap((name) => differences(`${path}.${name}`, before[name], objectOf(after)[name]));
  }
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ path, propertyChangeType: 'Create', after }];
  if (Array.isArray(before) && Array.isArray(after)) {
    const children = after.flatMap((item, index) => {
      const found = differences(String(index), before[index], item).map((each) => ({ before: null, ...each }));
      return found.length === 0 ? [] : [{ path: String(index), propertyChangeType: 'Modify', children: found }];
    });
    if (before.length === after.length && children.length === 0) return [];
    return [{ path, propertyChangeType: 'Array', children }];
  }
  return [{ path, propertyChangeType: 'Modify', before, after }];
}

const sameLocation = (a: unknown, b: unknown) =>
  stringOf(a).toLowerCase().replaceAll(' ', '') === stringOf(b).toLowerCase().replaceAll(' ', '');
