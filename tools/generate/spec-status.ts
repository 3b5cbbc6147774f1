import type { StatusMembers, StatusTree } from '../../runtime/api/schema/status-schema.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import type { CatalogueKind } from './catalogue.ts';

/** What Azure shows of each identity of a resource. */
const identity = { clientId: 'string', principalId: 'string' } as const;

/**
 * The members of the status of a kind whose types ASO v2 does not declare: Azure shows the declared body again, without
 * its secrets, with the names of the ids in place of references. Undefined for kinds that are no ARM resource.
 */
export function statusOfSpec({ spec, dataPlane, propertiesFlattened }: CatalogueKind): StatusMembers | undefined {
  if (dataPlane) return undefined;
  const members = membersOf(spec);
  const { properties } = members;
  const provisioningState = 'string';
  const shown = { ...members, name: 'string', type: 'string' } as const;
  if (propertiesFlattened) return sorted({ ...shown, provisioningState });
  return isMembers(properties) ? sorted({ ...shown, properties: sorted({ ...properties, provisioningState }) }) : shown;
}

function treeOf(tree: FieldTree): StatusTree {
  switch (tree.type) {
    case 'array':
      if (tree.as === 'identityMap') return { '*': identity };
      return [tree.items ? treeOf(tree.items) : 'any'];
    case 'map':
      return { '*': tree.values ? treeOf(tree.values) : 'any' };
    case 'object':
      return membersOf(tree);
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return tree.type;
    case 'reference':
    case 'wellKnownReference':
      return 'string';
    default:
      return 'any';
  }
}

function membersOf({ properties = {}, arm }: FieldTree): StatusMembers {
  const shown = Object.entries(properties).filter(([, { type }]) => !hidden.has(type));
  const members: Record<string, StatusTree> = Object.fromEntries(
    shown.map(([name, tree]) => [nameOf(name, tree), treeOf(tree)]),
  );
  if ('userAssignedIdentities' in members) Object.assign(members, { principalId: 'string', tenantId: 'string' });
  // The status has the state in the member of a one-of that Azure shows in its place.
  if (arm === '') members['provisioningState'] = 'string';
  return sorted(members);
}

/** A value from a ConfigMap has a plain field beside it; Azure shows no secret. */
const hidden: ReadonlySet<string> = new Set(['configMap', 'secret', 'secretMap']);

function nameOf(name: string, { type, arm, inStatus }: FieldTree): string {
  const isReference = type === 'reference' || type === 'wellKnownReference';
  return inStatus ?? (isReference ? (arm?.split('.').at(-1) ?? name) : name);
}

const sorted = (members: StatusMembers): StatusMembers =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

const isMembers = (tree: StatusTree | undefined): tree is StatusMembers =>
  typeof tree === 'object' && !Array.isArray(tree);
