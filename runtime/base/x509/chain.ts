import type { X509Certificate } from 'node:crypto';

/** The certificate, then its issuers upwards as far as they are among `all`, in whatever order `all` has them. */
export function chainOf(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  for (let last = leaf; ; ) {
    const issuer = all.find((candidate) => !chain.includes(candidate) && last.checkIssued(candidate));
    if (!issuer) return chain;
    chain.push(issuer);
    last = issuer;
  }
}
