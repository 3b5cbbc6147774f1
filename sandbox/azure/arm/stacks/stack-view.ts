import { type Json, objectOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import { deploymentView } from '../deployments/deployment-views.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { stackRecordOf, stackType } from './stack-record.ts';

/** A stack as GET shows it. */
export function stackView(resource: StoredResource, { resources }: SandboxState): Json {
  const record = stackRecordOf(resource);
  const { location, tags, startedAt, endedAt, caller } = record;
  const deployment = resources.get(record.deploymentId);
  const { parameters, outputs } = deployment ? objectOf(deploymentView(deployment)['properties']) : {};
  const denyStatus = objectOf(record.shown['denySettings'])['mode'];
  const plain = (ids: readonly string[]) => ids.map((id) => ({ id }));
  const by = { By: caller.clientId, ByType: 'Application' };
  const when = (made: string, at: number) => ({
    [`${made}By`]: by.By,
    [`${made}ByType`]: by.ByType,
    [`${made}At`]: new Date(at).toISOString(),
  });
  return {
    id: resource.id,
    name: resource.name,
    type: stackType,
    ...(location === undefined ? {} : { location }),
    tags: tags ?? {},
    systemData: { ...when('created', resource.createdAt), ...when('lastModified', resource.changedAt) },
    properties: {
      ...record.shown,
      provisioningState: record.state,
      correlationId: record.correlationId,
      deploymentId: record.deploymentId,
      duration: `PT${((endedAt ?? startedAt) - startedAt) / 1000}S`,
      ...(parameters === undefined ? {} : { parameters }),
      ...(outputs === undefined ? {} : { outputs }),
      resources: record.managed.map((id) => ({ id, status: 'managed', denyStatus })),
      detachedResources: plain(record.detached),
      deletedResources: plain(record.deleted),
      failedResources: record.failed,
      ...(record.error === undefined ? {} : { error: record.error }),
    },
  };
}
