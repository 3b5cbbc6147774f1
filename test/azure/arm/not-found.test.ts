/** Answers 404 of recorded traffic: the request decides whether the word is about its resource. */
import { expect, test } from '@jest/globals';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import { isGone, isMethodNotAllowed, isOwnerGone } from '../../../runtime/azure/arm/not-found.ts';

const subscription = '00000000-0000-0000-0000-000000000000';
const group = `/subscriptions/${subscription}/resourceGroups/rg`;
const topic = `${group}/providers/Microsoft.ServiceBus/namespaces/ns/topics/t`;
const notFound = (path: string, code: string, message: string, status = 404) =>
  new ArmError('GET', path, { status, code, message, details: [], retryClass: 'slow' } as never);

test.each([
  [`${topic}/subscriptions/s`, 'SubscriptionNotFound', 'Subscription does not exist'],
  [`${topic}/subscriptions/s/rules/r?api-version=1`, 'SubscriptionNotFound', 'Rule does not exist'],
  [`${group}/providers/Microsoft.ServiceBus/namespaces/ns`, 'NamespaceNotFound', "Namespace 'ns' not found"],
  ['/providers/Microsoft.Subscription/aliases/a', 'SubscriptionAliasNotFound', 'Subscription alias not found'],
  [`${group}/providers/Microsoft.Compute/virtualMachines/vm/extensions/x`, 'NotFound', 'The entity was not found.'],
  [`${group}/providers/Microsoft.Web/sites/s`, '', ''],
])('GET %s with %s says that the resource is not there', (path, code, message) => {
  expect(isGone(notFound(path, code, message))).toBe(true);
});

test.each([
  [group, 'SubscriptionNotFound', `The subscription '${subscription}' could not be found.`],
  [topic, 'SubscriptionNotFound', 'Subscription does not exist'],
  [`${topic}/subscriptions/s`, 'SubscriptionNotFound', `The subscription '${subscription}' could not be found.`],
  [`${group}/providers/Contoso.Web/sites/s`, 'InvalidResourceType', 'The resource type could not be found'],
  [`${group}/providers/Contoso.Web/sites/s`, 'NoRegisteredProviderFound', 'No registered resource provider found'],
])('GET %s with %s says nothing of the resource', (path, code, message) => {
  expect(isGone(notFound(path, code, message))).toBe(false);
});

test.each([
  [`${topic}/subscriptions/s`, 'ResourceGroupNotFound', "Resource group 'rg' could not be found.", true],
  [group, 'ResourceGroupNotFound', "Resource group 'rg' could not be found.", false],
  [`${topic}/subscriptions/s`, 'ParentResourceNotFound', 'the parent resource was not found', true],
  [
    `${group}/providers/Microsoft.Network/virtualNetworks/vn/subnets/a`,
    'ResourceNotFound',
    "The Resource 'Microsoft.Network/virtualNetworks/vn' under resource group 'rg' was not found.",
    true,
  ],
  [
    `${group}/providers/Microsoft.Network/virtualNetworks/vn`,
    'ResourceNotFound',
    "The Resource 'Microsoft.Network/virtualNetworks/vn' under resource group 'rg' was not found.",
    false,
  ],
])('GET %s with %s: %s', (path, code, message, expected) => {
  expect(isOwnerGone(notFound(path, code, message))).toBe(expected);
});

test('405 says that the type has no such method, and another status does not', () => {
  expect(isMethodNotAllowed(notFound(topic, '', '', 405))).toBe(true);
  expect(isMethodNotAllowed(notFound(topic, 'MethodNotAllowed', '', 400))).toBe(false);
  expect(isGone(notFound(topic, '', '', 405))).toBe(false);
});
