import { authorityHostsSetting } from '../../azure/identity/authorities.ts';
import { identityScopesSetting } from '../../azure/identity/identity-policy.ts';
import { imdsEndpointSetting } from '../../azure/identity/imds.ts';
import { multiTenantSetting } from '../../base/flags/multi-tenant.ts';
import { type Flag, secondsFrom, wholeFrom } from '../../base/program.ts';
import { bool, oneOf, whole } from '../../base/settings.ts';
import { exceptedAccountsSetting } from './excepted-accounts.ts';

/** Flags that decide which identity a pod may use, how long requests wait for it, and how tokens are requested. */
export const identityFlags = {
  mode: {
    flag: 'operation-mode',
    env: 'OPERATION_MODE',
    default: 'standard',
    meaning: 'standard: assigned identities decide; managed: bindings of the own namespace decide',
    parse: (setting, text) => oneOf(setting, (each) => text(each).toLowerCase(), ['standard', 'managed']),
  },
  forceNamespaced: {
    flag: 'forceNamespaced',
    env: 'FORCENAMESPACED',
    default: 'false',
    boolean: true,
    meaning: 'pod, binding and identity must share a namespace; needed in managed mode',
    parse: bool,
  },
  multiTenant: multiTenantSetting,
  scopes: identityScopesSetting,
  exceptedAccounts: exceptedAccountsSetting,
  scaleFeatures: {
    flag: 'enableScaleFeatures',
    env: 'ENABLE_SCALE_FEATURES',
    default: 'true',
    boolean: true,
    meaning: "watch this node's assigned identities only, by their nodename label",
    parse: bool,
  },
  attemptsForCreated: {
    flag: 'retry-attempts-for-created',
    env: 'RETRY_ATTEMPTS_FOR_CREATED',
    default: '16',
    meaning: 'times the interval below: how long a request waits until an assignment begins',
    parse: wholeFrom(0, 1000),
  },
  attemptsForAssigned: {
    flag: 'retry-attempts-for-assigned',
    env: 'RETRY_ATTEMPTS_FOR_ASSIGNED',
    default: '4',
    meaning: 'times the interval: how much longer it waits for an assignment that has begun',
    parse: wholeFrom(0, 1000),
  },
  retryIntervalSeconds: {
    flag: 'find-identity-retry-interval',
    env: 'FIND_IDENTITY_RETRY_INTERVAL',
    default: '5',
    meaning: 'seconds; limits the wait only: a request proceeds as soon as the watch delivers the object',
    parse: wholeFrom(0, 600),
  },
  setRetryAfter: {
    flag: 'set-retry-after-header',
    env: 'SET_RETRY_AFTER_HEADER',
    default: 'false',
    boolean: true,
    meaning: 'answer 503 with Retry-After where no assignment exists after the wait',
    parse: bool,
  },
  noIdentityStatus: {
    flag: 'no-identity-status',
    env: 'NO_IDENTITY_STATUS',
    default: '400',
    meaning: 'status for a pod without an identity: 400, as the metadata endpoint answers, or 404, as AAD Pod Identity',
    parse: (setting, text) => (oneOf(setting, text, ['400', '404']) === '404' ? 404 : 400),
  },
  imdsEndpoint: imdsEndpointSetting,
  authorityHosts: authorityHostsSetting,
  tokenCacheMs: {
    flag: 'token-cache',
    env: 'TOKEN_CACHE',
    default: '300',
    meaning: 'seconds for which the daemon reuses a token; off or 0 requests a new one each time',
    parse: (setting, text) => (text(setting) === 'off' ? 0 : whole(setting, text, 0, 3600) * 1000),
  },
  secretRefreshMs: {
    flag: 'secret-refresh',
    env: 'SECRET_REFRESH',
    default: '10',
    meaning: 'seconds after which the daemon reads a Secret in use again',
    parse: secondsFrom(0, 3600),
  },
} as const satisfies Record<string, Flag>;
