import { type Refusal, refuse } from '../exchange.ts';
import type { ResourcePath } from './resources/resource-path.ts';

/** Refusals of ARM itself, worded as ../shared/recordings shows them; `gateway` marks that no provider was asked. */
const gateway = { 'x-ms-failure-cause': 'gateway' };

/** 404 answers, by the missing thing. */
export const notFound = {
  group: (name: string): Refusal =>
    refuse(404, 'ResourceGroupNotFound', `Resource group '${name}' could not be found.`, {}, gateway),
  resource: (path: ResourcePath): Refusal =>
    refuse(
      404,
      'ResourceNotFound',
      path.resourceGroup
        ? `The Resource '${nameInGroup(path)}' under resource group '${path.resourceGroup}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`
        : `The resource '${path.id}' was not found.`,
      {},
      gateway,
    ),
  parent: (path: ResourcePath, verb: string): Refusal =>
    refuse(
      404,
      'ParentResourceNotFound',
      `Failed to perform '${verb}' on resource(s) of type '${path.types.join('/')}', because the parent resource '${path.parentId}' could not be found.`,
      {},
      gateway,
    ),
  subscription: (id: string): Refusal =>
    refuse(404, 'SubscriptionNotFound', `The subscription '${id}' could not be found.`, {}, gateway),
};

/** Microsoft.Storage/storageAccounts/x/blobServices/y */
function nameInGroup(path: ResourcePath): string {
  return [path.namespace, ...path.types.flatMap((type, index) => [type, path.names[index] ?? ''])].join('/');
}

/** 401 with the challenge that leads clients to the tenant's authority. */
export function unauthorized(code: string, message: string, authority: string): Refusal {
  const challenge = `Bearer authorization_uri="${authority}", error="invalid_token", error_description="${message.replaceAll('"', "'")}"`;
  return refuse(401, code, message, {}, { 'www-authenticate': challenge });
}

/** 403 `AuthorizationFailed` for an action without a role assignment. */
export const forbidden = (clientId: string, objectId: string, action: string, scope: string): Refusal =>
  refuse(
    403,
    'AuthorizationFailed',
    `The client '${clientId}' with object id '${objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    {},
    gateway,
  );
