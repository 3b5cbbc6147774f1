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
  const path = armPathOf(url, cloud);
  if (!parsed || path === undefined) return false;
  if (isBelow(path, resourceId)) return true;
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

/** Whether a URL is on the ARM host and leads to this path or below it, in any case. */
export function isUrlBelow(url: string, armPath: string, cloud: CloudEnvironment): boolean {
  const path = armPathOf(url, cloud);
  return path !== undefined && isBelow(path, armPath);
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

const isBelow = (path: string, armPath: string) => `${path}/`.startsWith(`${normalizeResourceId(armPath)}/`);

/** The path in lower case, without that of the endpoint; undefined for a URL that must not get a token. */
function armPathOf(text: string, cloud: CloudEnvironment): string | undefined {
  const url = resolveArmUrl(text, cloud);
  if (!url || !mayReceiveArmToken(url, cloud)) return undefined;
  const base = new URL(cloud.resourceManagerEndpoint).pathname.replace(/\/$/, '');
  // A server that decodes the path once more must not reach another place.
  if (!url.pathname.startsWith(`${base}/`) || /%(2f|2e|25|5c)/i.test(url.pathname)) return undefined;
  return url.pathname.slice(base.length).toLowerCase();
}
