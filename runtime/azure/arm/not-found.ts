import type { ArmErrorInfo } from '../types.ts';
import { ArmError } from './errors.ts';

/** ARM answers 404 with these codes too, but they do not prove that a resource is gone. */
const notAboutTheResource = new Set(['invalidresourcetype', 'noregisteredproviderfound', 'invalidresourcenamespace']);
/** The owner is not there, so that a PUT would be refused too. */
const aboutTheOwner = new Set(['parentresourcenotfound', 'resourcegroupnotfound']);

/** Whether Azure reports that the resource of the request does not exist. */
export function isGone(error: unknown): error is ArmError {
  return error instanceof ArmError && isGoneError(error.info, error.path);
}

/** The resource has no longer the ETag that the request was bound to. */
export function isChanged(error: unknown): boolean {
  return error instanceof ArmError && error.info.status === 412;
}

/** The type has no such method; a GET then has no information about the resource. */
export function isMethodNotAllowed(error: unknown): boolean {
  return error instanceof ArmError && error.info.status === 405;
}

/** Whether an answer to a request with this path, or the error of its operation, reports that the resource does not exist. */
export function isGoneError({ status, code, message }: ArmErrorInfo, path: string): boolean {
  if (status !== 404) return false;
  if (code.toLowerCase() !== 'subscriptionnotfound') return !notAboutTheResource.has(code.toLowerCase());
  // Services have subscriptions of their own; ARM names the Azure subscription that it does not find.
  const [scope = '', ...rest] = path.split('/providers/');
  const subscriptionId = /\/subscriptions\/([^/?]+)/i.exec(scope)?.[1];
  const named = subscriptionId !== undefined && message.includes(subscriptionId);
  return rest.some((part) => /\/subscriptions\//i.test(part)) && !named;
}

/** Whether a 404 is about a parent of the resource with this path, such as its resource group. */
export function isOwnerGone({ info, path }: ArmError): boolean {
  if (info.status !== 404) return false;
  const own = path.split('?')[0]?.toLowerCase() ?? '';
  if (aboutTheOwner.has(info.code.toLowerCase())) return !/\/resourcegroups\/[^/]+\/?$/.test(own);
  // "The Resource 'Microsoft.Network/virtualNetworks/vn' under resource group 'rg' was not found."
  const named = /^The Resource '([^']{1,1000})' under resource group/i.exec(info.message)?.[1]?.toLowerCase();
  const [namespace = '', type = '', ...more] = named?.split('/') ?? [];
  return more.length === 1 && own.includes(`/providers/${namespace}/${type}/${more[0]}/`);
}
