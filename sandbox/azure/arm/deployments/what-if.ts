import type { ExpandedTemplate } from '../../../../runtime/compute/templates/expand-template.ts';
import { resourceChange } from '../../../../runtime/compute/what-if/resource-change.ts';
import { Refusal } from '../../exchange.ts';
import type { Json } from '../../json.ts';
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
      const { apiVersion, type } = part;
      const id = requestPath(part.id);
      const resource = engine.resources.find(id);
      return resourceChange({ id, type, apiVersion, body }, resource && engine.resources.view(resource));
    });
  const others = unmanaged(record, context).map((resource) => {
    const changeType = record.request.mode === 'Complete' ? 'Delete' : 'Ignore';
    return { resourceId: resource.id, changeType, before: engine.resources.view(resource) };
  });
  return { status: 'Succeeded', properties: { correlationId: record.correlationId, changes: [...changes, ...others] } };
}

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
