import type { IncomingHttpHeaders } from 'node:http';
import { badRequest, forbidden } from '../model/status.ts';
import type { User } from '../model/user.ts';
import type { Rbac } from './rbac.ts';

const accountPrefix = 'system:serviceaccount:';
const values = (header: string | string[] | undefined) => (header === undefined ? [] : [header].flat());

/**
 * The user a request is made as: `Impersonate-User` and `-Group` (kubectl --as, --as-group) stand in for the sender's
 * own, if RBAC lets the sender impersonate them. Throws 400 and 403.
 */
export function impersonated(rbac: Rbac, sender: User, headers: IncomingHttpHeaders): User {
  const name = values(headers['impersonate-user'])[0];
  // Node joins a header that comes several times.
  const groups = values(headers['impersonate-group']).flatMap((value) => value.split(/,\s*/));
  if (name === undefined) {
    if (groups.length > 0) throw badRequest('requested [] without impersonating a user');
    return sender;
  }
  const check = (plural: string, namespace: string, target: string) => {
    const group = '';
    if (rbac.allows(sender, { verb: 'impersonate', group, plural, subresource: '', namespace, name: target })) return;
    const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
    throw forbidden(
      { group, plural, kind: plural },
      target,
      `User "${sender.name}" cannot impersonate resource "${plural}" in API group "${group}" ${where}`,
    );
  };
  const [namespace, account] = name.startsWith(accountPrefix) ? name.slice(accountPrefix.length).split(':') : [];
  if (namespace && account) check('serviceaccounts', namespace, account);
  else check('users', '', name);
  for (const group of groups) check('groups', '', group);
  const own =
    groups.length === 0 && namespace ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : groups;
  const baseGroup = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return { name, groups: [...own, ...(own.includes(baseGroup) ? [] : [baseGroup])] };
}
