import type { ArmErrorInfo, RetryClass } from '../types.ts';

const rows = (retryClass: RetryClass, codes: string): [string, RetryClass][] =>
  codes
    .split(/\s+/)
    .filter(Boolean)
    .map((code) => [code, retryClass]);

/** ASO v2's classification table (facts/azure-service-operator.md 6), row for row. `none` = fatal. */
export const referenceErrorClasses: ReadonlyMap<string, RetryClass> = new Map([
  ...rows(
    'slow',
    `AnotherOperationInProgress AuthorizationFailed AllocationFailed Conflict FailedIdentityOperation
     InvalidResourceReference InvalidSubscriptionRegistrationState LinkedAuthorizationFailed
     MissingRegistrationForLocation MissingSubscriptionRegistration NoRegisteredProviderFound NotFound
     ParentResourceNotFound PrincipalNotFound ResourceGroupNotFound ResourceNotFound ResourceQuotaExceeded
     RequestDisallowedByPolicy SubscriptionNotRegistered`,
  ),
  ...rows(
    'verySlow',
    `BadRequestFormat BadRequest InvalidResourceGroupLocation InvalidParameter InvalidParameterValue MethodNotAllowed
     ReservedResourceName RegionIsOfferRestricted ScopeLocked SkuNotAvailable SubscriptionNotFound`,
  ),
  ...rows(
    'none',
    `PublicIpForGatewayIsRequired InvalidResourceType InvalidRequestContent InvalidTemplate
     InvalidValuesForRequestParameters InvalidGatewaySkuProvidedForGatewayVpnType InvalidGatewaySize
     K8sVersionNotSupported LocationRequired MissingRequiredParameter PasswordTooLong PrivateIPAddressInReservedRange
     PrivateIPAddressNotInSubnet PropertyChangeNotAllowed`,
  ),
]);

/**
 * Codes outside that table which recorded traffic shows to pass by themselves (facts 5.3), mostly in `details[]` or
 * with HTTP 400, where an unknown code would wait for the next resync.
 */
export const observedErrorClasses: ReadonlyMap<string, RetryClass> = new Map([
  ...rows(
    'slow',
    `RetryableError ReferencedResourceNotProvisioned StorageProvisioningStateNotSucceeded
     ManagedEnvironmentNotProvisioned PublicIPAddressCannotBeDeleted InUseSubnetCannotBeDeleted CannotDeleteResource
     InUseNetworkSecurityGroupCannotBeDeleted InUseRouteTableCannotBeDeleted InUseNatGatewayCannotBeDeleted NicInUse
     StorageAccountIsNotProvisioned VirtualEndpointOwnerServerNotInReadyState ServerIsBusy InternalServerError
     OperationCancelled TooManyRequests`,
  ),
]);

/** A 429 with one of these is about one resource that is busy, not about the subscription's request budget. */
const busyResourceCodes: ReadonlySet<string> = new Set(
  ['RetryableError', 'AnotherOperationInProgress', 'ReferencedResourceNotProvisioned', 'Conflict'].map((code) =>
    code.toLowerCase(),
  ),
);

const byLowerCase = new Map(
  [...observedErrorClasses, ...referenceErrorClasses].map(([code, retryClass]) => [code.toLowerCase(), retryClass]),
);

/** The class of a code, ignoring case; undefined for codes in neither table. */
export function classOfCode(code: string): RetryClass | undefined {
  return byLowerCase.get(code.toLowerCase());
}

/** Whether an operation that failed with this code says nothing about the resource: the same request is made again. */
export function passesByItself(code: string): boolean {
  return retriedCodes.has(code.toLowerCase());
}

const retriedCodes: ReadonlySet<string> = new Set(
  [...observedErrorClasses.keys(), 'AnotherOperationInProgress', 'Conflict', 'OperationLost'].map((code) =>
    code.toLowerCase(),
  ),
);

/** Whether a 429 is about one resource, and not about too many requests. */
export function isBusyResource(info: ArmErrorInfo): boolean {
  const codes = [info.topLevelCode ?? '', ...info.details.map(({ code }) => code)];
  return codes.some((code) => busyResourceCodes.has(code.toLowerCase()));
}
