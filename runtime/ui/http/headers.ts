import type { IncomingMessage } from 'node:http';

/**
 * The headers of every answer. The page runs its own files only: no script in its text, no evaluated text, no frame, no
 * request to another origin; trusted types keep texts from becoming markup or scripts.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types azimuth',
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Hosts under which a server on a loopback port is reached. */
export const loopbackHosts = (port: number) => [`127.0.0.1:${port}`, `localhost:${port}`];

/**
 * Whether a request comes from the page itself or from a person who opens it. A name that somebody points to this
 * address (DNS rebinding) has another Host; a request that another site starts says so in Sec-Fetch-Site.
 */
export function isFromPage({ headers }: IncomingMessage, hosts: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  const opensPage = headers['sec-fetch-mode'] === 'navigate';
  return (
    hosts.has((headers.host ?? '').toLowerCase()) &&
    (site === undefined || site === 'same-origin' || site === 'none' || opensPage)
  );
}
