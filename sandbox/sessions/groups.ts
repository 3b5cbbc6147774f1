import { armKindsOfType } from '../../runtime/api/kinds.ts';
import { groupType, tryParsePath } from '../azure/arm/resources/resource-path.ts';

/** The parts of Resource Manager that the figures are kept for. */
export type Group = 'catalogue' | 'platform' | 'actions' | 'rest';

/** What a request is about. */
export interface Subject {
  readonly group: Group;
  /** Microsoft.Storage/storageAccounts, as the catalogue spells it where it has it; a POST action follows. */
  readonly type: string;
  readonly id: string;
  readonly resourceGroup: string | undefined;
  /** The request is for a resource itself, not for a collection or an action. */
  readonly single: boolean;
}

const platform = /^(microsoft\.resources|microsoft\.features)\/|^microsoft\.authorization\/(locks|policy\w+)|^$/i;

const segmentsOf = (path: string) => path.split('/').filter(Boolean);

/** Actions that the catalogue names for a type, in lower case. */
function actionsOf(type: string): Set<string> {
  const actions = armKindsOfType(type).flatMap(({ arm }) => [
    ...(arm.secretSource?.action ? [arm.secretSource.action] : []),
    ...Object.values(arm.secretSource?.actions ?? {}),
    ...(arm.keyRotation ? [arm.keyRotation.action] : []),
  ]);
  return new Set(actions.map(({ path }) => (path.split('/').at(-1) ?? '').toLowerCase()));
}

/** Sorts a request by its path. */
export function subjectOf(method: string, path: string): Subject {
  const parsed = tryParsePath(segmentsOf(path));
  if (!parsed)
    return {
      group: 'platform',
      type: path.replace(/^\/subscriptions\/[^/]+/, ''),
      id: path,
      resourceGroup: undefined,
      single: false,
    };
  const { id, resourceGroup, tail } = parsed;
  const listed = method === 'GET' && tail !== undefined;
  const named = listed
    ? [parsed.type === groupType ? '' : parsed.type || parsed.namespace, tail].filter(Boolean).join('/')
    : parsed.type;
  const type = armKindsOfType(named)[0]?.arm.armType ?? named;
  const about = { type, id: id.toLowerCase(), resourceGroup, single: tail === undefined };
  if (parsed.type === groupType || platform.test(type)) return { ...about, group: 'platform' };
  const isOfCatalogue = armKindsOfType(type).length > 0;
  if (method !== 'POST') return { ...about, group: isOfCatalogue ? 'catalogue' : 'rest' };
  if (isOfCatalogue && actionsOf(type).has(tail?.toLowerCase() ?? '')) return { ...about, group: 'catalogue' };
  return { ...about, type: [type, tail].filter(Boolean).join('/'), group: 'actions' };
}
