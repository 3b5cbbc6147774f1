import { isObject } from '../../../runtime/base/json.ts';
import type { Exchange, Reply } from '../exchange.ts';

/** One page of a list; nextLink is absolute and carries a $skiptoken, $top makes pages smaller. */
export function page(exchange: Exchange, items: readonly unknown[], pageSize: number): Reply {
  const top = Number(exchange.query.get('$top') ?? 0);
  const size = top > 0 ? Math.min(top, pageSize) : pageSize;
  const start = Number(Buffer.from(exchange.query.get('$skiptoken') ?? '', 'base64url').toString('utf8')) || 0;
  const value = items.slice(start, start + size);
  if (start + size >= items.length) return { status: 200, body: { value } };
  const next = new URL(exchange.url);
  next.searchParams.set('$skiptoken', Buffer.from(String(start + size)).toString('base64url'));
  return { status: 200, body: { value, nextLink: next.toString() } };
}

/** The answer of an action that is a list, in pages. */
export function inPages(exchange: Exchange, reply: Reply, pageSize: number): Reply {
  const items = isObject(reply.body) ? reply.body['value'] : undefined;
  return Array.isArray(items) ? { ...reply, ...page(exchange, items, pageSize) } : reply;
}
