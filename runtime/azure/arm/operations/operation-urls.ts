import type { CloudEnvironment } from '../../types.ts';
import { mayReceiveArmToken, resolveArmUrl } from '../hosts.ts';
import { normalizeResourceId, tryParseResourceId } from '../resource-ids.ts';

/**
 * Whether a URL may be a status URL of an operation on this resource: on the ARM host, and below the
 * resource, among the results of its subscription, or among the operations of its resource provider in the same
 * subscription and resource group. A record keeps such a URL over a restart, and nobody should be able to make another
 * one of it.
 */
export function isOperationUrl(url: string, resourceId: string, cloud: CloudEnvironment): boolean {
  const parsed = tryParseResourceId(resourceId);
  const resolved = resolveArmUrl(url, cloud);
  if (!parsed || !resolved || !mayReceiveArmToken(resolved, cloud)) return false;
  const path = pathBelowEndpoint(resolved, cloud);
  if (path === undefined) return false;
  if (`${path}/`.startsWith(`${normalizeResourceId(resourceId)}/`)) return true;
  const { subscriptionId, resourceGroup, provider } = parsed;
  const group = resourceGroup?.toLowerCase();
  const segments = path.slice(1).split('/');
  const place = subscriptionId === undefined ? [] : ['subscriptions', subscriptionId.toLowerCase()];
  if (place.some((each, index) => segments[index] !== each)) return false;
  const rest = segments.slice(place.length);
  const inGroup = rest[0] === 'resourcegroups';
  if (inGroup && (group === undefined || rest[1] !== group)) return false;
  const [word, next] = inGroup ? rest.slice(2) : rest;
  if (word === 'providers') return next === provider.toLowerCase();
  return !inGroup && word !== undefined && resultWords.has(word);
}

/** Parameters by which ARM signs a poll URL again in each answer: a time, a certificate, a signature and a hash. */
const signature = ['t', 'c', 's', 'h'];

/** Whether two poll URLs are of one operation: they differ in their signature only, and the older one still works. */
export function sameOperationUrl(a: string, b: string): boolean {
  return a === b || withoutSignature(a) === withoutSignature(b);
}

function withoutSignature(text: string): string {
  // A path without a host is a resource.
  const url = URL.parse(text);
  if (!url) return text;
  for (const name of signature) url.searchParams.delete(name);
  return url.href;
}

const resultWords: ReadonlySet<string> = new Set(['operationresults', 'operations', 'operationstatuses']);

function pathBelowEndpoint(url: URL, cloud: CloudEnvironment): string | undefined {
  const base = new URL(cloud.resourceManagerEndpoint).pathname.replace(/\/$/, '');
  // A server that decodes the path once more must not reach another place.
  if (!url.pathname.startsWith(`${base}/`) || /%(2f|2e|25|5c)/i.test(url.pathname)) return undefined;
  return url.pathname.slice(base.length).toLowerCase();
}
