import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../../base/http/client.ts';

/**
 * Hosts that publish the certificates of the authorities that sign for the metadata endpoint. The URL is in a certificate
 * that the caller sends, so the endpoint asks no other host.
 */
const publishers: ReadonlySet<string> = new Set([
  'www.microsoft.com',
  'caissuers.microsoft.com',
  'cacerts.digicert.com',
  'cacerts.digicert.cn',
]);
const longest = 16 * 1024;
const timeoutMs = 5000;

/** Reads the issuer of a certificate from where the certificate says, as documents come without their intermediates. */
export class IssuerCertificates {
  readonly #dispatcher: Dispatcher;
  readonly #known = new LRUCache<string, X509Certificate>({ max: 100 });
  readonly #reading = new Map<string, Promise<X509Certificate | undefined>>();

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** The issuer, not verified; undefined where the certificate names none of the publishers, or none answers. */
  async tryIssuerOf(certificate: X509Certificate): Promise<X509Certificate | undefined> {
    const url = addressOf(certificate);
    if (!url) return undefined;
    const cached = this.#known.get(url.href);
    if (cached) return cached;
    const reading = this.#reading.get(url.href) ?? this.#read(url).catch(() => undefined);
    this.#reading.set(url.href, reading);
    try {
      const issuer = await reading;
      if (issuer) this.#known.set(url.href, issuer);
      return issuer;
    } finally {
      this.#reading.delete(url.href);
    }
  }

  async #read({ origin, pathname }: URL): Promise<X509Certificate | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await this.#dispatcher.request({ origin, path: pathname, signal });
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length > longest) return undefined;
      chunks.push(chunk);
    }
    return statusCode === 200 ? new X509Certificate(Buffer.concat(chunks)) : undefined;
  }
}

function addressOf({ infoAccess }: X509Certificate): URL | undefined {
  const [, text = ''] = /^CA Issuers - URI:(http:\/\/[!-~]{1,200})$/m.exec(infoAccess ?? '') ?? [];
  const url = URL.parse(text);
  return url && publishers.has(url.hostname) && url.port === '' ? url : undefined;
}
