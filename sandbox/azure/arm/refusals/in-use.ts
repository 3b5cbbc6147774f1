import { refuse } from '../../exchange.ts';
import { idsOfReferrers, type Referrer, referrersTo } from '../answers/references.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';
import table from './in-use.json' with { type: 'json' };
import { filled } from './message.ts';

/** Why a resource cannot be deleted. Whoever the resource shows as referring to it, uses it. */
interface InUse {
  /** Who else uses it. */
  readonly by?: readonly Referrer[];
  /** Types of children, without their parent's, that must be gone before. */
  readonly children?: readonly string[];
  /** Type of the children that go with it and must not be in use themselves. */
  readonly parts?: string;
  readonly status?: number;
  readonly code?: string;
  /** `{id}` and `{name}` of the resource, `{user}` and `{userName}` of the first user, `{users}` of all. */
  readonly message?: string;
}

/** By type in lower case. */
const rows = table as Readonly<Record<string, InUse>>;

/** Whether a resource of the type stays while others use it. */
export const refusesInUse = (type: string): boolean => rows[type.toLowerCase()] !== undefined;

/** The ids of the resources that use one. */
export function usersOf({ id, type }: Pick<StoredResource, 'id' | 'type'>, resources: StoredResources): string[] {
  const { by = [], children = [] } = rows[type.toLowerCase()] ?? {};
  const nested = new Set(children.map((child) => `${type}/${child}`.toLowerCase()));
  return [
    ...[...referrersTo(type), ...by].flatMap((referrer) => idsOfReferrers(referrer, id, resources)),
    ...(nested.size === 0 ? [] : resources.below(id))
      .filter((each) => nested.has(each.type.toLowerCase()))
      .map((each) => each.id),
  ];
}

/** Throws Azure's refusal to delete a resource that others use. */
export function refuseInUse({ id, name, type }: StoredResource, resources: StoredResources): void {
  const row = rows[type.toLowerCase()];
  if (!row) return;
  const { parts, status = 409, code = 'Conflict', message = '' } = row;
  const isPart = (each: StoredResource) => each.type.toLowerCase() === parts?.toLowerCase();
  for (const part of parts === undefined ? [] : resources.below(id).filter(isPart)) refuseInUse(part, resources);
  const users = usersOf({ id, type }, resources);
  const [user] = users;
  if (user === undefined) return;
  const userName = user.split('/').at(-1) ?? '';
  throw refuse(status, code, filled(message, { id, name, user, userName, users: users.join(', ') }));
}
