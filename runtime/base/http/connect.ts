import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { readBoundedTextSync } from '../bounded-file.ts';

/** Largest file of NODE_EXTRA_CA_CERTS; the bundles of distributions have 0.3 MB. */
const mostBytesOfRoots = 4 * 1024 * 1024;

/** Names under localhost mean loopback (RFC 6761 6.3), but many a C library asks a name server for them, in vain. */
export const lookupWithLocalhost: LookupFunction = (hostname, options, callback) => {
  if (!hostname.toLowerCase().endsWith('.localhost')) dnsLookup(hostname, options, callback);
  else if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

/** Passing `ca` to TLS replaces Node's own list, so the extra certificates of the environment are added by hand. */
export function trustedRoots(): string[] | undefined {
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  return extra ? [...rootCertificates, readBoundedTextSync(extra, mostBytesOfRoots)] : undefined;
}

/** Trusted roots and the client certificate of TLS connections. */
export interface TlsIdentity {
  /** Certificates to trust in place of the built-in roots (PEM). @default the built-in roots and NODE_EXTRA_CA_CERTS */
  readonly ca?: string | readonly string[];
  /** Client certificate and key (PEM). */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Gives one context for all connections of a pool, made when the first of them opens. Otherwise each would read the
 * certificates again: with the built-in roots 0.8 MB of memory and some 20 ms.
 */
export function sharedTlsContext({ ca, cert, key }: TlsIdentity): () => SecureContext {
  let context: SecureContext | undefined;
  return () => {
    context ??= createSecureContext({ ca: ca === undefined ? trustedRoots() : [ca].flat(), cert, key });
    return context;
  };
}
