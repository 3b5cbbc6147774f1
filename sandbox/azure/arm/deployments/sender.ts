import { type Exchange, Refusal, type Reply } from '../../exchange.ts';
import type { Submit } from './deployment-run.ts';

/** Sends the requests of a deployment while a client's request is answered. */
export function senderDuring(during: Exchange, route: (exchange: Exchange, apiVersion: string) => Reply): Submit {
  return (method, id, apiVersion, body = {}) => {
    const url = new URL(`${during.origin}${encodeURI(id)}?api-version=${apiVersion}`);
    const segments = id.split('/').filter(Boolean);
    const entry = { ...during.entry };
    const sent = { method, url, query: url.searchParams, segments, entry, body: Buffer.from(JSON.stringify(body)) };
    try {
      return route({ ...during, ...sent, headers: {}, operationFault: undefined }, apiVersion);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };
}
