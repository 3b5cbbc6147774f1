import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { observedErrorClasses, referenceErrorClasses } from '../../../runtime/azure/arm/error-classes.ts';
import { ArmError, armErrorInfo, classifyArmError, stripVolatile } from '../../../runtime/azure/arm/errors.ts';

const coded = (code: string, status: number, message = 'said') =>
  armErrorInfo({ status, body: { error: { code, message } } });

// The reference table once more, typed in from its source rather than from the code under test.
const slow = `AnotherOperationInProgress AuthorizationFailed AllocationFailed Conflict FailedIdentityOperation
  InvalidResourceReference InvalidSubscriptionRegistrationState LinkedAuthorizationFailed MissingRegistrationForLocation
  MissingSubscriptionRegistration NoRegisteredProviderFound NotFound ParentResourceNotFound PrincipalNotFound
  ResourceGroupNotFound ResourceNotFound ResourceQuotaExceeded RequestDisallowedByPolicy SubscriptionNotRegistered`;
const verySlow = `BadRequestFormat BadRequest InvalidResourceGroupLocation InvalidParameter InvalidParameterValue
  MethodNotAllowed ReservedResourceName RegionIsOfferRestricted ScopeLocked SkuNotAvailable SubscriptionNotFound`;
const fatal = `PublicIpForGatewayIsRequired InvalidResourceType InvalidRequestContent InvalidTemplate
  InvalidValuesForRequestParameters InvalidGatewaySkuProvidedForGatewayVpnType InvalidGatewaySize K8sVersionNotSupported
  LocationRequired MissingRequiredParameter PasswordTooLong PrivateIPAddressInReservedRange PrivateIPAddressNotInSubnet
  PropertyChangeNotAllowed`;
const words = (text: string) => text.split(/\s+/).filter(Boolean);
const table = [
  ...words(slow).map((code) => [code, 'slow'] as const),
  ...words(verySlow).map((code) => [code, 'verySlow'] as const),
  ...words(fatal).map((code) => [code, 'none'] as const),
];

test.each(table)('%s is %s for 400, 404 and 409', (code, retryClass) => {
  for (const status of [400, 404, 409]) expect(coded(code, status)).toMatchObject({ code, retryClass });
});

test('the table has these rows and no others', () => {
  expect([...referenceErrorClasses.keys()].sort()).toEqual(table.map(([code]) => code).sort());
});

test.each(
  words(`PrincipalNotFound FailedIdentityOperation ManagedEnvironmentNotProvisioned InvalidResourceReference
  StorageProvisioningStateNotSucceeded ReferencedResourceNotProvisioned PublicIPAddressCannotBeDeleted
  InUseSubnetCannotBeDeleted CannotDeleteResource InUseNetworkSecurityGroupCannotBeDeleted InUseRouteTableCannotBeDeleted
  InUseNatGatewayCannotBeDeleted NicInUse BadRequest`),
)('a 400 %s is tried again', (code) => {
  expect(coded(code, 400).retryClass).not.toBe('none');
  expect(new ArmError('PUT', '/x', coded(code, 400)).retryable).toBe(true);
});

test('unknown codes are very slow for 400 and slow otherwise; no code at all is slow', () => {
  expect(coded('SomethingNew', 400)).toMatchObject({ code: 'SomethingNew', retryClass: 'verySlow' });
  expect(coded('SomethingNew', 409).retryClass).toBe('slow');
  expect(armErrorInfo({ status: 400, body: undefined })).toMatchObject({ code: 'HTTP400', retryClass: 'slow' });
});

test.each([408, 429, 500, 502, 503, 504])(
  'HTTP %d passes by itself, even with a code that is fatal elsewhere',
  (status) => {
    expect(coded('InvalidTemplate', status).retryClass).toBe('slow');
  },
);

test('an error with Retry-After is retried', () => {
  const info = armErrorInfo({ status: 400, body: { code: 'InvalidTemplate' }, retryAfterMs: 5000 });
  expect(info).toMatchObject({ retryClass: 'slow', retryAfterMs: 5000 });
  expect(new ArmError('PUT', '/x', info).retryAfterMs).toBe(5000);
});

test.each([...observedErrorClasses.keys()])('a nested %s decides over the code above it', (code) => {
  const body = {
    error: { code: 'BadRequest', message: 'top', details: [{ code: 'Wrapper', details: [{ code, message: 'deep' }] }] },
  };
  expect(armErrorInfo({ status: 400, body })).toMatchObject({
    code,
    topLevelCode: 'BadRequest',
    message: 'top',
    retryClass: 'slow',
  });
});

test('of several known details a fatal one decides', () => {
  const details = [{ code: 'Conflict' }, { code: 'InvalidTemplate' }];
  expect(armErrorInfo({ status: 400, body: { error: { code: 'BadRequest', details } } })).toMatchObject({
    code: 'InvalidTemplate',
    retryClass: 'none',
  });
});

test('unknown details leave the decision to the code above them', () => {
  const body = { error: { code: 'Conflict', details: [{ code: 'Whatever' }] } };
  expect(armErrorInfo({ status: 409, body })).toMatchObject({ code: 'Conflict', retryClass: 'slow' });
});

test.each<[string, unknown, string, { code: string; message: string | RegExp }]>([
  ['wrapped', { error: { code: 'C', message: 'm' } }, '', { code: 'C', message: 'm' }],
  ['bare', { code: 'C', message: 'm' }, '', { code: 'C', message: 'm' }],
  [
    'capitalised',
    { Code: 'C', Message: 'm', Target: null, Details: [{ Message: 'm' }, { Code: 'D' }] },
    '',
    { code: 'C', message: 'm' },
  ],
  ['capitalised in a wrapper', { Error: { Code: 'C', Message: 'm' } }, '', { code: 'C', message: 'm' }],
  [
    'message only',
    { Message: 'The method is not allowed' },
    '',
    { code: 'HTTP418', message: 'The method is not allowed' },
  ],
  [
    'problem document',
    { type: 'https://x', title: 'Bad thing', status: 418, traceId: '1' },
    '',
    { code: 'HTTP418', message: 'Bad thing' },
  ],
  ['problem with detail', { title: 'Bad', detail: 'because' }, '', { code: 'HTTP418', message: 'because' }],
  [
    'AKS',
    { code: 'Outer', details: null, message: 'm', subcode: 'GetVnetError_NotFound' },
    '',
    { code: 'Outer', message: 'm' },
  ],
  ['numeric code', { code: 404002, message: 'm' }, '', { code: '404002', message: 'm' }],
  ['OAuth', { error: 'invalid_client', error_description: 'd' }, '', { code: 'invalid_client', message: 'd' }],
  ['OData', { 'odata.error': { code: 'C', message: { lang: 'en', value: 'm' } } }, '', { code: 'C', message: 'm' }],
  ['JSON in a string', '{"error":{"code":"C","message":"m"}}', '', { code: 'C', message: 'm' }],
  [
    'HTML',
    undefined,
    '<!DOCTYPE html><html><head><title>Service\n Unavailable</title></head></html>',
    { code: 'HTTP418', message: 'Service Unavailable' },
  ],
  ['HTML without a title', undefined, '<html><body>x</body></html>', { code: 'HTTP418', message: 'an HTML page' }],
  ['plain text', undefined, 'upstream connect error', { code: 'HTTP418', message: 'upstream connect error' }],
  ['empty', undefined, '', { code: 'HTTP418', message: '' }],
])('the body shape "%s" is read', (_, body, text, expected) => {
  expect(armErrorInfo({ status: 418, body, text })).toMatchObject(expected);
});

test('codes are found in details, innererror, additionalInfo, subcode and a document within a message', () => {
  const body = {
    error: {
      code: 'InvalidTemplateDeployment',
      message: 'm',
      details: [
        { code: 'A', message: '{"error":{"code":"B","message":"inner"}}', target: 't', details: [{ code: 'C' }] },
      ],
      innererror: { code: 'D', innererror: { code: 'E' } },
      additionalInfo: [{ type: 'x', info: { code: 'F' } }, { code: 'G' }],
      subcode: 'H',
    },
  };
  const { details } = armErrorInfo({ status: 400, body });
  expect(details.map(({ code }) => code).sort()).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
  expect(details.find(({ code }) => code === 'A')?.target).toBe('t');
});

/** A denial as Azure Policy sends it. */
const denial = (targetValue: unknown = 'True') => ({
  type: 'PolicyViolation',
  info: {
    evaluationDetails: {
      evaluatedExpressions: [
        { result: 'True', expressionKind: 'Field', expression: 'type', path: 'type', operator: 'Equals' },
        {
          result: 'False',
          expressionKind: 'Field',
          expression: 'Microsoft.Storage/storageAccounts/supportsHttpsTrafficOnly',
          path: 'properties.supportsHttpsTrafficOnly',
          expressionValue: 'hunter2',
          targetValue,
          operator: 'Equals',
        },
      ],
    },
    policyAssignmentDisplayName: 'Secure transfer',
    policyAssignmentName: 'deny_http',
    policyAssignmentId: '/providers/Microsoft.Management/managementgroups/root/assignments/deny_http',
  },
});

test('a denial of Azure Policy names the policies and the fields, and no value of the request', () => {
  const code = 'RequestDisallowedByPolicy';
  const text =
    "Resource 'x' was disallowed. Policy Secure transfer " +
    '(assignment /providers/Microsoft.Management/managementgroups/root/assignments/deny_http): ' +
    'properties.supportsHttpsTrafficOnly Equals True is False';
  const error = { code, message: "Resource 'x' was disallowed.", additionalInfo: [denial()] };
  expect(armErrorInfo({ status: 403, body: { error } }).message).toBe(text);
  const outer = { code: 'InvalidTemplateDeployment', message: "Resource 'x' was disallowed", details: [error, error] };
  expect(armErrorInfo({ status: 400, body: { error: outer } })).toMatchObject({ code, message: text });
});

test('denials of Azure Policy have a bounded length, also beside a long text, and hide secrets', () => {
  const error = {
    code: 'X',
    message: 'm'.repeat(9000),
    additionalInfo: Array(99).fill(denial(['secret'.repeat(999)])),
  };
  const { message } = armErrorInfo({ status: 403, body: { error }, secrets: ['secret'] });
  expect(message).toContain('m. Policy Secure transfer');
  expect(message.length).toBeLessThanOrEqual(4096);
  expect(message).not.toContain('secret');
  for (const info of [null, 'x', [], { evaluationDetails: { evaluatedExpressions: [null, 5, {}] } }]) {
    const odd = { code: 'X', message: 'm', additionalInfo: [{ type: 'PolicyViolation', info }] };
    expect(armErrorInfo({ status: 403, body: { error: odd } }).message).toMatch(/^m/);
  }
});

test('no body whatsoever makes the parser fail', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (body, text) => {
      const info = armErrorInfo({ status: 400, body, text });
      expect(typeof info.code).toBe('string');
      expect(info.retryClass).toMatch(/slow|verySlow|none/);
    }),
  );
});

test('overrides of a kind come first: by code, by pattern, by part of the text, in details too', () => {
  const disk = [{ code: 'BadRequest', message: 'DiskAccess.*not found', class: 'retryable' }] as const;
  expect(classifyArmError(coded('BadRequest', 400, 'DiskAccess /x not found'), disk).retryClass).toBe('slow');
  expect(classifyArmError(coded('BadRequest', 400, 'another'), disk).retryClass).toBe('verySlow');
  const cosmos = [{ code: 'ServiceUnavailable', message: 'high demand', match: 'contains', class: 'fatal' }] as const;
  expect(
    classifyArmError(coded('ServiceUnavailable', 503, 'is (currently) experiencing high demand'), cosmos).retryClass,
  ).toBe('none');
  expect(classifyArmError(coded('ServiceUnavailable', 503), cosmos).retryClass).toBe('slow');
  const nested = armErrorInfo({
    status: 400,
    body: { error: { code: 'X', details: [{ code: 'PasswordNotComplex' }] } },
  });
  const server = [{ code: 'PasswordNotComplex', class: 'fatal' }] as const;
  expect(classifyArmError(nested, server)).toMatchObject({ code: 'PasswordNotComplex', retryClass: 'none' });
  const vm = [{ code: 'InvalidTemplate', class: 'retryable', retry: 'verySlow' }] as const;
  expect(classifyArmError(coded('InvalidTemplate', 400), vm).retryClass).toBe('verySlow');
});

test('classifying again changes nothing', () => {
  for (const [code] of table) expect(classifyArmError(coded(code, 409))).toEqual(coded(code, 409));
});

test.each([
  [
    'Failed. RequestId: 4fd1bd0e-1e2c-4c3a-9d4f-aa00bb11cc22 Time:2024-12-13T00:37:56.8228344Z',
    'Failed. RequestId … Time:…',
  ],
  ["Correlation ID: '9c1f0c2a-0000-4000-8000-000000000001'. Try later", 'Correlation ID …. Try later'],
  ['Refused. (trace id 0a1b-2c, correlation id 3d4e-5f.) Wait', 'Refused. (trace id …, correlation id ….) Wait'],
  ['Refused. (trace id 0a1b-2c, correlation id (3d4e-5f)) Wait', 'Refused. (trace id …, correlation id …) Wait'],
  ['Please retry after 17 seconds.', 'Please retry after … seconds.'],
  ['at Fri, 13 Dec 2024 00:37:56 GMT it failed', 'at … it failed'],
  ['started 12/13/2024 12:37:56 AM', 'started …'],
])('%p becomes %p', (message, expected) => {
  expect(stripVolatile(message)).toBe(expected);
});

test('the reference page lists every code with its class', () => {
  const page = readFileSync('docs/reference/azure-errors.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (slow|very slow|none) \|/gm)].map(([, code, speed]) => [
    code,
    speed,
  ]);
  const names = { fast: 'fast', slow: 'slow', verySlow: 'very slow', none: 'none' };
  const expected = [...referenceErrorClasses, ...observedErrorClasses].map(([code, retryClass]) => [
    code,
    names[retryClass],
  ]);
  expect(rows.sort()).toEqual(expected.sort());
});
