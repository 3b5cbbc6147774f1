/** The `identity` of a machine as ARM shows it, and the bodies of the PATCHes that change it. */
import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';

/** What a GET shows. Ids are lower-case. */
export interface MachineIdentity {
  readonly type: string;
  readonly ids: ReadonlySet<string>;
}

/** True: attach, false: detach. */
export type IdentityChanges = ReadonlyMap<string, boolean>;

/** Largest number of identities that one PATCH may name. Source: facts on pod identity, 3.4. */
export const batchSize = 150;

/** Reads `identity` of a resource body; a resource without one has none. */
export function machineIdentityOf(body: unknown): MachineIdentity {
  const { identity } = (body ?? {}) as { identity?: { type?: unknown; userAssignedIdentities?: unknown } };
  const ids = Object.entries((identity?.userAssignedIdentities ?? {}) as object);
  return {
    type: typeof identity?.type === 'string' ? identity.type : '',
    ids: new Set(ids.flatMap(([id, value]) => (value === null ? [] : [normalizeResourceId(id)]))),
  };
}

/** The client ids that a resource body shows, by identity in lower case. */
export function clientIdsOf(body: unknown): Map<string, string> {
  const { identity } = (body ?? {}) as { identity?: { userAssignedIdentities?: unknown } };
  const entries = Object.entries((identity?.userAssignedIdentities ?? {}) as object);
  return new Map(
    entries.flatMap(([id, value]: [string, { clientId?: unknown } | null]) =>
      typeof value?.clientId === 'string' ? [[normalizeResourceId(id), value.clientId.toLowerCase()]] : [],
    ),
  );
}

/** Those changes that change anything. */
export function effective({ ids }: MachineIdentity, changes: IdentityChanges): Map<string, boolean> {
  const normal = [...changes].map(([id, attach]) => [normalizeResourceId(id), attach] as const);
  return new Map(normal.filter(([id, attach]) => ids.has(id) !== attach));
}

/** The changes in portions that one PATCH may carry; what is attached comes first, so that nobody waits for a removal. */
export function batches(changes: IdentityChanges, size = batchSize): Map<string, boolean>[] {
  const all = [...changes].sort(([, a], [, b]) => Number(b) - Number(a));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => new Map(all.slice(i * size, (i + 1) * size)));
}

/**
 * The PATCH for these changes and what is there after it; undefined when nothing changes. Only the difference is named,
 * null removes. The type says what remains and never takes a system-assigned identity away.
 */
export function identityPatch(
  current: MachineIdentity,
  changes: IdentityChanges,
): { readonly body: object; readonly after: MachineIdentity } | undefined {
  const delta = effective(current, changes);
  if (delta.size === 0) return undefined;
  const ids = new Set(current.ids);
  for (const [id, attach] of delta) {
    if (attach) ids.add(id);
    else ids.delete(id);
  }
  const system = /systemassigned/i.test(current.type);
  const type = typeFor(system, ids.size > 0);
  const userAssignedIdentities = Object.fromEntries([...delta].map(([id, attach]) => [id, attach ? {} : null]));
  // ARM takes a map without the last identity only together with a type that has none.
  const identity = ids.size > 0 ? { type, userAssignedIdentities } : { type };
  return { body: { identity }, after: { type, ids } };
}

function typeFor(system: boolean, user: boolean): string {
  if (user) return system ? 'SystemAssigned, UserAssigned' : 'UserAssigned';
  return system ? 'SystemAssigned' : 'None';
}

const idPattern =
  /\/subscriptions\/[^/'"\s,]+\/resourcegroups\/[^/'"\s,]+\/providers\/microsoft\.managedidentity\/userassignedidentities\/[\w.-]*\w/gi;

/** Characters of a message in which ids are searched. */
const maxMessageLength = 65_536;

/** Every identity that an error message names, lower-case, in order and once. */
export function identitiesNamedIn(message: string): string[] {
  return [
    ...new Set([...message.slice(0, maxMessageLength).matchAll(idPattern)].map(([id]) => normalizeResourceId(id))),
  ];
}
