import type { CloudEnvironment } from '../types.ts';

/**
 * Where a token for ARM may go: https on the endpoint's own host and port, a regional front end beneath it
 * (`westus2.management.azure.com`), or a host that the configuration allows. Poll URLs come from answers and
 * annotations, so they are never trusted by themselves.
 */
export function mayReceiveArmToken(url: URL, cloud: CloudEnvironment, allowedHosts: readonly string[] = []): boolean {
  const endpoint = new URL(cloud.resourceManagerEndpoint);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  if (url.host === endpoint.host || allowedHosts.includes(url.host)) return true;
  return url.port === endpoint.port && !isAddress(endpoint.hostname) && url.hostname.endsWith(`.${endpoint.hostname}`);
}

/**
 * An absolute URL as it is; a path (or `//`-less relative reference) on the ARM endpoint. Undefined if unparsable, and for
 * a path with `.` or `..`: a URL would mean another resource than the one that the path was checked for.
 */
export function resolveArmUrl(reference: string, cloud: CloudEnvironment): URL | undefined {
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(reference.split(/[?#]/)[0] ?? '')) return undefined;
  // A URL drops controls, and spaces at its end, without a word: it would lead to another resource.
  if (/[\p{Cc}\\]|^\s|\s$/u.test(reference)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return URL.parse(reference) ?? undefined;
  if (!reference.startsWith('/') || reference.startsWith('//')) return undefined;
  return URL.parse(cloud.resourceManagerEndpoint + reference) ?? undefined;
}

function isAddress(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
}
