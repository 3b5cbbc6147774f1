import { type TemplateValue, templateObject } from '../../../../runtime/compute/templates/values/value.ts';
import { waitsFor } from '../../../../runtime/compute/templates/values/value-info.ts';
import { refuse } from '../../exchange.ts';
import type { Json } from '../../json.ts';
import type { ResourceEngine } from '../resources/resource-engine.ts';
import { parsePath } from '../resources/resource-path.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { deploymentType } from './deployment-scope.ts';
import { deploymentView } from './deployment-views.ts';
import type { KnownAnswers } from './template-expansion.ts';

/** Ids of the resources that values wait for. */
export const waiting = (values: readonly TemplateValue[]) => {
  return waitsFor(templateObject(values.map((value, index) => [String(index), value])));
};

/** The answers of resources to `reference()` and the list functions. Throws ARM's refusal where one does not exist. */
export function knownAnswers(ids: readonly string[], engine: ResourceEngine): KnownAnswers {
  return Object.fromEntries(ids.map((id) => [id, answersOf(id, engine)]));
}

function answersOf(id: string, engine: ResourceEngine): KnownAnswers[string] {
  const path = parsePath(id);
  const behaviour = engine.resources.behaviourOf(path.type);
  const resource = engine.resources.find(id) ?? engine.resources.implied(path, behaviour);
  if (!resource) {
    throw refuse(
      404,
      'ResourceNotFound',
      `The Resource '${path.type}/${path.name}' under resource group '${path.resourceGroup ?? ''}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
    );
  }
  const view = resource.type === deploymentType ? deploymentView(resource) : engine.resources.view(resource);
  return { resource: view, lists: listsOf(resource, engine) };
}

/** The answers of the actions whose names begin with `list`, which change nothing. */
function listsOf(resource: StoredResource, engine: ResourceEngine): Readonly<Record<string, unknown>> {
  const { actions = {} } = engine.resources.behaviourOf(resource.type);
  const context = { ...engine.resources.context(), path: parsePath(resource.id), resource, request: {} as Json };
  const lists = Object.entries(actions).filter(([name]) => name.startsWith('list'));
  return Object.fromEntries(lists.map(([name, act]) => [name, act({ ...context, changed: () => undefined }).body]));
}
