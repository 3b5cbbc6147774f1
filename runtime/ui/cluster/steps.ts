import { computeRun } from '../../api/deployments/compute-run.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { rowId } from '../../view/model/row.ts';
import { shown } from '../../view/model/row-of.ts';
import type { ShownStep } from '../messages.ts';

/** Steps that are shown. */
const most = 200;

/** The locations and blocks of a ComputeRun, those first that have not succeeded; none for every other kind. */
export function stepsOf({ kind, metadata, status }: KubeObject): ShownStep[] {
  if (kind !== computeRun.kind || !isObject(status)) return [];
  const entries = (member: string): unknown[] => (Array.isArray(status[member]) ? (status[member] as unknown[]) : []);
  const step = (entry: unknown, name: 'location' | 'resource'): ShownStep[] => {
    if (!isObject(entry)) return [];
    const { state, reason, message } = entry;
    const id = name === 'resource' ? idOf(entry['resource'], metadata.namespace ?? '') : '';
    return [
      {
        name: shown(entry[name], 400),
        id,
        state: shown(state, 20),
        reason: shown(reason, 200),
        message: shown(message, 1000),
      },
    ];
  };
  const all = [
    ...entries('locations').flatMap((entry) => step(entry, 'location')),
    ...entries('blocks').flatMap((entry) => step(entry, 'resource')),
  ];
  const isDone = ({ state }: ShownStep) => state === 'Succeeded';
  return [...all.filter((each) => !isDone(each)), ...all.filter(isDone)].slice(0, most);
}

/** The row's id for a resource that is named as Kind.group/name. */
function idOf(resource: unknown, namespace: string): string {
  const [type = '', name = ''] = shown(resource, 400).split('/', 2);
  const [kind = '', ...group] = type.split('.');
  return rowId(group.join('.'), kind, namespace, name);
}
