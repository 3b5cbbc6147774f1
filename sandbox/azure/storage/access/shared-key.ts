import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../../exchange.ts';

/** Headers of the text that a shared key signs, in order. */
const signedHeaders = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

/** The signature of a text by a key in base64. */
export const signatureOf = (key: string, text: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');

/** Whether two signatures are the same. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Orders in which clients sort the names of headers: with hyphens, and as Windows sorts words, without them. */
const orders: readonly ((name: string) => string)[] = [(name) => name, (name) => name.replaceAll('-', '')];

/** Whether the Authorization header `SharedKey account:signature` has the signature of one of the keys. */
export function isSignedByKey(
  exchange: Exchange,
  account: string,
  signature: string,
  keys: readonly string[],
): boolean {
  return orders.some((order) => {
    const text = textToSign(exchange, account, order);
    return keys.some((key) => isSame(signatureOf(key, text), signature));
  });
}

function textToSign(
  { method, headers, url, query }: Exchange,
  account: string,
  order: (name: string) => string,
): string {
  const values = signedHeaders.map((name) => {
    const value = headers[name] ?? '';
    return name === 'content-length' && value === '0' ? '' : name === 'date' && headers['x-ms-date'] ? '' : value;
  });
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map((name) => `${name}:${headers[name]}\n`);
  const parameters = [...new Set([...query.keys()])]
    .sort()
    .map((name) => `\n${name.toLowerCase()}:${query.getAll(name).sort().join(',')}`);
  return `${[method, ...values].join('\n')}\n${own.join('')}/${account}${url.pathname}${parameters.join('')}`;
}
