/** The `identity` member of a machine in ARM, and the bodies of the PATCHes that change it. */
import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';

/** The identities of a machine as read from ARM. Ids are lower-case. */
export interface MachineIdentity {
  readonly type: string;
  readonly ids: ReadonlySet<string>;
}

/** Changes by identity. True: attach, false: detach. */
export type IdentityChanges = ReadonlyMap<string, boolean>;

/** Largest number of identities that one PATCH may name. Source: AAD Pod Identity. */
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

/** The client ids in a resource body, by identity, both in lower case. */
export function clientIdsOf(body: unknown): Map<string, string> {
  const { identity } = (body ?? {}) as { identity?: { userAssignedIdentities?: unknown } };
  const entries = Object.entries((identity?.userAssignedIdentities ?? {}) as object);
  return new Map(
    entries.flatMap(([id, value]: [string, { clientId?: unknown } | null]) =>
      typeof value?.clientId === 'string' ? [[normalizeResourceId(id), value.clientId.toLowerCase()]] : [],
    ),
  );
}

/** Identities in a resource body whose entry has `clientId: null`: Azure keeps it when the identity is deleted. */
export function emptyIdsOf(body: unknown): Set<string> {
  const { identity } = (body ?? {}) as { identity?: { userAssignedIdentities?: unknown } };
  const entries = Object.entries((identity?.userAssignedIdentities ?? {}) as object);
  return new Set(
    entries.flatMap(([id, value]: [string, { clientId?: unknown } | null]) =>
      value?.clientId === null ? [normalizeResourceId(id)] : [],
    ),
  );
}

/** The changes that differ from the current state. */
export function effective({ ids }: MachineIdentity, changes: IdentityChanges): Map<string, boolean> {
  const normal = [...changes].map(([id, attach]) => [normalizeResourceId(id), attach] as const);
  return new Map(normal.filter(([id, attach]) => ids.has(id) !== attach));
}

/** Splits changes into batches for one PATCH each; attachments come first, so that no pod waits for a removal. */
export function batches(changes: IdentityChanges, size = batchSize): Map<string, boolean>[] {
  const all = [...changes].sort(([, a], [, b]) => Number(b) - Number(a));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => new Map(all.slice(i * size, (i + 1) * size)));
}

/**
 * The PATCH body for these changes, and the state after it; undefined when nothing changes. The body has the
 * difference only; null detaches. The type never removes a system-assigned identity.
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
  // Removing the last identity needs a type without UserAssigned, and no map.
  const identity = ids.size > 0 ? { type, userAssignedIdentities } : { type };
  return { body: { identity }, after: { type, ids } };
}

function typeFor(system: boolean, user: boolean): string {
  if (user) return system ? 'SystemAssigned, UserAssigned' : 'UserAssigned';
  return system ? 'SystemAssigned' : 'None';
}

const idPattern =
  /\/subscriptions\/[^/'"\s,]+\/resourcegroups\/[^/'"\s,]+\/providers\/microsoft\.managedidentity\/userassignedidentities\/[\w.-]*\w/gi;

/** Most characters of a message that the search reads. */
const maxMessageLength = 65_536;

/** The identities that an error message names, lower-case, in order, without duplicates. */
export function identitiesNamedIn(message: string): string[] {
  return [
    ...new Set([...message.slice(0, maxMessageLength).matchAll(idPattern)].map(([id]) => normalizeResourceId(id))),
  ];
}
