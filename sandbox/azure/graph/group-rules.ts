import { type Json, stringOf } from '../json.ts';
import { badRequest, malformed } from './graph-errors.ts';

/** Members that a caller may write, with the value of a new group that does not have the member. */
export const writable = {
  displayName: undefined,
  mailNickname: undefined,
  mailEnabled: undefined,
  securityEnabled: undefined,
  description: null,
  groupTypes: [],
  isAssignableToRole: null,
  membershipRule: null,
  membershipRuleProcessingState: null,
  uniqueName: null,
  visibility: null,
} as const;

const readOnly = ['id', 'createdDateTime', 'deletedDateTime', 'mail', 'proxyAddresses', 'renewedDateTime'];
const required = ['displayName', 'mailEnabled', 'mailNickname', 'securityEnabled'] as const;
const immutable = ['groupTypes', 'isAssignableToRole', 'uniqueName'] as const;
const longest: Readonly<Record<string, number>> = {
  displayName: 256,
  mailNickname: 64,
  description: 1024,
  uniqueName: 128,
};

/** ASCII without the characters that a mail alias may not have; the `@` before a domain is one. */
const mailNickname = /^[\x21-\x7e]+$/;
const notInMailNickname = /[@()\\[\]";:<>,]/;

/** The directory's rules for groups. Source: Microsoft Graph v1.0, "Create group" and the resource type "group". */
export function checkBody(body: Json): void {
  for (const [name, value] of Object.entries(body)) {
    if (name === '@odata.type') continue;
    if (readOnly.includes(name)) throw badRequest(`Property '${name}' is read-only and cannot be set.`);
    if (!(name in writable)) throw malformed(`Invalid property '${name}'.`);
    if (!isValid(name, value)) throw invalid(name);
  }
}

const invalid = (name: string) => badRequest(`Invalid value specified for property '${name}' of resource 'Group'.`);

function isValid(name: string, value: unknown): boolean {
  if (name === 'groupTypes') {
    return Array.isArray(value) && value.every((type) => type === 'Unified' || type === 'DynamicMembership');
  }
  if (name === 'mailEnabled' || name === 'securityEnabled') return typeof value === 'boolean';
  if (name === 'isAssignableToRole') return value === null || typeof value === 'boolean';
  if (value === null) return !required.some((each) => each === name);
  if (typeof value !== 'string' || value === '' || value.length > (longest[name] ?? 4096)) return false;
  return name !== 'mailNickname' || (mailNickname.test(value) && !notInMailNickname.test(value));
}

/** The members of a new group; throws 400 where Graph refuses them. */
export function newMembers(body: Json): Json {
  checkBody(body);
  for (const name of required) {
    if (body[name] === undefined) {
      throw badRequest(`A value is required for property '${name}' of resource 'Group'.`);
    }
  }
  const { '@odata.type': _type, ...members } = { ...writable, ...body } as Json;
  const types = members['groupTypes'] as string[];
  const unified = types.includes('Unified');
  if (members['isAssignableToRole'] === true) checkRoleAssignable(members, types);
  if (types.includes('DynamicMembership') && !stringOf(members['membershipRule'])) {
    throw badRequest("A value is required for property 'membershipRule' of resource 'Group'.");
  }
  if (members['mailEnabled'] === true && !unified) throw mailEnabledRefused();
  if (!unified && members['securityEnabled'] === false) {
    throw badRequest('A group without the type Unified must be security-enabled.');
  }
  // Graph makes every group of Microsoft 365 mail-enabled, whatever the request says.
  return { ...members, mailEnabled: unified };
}

const mailEnabledRefused = () =>
  badRequest(
    'The service does not currently support writes of mail-enabled groups. Please ensure that the mail-enablement property is unset and the security-enablement property is set.',
  );

function checkRoleAssignable({ mailEnabled, securityEnabled }: Json, types: readonly string[]): void {
  if (types.includes('DynamicMembership') || (types.includes('Unified') && mailEnabled !== true)) {
    throw badRequest('GroupType cannot be set for security groups assignable to roles.');
  }
  if (securityEnabled !== true) throw invalid('isAssignableToRole');
}

/** The members of `group` that a PATCH changes; throws 400 where Graph refuses that. */
export function changedMembers(group: Json, body: Json): Json {
  checkBody(body);
  const changes = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => name !== '@odata.type' && JSON.stringify(group[name]) !== JSON.stringify(value),
    ),
  );
  const unified = (group['groupTypes'] as string[]).includes('Unified');
  if (changes['mailEnabled'] === true) throw mailEnabledRefused();
  if (unified) delete changes['mailEnabled'];
  for (const name of immutable) {
    // A group that never got a unique name may get one.
    if (name in changes && !(name === 'uniqueName' && group[name] === null)) {
      throw badRequest(`Property '${name}' is immutable and cannot be updated.`);
    }
  }
  if ('uniqueName' in changes && group['isAssignableToRole'] === true) {
    throw badRequest('Value for ArmUniqueName cannot be updated for groups assignable to role.');
  }
  return changes;
}
