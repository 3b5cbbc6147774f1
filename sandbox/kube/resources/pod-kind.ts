import { equal } from '../../json.ts';
import type { Behaviour } from '../model/resource.ts';
import { forbiddenField, required } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import { column, size, table } from '../tables/columns.ts';

const ready = (pod: Unstructured) => {
  const statuses: Unstructured[] = pod['status']?.containerStatuses ?? [];
  return `${statuses.filter((one) => one['ready']).length}/${pod['spec']?.containers?.length ?? 0}`;
};

/** Pods: service account, quality of service, columns, and the members of the spec that may change. */
export const pod: Behaviour = {
  returnsDeleted: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  ...table(
    column('Ready', ready),
    column('Status', ({ status, metadata }) => (metadata.deletionTimestamp ? 'Terminating' : status?.phase)),
    column('Restarts', ({ status }) =>
      (status?.containerStatuses ?? []).reduce((sum: number, one: Unstructured) => sum + (one['restartCount'] ?? 0), 0),
    ),
    column('IP', ({ status }) => status?.podIP ?? '<none>', 'string', 1),
    column('Node', ({ spec }) => spec?.nodeName ?? '<none>', 'string', 1),
  ),
  prepare: (object, old) => {
    const { spec } = object;
    if (!spec || typeof spec !== 'object') return;
    spec.serviceAccountName ??= spec.serviceAccount ?? 'default';
    spec.serviceAccount = spec.serviceAccountName;
    if (!old) object['status'] = { phase: 'Pending', qosClass: qualityOf(spec) };
  },
  validate: (object, old) => {
    if (object['spec']?.containers?.length === 0) return [required('spec.containers')];
    if (!old) return [];
    // Of a Pod's spec only these members may change once it exists.
    const fixed = ({ containers, initContainers, activeDeadlineSeconds, tolerations, ...rest }: Unstructured) => ({
      ...rest,
      containers: containers?.map(({ image: _image, ...container }: Unstructured) => container),
      initContainers: initContainers?.map(({ image: _image, ...container }: Unstructured) => container),
    });
    if (equal(fixed(object['spec'] ?? {}), fixed(old['spec'] ?? {}))) return [];
    return [
      forbiddenField(
        'spec',
        'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
      ),
    ];
  },
};

/** Guaranteed, Burstable or BestEffort, by the requests and limits of the containers. */
function qualityOf(spec: Unstructured): string {
  const containers: Unstructured[] = Array.isArray(spec['containers']) ? spec['containers'] : [];
  const named = containers.flatMap(({ resources = {} }) => [resources.requests, resources.limits]);
  if (named.every((amounts) => size(amounts) === 0)) return 'BestEffort';
  const guaranteed = containers.every(({ resources = {} }) =>
    ['cpu', 'memory'].every(
      (kind) =>
        resources.limits?.[kind] !== undefined &&
        String(resources.requests?.[kind] ?? resources.limits[kind]) === String(resources.limits[kind]),
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
