import type { StoredResource } from '../../arm/resources/stored-resources.ts';
import { isAllowed } from '../../arm/roles/access.ts';
import { bearer } from '../../bearer.ts';
import type { TokenIssuer } from '../../entra/tokens.ts';
import type { Exchange } from '../../exchange.ts';
import { at } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import { containerId, policyOf } from '../containers.ts';
import { refuse } from '../xml.ts';
import { delegationKey } from './delegation-keys.ts';
import type { Need } from './needs.ts';
import { expectedSignatures, type SasTarget } from './sas.ts';
import { isSame, isSignedByKey } from './shared-key.ts';

/** What decides about a caller's rights. */
export interface CallerDeps {
  readonly state: SandboxState;
  readonly tokens: TokenIssuer;
  readonly now: number;
  readonly authority: string;
}

/** A caller with its rights. */
export interface Caller {
  readonly principalId?: string;
  /** It has a key of the account: its rights are the same for every resource. */
  readonly hasKey?: true;
  allows(need: Need): boolean;
}

const audiences = ['https://storage.azure.com'];
const mismatch = () =>
  refuse(
    403,
    'AuthorizationPermissionMismatch',
    'This request is not authorized to perform this operation using this permission.',
  );

/** Throws Azure's refusal of a caller without the right. */
export function requireRight(caller: Caller, need: Need): void {
  if (!caller.allows(need)) throw mismatch();
}

/** The values of an account's keys. */
export const keysOf = (account: StoredResource): string[] =>
  (account.system['keys'] as { value: string }[]).map(({ value }) => value);

/** Finds who sent a request, and throws Azure's refusal of credentials that are none. */
export async function callerOf(
  exchange: Exchange,
  account: StoredResource,
  target: SasTarget,
  deps: CallerDeps,
): Promise<Caller> {
  const authorization = exchange.headers['authorization'];
  if (authorization === undefined) {
    return exchange.query.has('sig')
      ? signedCaller(exchange, account, target, deps)
      : anonymous(exchange, account, target, deps);
  }
  const [, name = '', signature = ''] = /^SharedKey ([^:]+):(\S+)$/.exec(authorization) ?? [];
  if (signature !== '') {
    if (at(account.body, 'properties.allowSharedKeyAccess') === false) {
      throw refuse(
        403,
        'KeyBasedAuthenticationNotPermitted',
        'Key based authentication is not permitted on this storage account.',
      );
    }
    const isOwn = name.toLowerCase() === account.name.toLowerCase();
    if (!isOwn || !isSignedByKey(exchange, name, signature, keysOf(account))) {
      throw failed('The MAC signature found in the HTTP request is not the same as any computed signature.');
    }
    return { hasKey: true, allows: ({ right }) => !right.endsWith('generateUserDelegationKey/action') };
  }
  return tokenCaller(exchange, account, target, deps);
}

const failed = (reason: string) =>
  refuse(
    403,
    'AuthenticationFailed',
    `Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature. ${reason}`,
  );

async function tokenCaller(
  exchange: Exchange,
  account: StoredResource,
  target: SasTarget,
  { tokens, now, state, authority }: CallerDeps,
): Promise<Caller> {
  const claims = await tokens.tryVerify(bearer(exchange) ?? '');
  const audience = String(claims?.['aud']).replace(/\/+$/, '');
  const own = `https://${account.name}.${target.service}.core.windows.net`;
  const isFor = audiences.includes(audience) || audience === own;
  if (!claims || !isFor || Number(claims['exp']) * 1000 <= now) {
    const challenge = `Bearer authorization_uri=${authority}/oauth2/authorize resource_id=${audiences[0]}`;
    const message =
      'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.';
    throw refuse(401, 'InvalidAuthenticationInfo', message, { 'www-authenticate': challenge });
  }
  const principalId = String(claims['oid']);
  const { entry } = exchange;
  Object.assign(entry, { tokenId: claims['uti'], clientId: claims['appid'], principalId, audience });
  return { principalId, allows: (need) => hasRole(state, principalId, account, target, need) };
}

/** Whether a principal has a role with the right at the container or queue, or at the account where there is none. */
function hasRole(
  state: SandboxState,
  principalId: string,
  account: StoredResource,
  { service, container }: SasTarget,
  { right, plane }: Need,
): boolean {
  const scope = container === undefined ? account.id : containerId(account, service, container);
  return isAllowed(state, principalId, `Microsoft.Storage/storageAccounts/${right}`, scope, plane);
}

function signedCaller(
  { query }: Exchange,
  account: StoredResource,
  target: SasTarget,
  { state, now }: CallerDeps,
): Caller {
  const keys = keysOf(account);
  const given = query.get('sig') ?? '';
  const expected = expectedSignatures(query, target, keys, (members) => delegationKey(account, keys, members));
  if (!expected.some((signature) => isSame(signature, given))) throw failed('Signature did not match.');
  const isDelegated = query.has('skoid');
  if (!isDelegated && at(account.body, 'properties.allowSharedKeyAccess') === false) {
    throw refuse(
      403,
      'KeyBasedAuthenticationNotPermitted',
      'Key based authentication is not permitted on this storage account.',
    );
  }
  const policy = query.get('si') ? policyOf(state, account, target, query.get('si') ?? '') : undefined;
  if (query.get('si') && !policy) throw failed('The signed identifier does not exist.');
  const [start, expiry] = [query.get('st') ?? policy?.start, query.get('se') ?? policy?.expiry];
  if (start && Date.parse(start) > now) throw failed('Signature not valid in the specified time frame.');
  if (!expiry || Date.parse(expiry) <= now) throw failed('Signature not valid in the specified time frame.');
  if (isDelegated && Date.parse(query.get('ske') ?? '') <= now) throw failed('The user delegation key has expired.');
  const letters = query.get('sp') ?? policy?.permission ?? '';
  const has = (sas: string) => [...sas].some((letter) => letters.includes(letter));
  if (query.has('ss')) {
    const [services, levels] = [query.get('ss') ?? '', query.get('srt') ?? ''];
    if (!services.includes(target.service[0] ?? '')) throw wrongScope('AuthorizationServiceMismatch', 'service');
    return {
      allows: ({ sas, level }) => {
        if (!levels.includes(level)) throw wrongScope('AuthorizationResourceTypeMismatch', 'resource type');
        return has(sas);
      },
    };
  }
  const principalId = query.get('skoid') ?? undefined;
  const mayDelegated = (need: Need) => principalId === undefined || hasRole(state, principalId, account, target, need);
  return {
    allows: (need) =>
      (need.plane === 'dataActions' || need.right.endsWith('queues/read')) && has(need.sas) && mayDelegated(need),
  };
}

const wrongScope = (code: string, what: string) =>
  refuse(403, code, `This request is not authorized to perform this operation using this ${what}.`);

function anonymous(
  { method }: Exchange,
  account: StoredResource,
  target: SasTarget,
  { state, authority }: CallerDeps,
): Caller {
  const isRead = target.service === 'blob' && (method === 'GET' || method === 'HEAD') && target.container !== undefined;
  if (!isRead) {
    const challenge = `Bearer authorization_uri=${authority}/oauth2/authorize resource_id=${audiences[0]}`;
    const message =
      'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.';
    throw refuse(401, 'NoAuthenticationInformation', message, { 'www-authenticate': challenge });
  }
  if (at(account.body, 'properties.allowBlobPublicAccess') !== true) {
    throw refuse(409, 'PublicAccessNotPermitted', 'Public access is not permitted on this storage account.');
  }
  const id = `${account.id}/blobServices/default/containers/${target.container}`;
  const access = String(at(state.resources.get(id)?.body, 'properties.publicAccess') ?? 'None');
  return {
    allows: ({ open }) => {
      if (open !== undefined && (access === 'Container' || access === open)) return true;
      throw refuse(404, 'ResourceNotFound', 'The specified resource does not exist.');
    },
  };
}
