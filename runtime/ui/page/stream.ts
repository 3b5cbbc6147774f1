import type { Row } from '../../view/model/row.ts';
import type { Detail, StreamMessage } from '../messages.ts';

/** The server refused the token, or needs one. */
export class NeedsToken extends Error {}

/** Seconds without a byte after which the connection counts as dead; the server sends one every 20 seconds. */
const silentSeconds = 60;

async function get(path: string, token: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(path, { headers, signal, credentials: 'same-origin', redirect: 'error' });
  if (response.ok) return response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  const text = message ?? `The server answered ${response.status}.`;
  throw response.status === 401 ? new NeedsToken(text) : new Error(text);
}

/** Reads one object in detail. */
export async function readDetail(row: Row, token: string, signal: AbortSignal): Promise<Detail> {
  const { group, kind, namespace, name } = row;
  const query = new URLSearchParams({ group, kind, namespace, name });
  return (await get(`/api/object?${query}`, token, signal)).json() as Promise<Detail>;
}

/**
 * Calls `take` with each message of the stream until it ends. EventSource cannot send the token, so that this reads the
 * events itself.
 */
export async function readStream(
  namespace: string,
  token: string,
  signal: AbortSignal,
  take: (message: StreamMessage) => void,
): Promise<void> {
  const silent = new AbortController();
  const response = await get(
    `/api/stream?${new URLSearchParams({ namespace })}`,
    token,
    AbortSignal.any([signal, silent.signal]),
  );
  if (!response.body) return;
  let rest = '';
  let timer = 0;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silentSeconds * 1000);
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) take(JSON.parse(event.slice(6)) as StreamMessage);
    }
  } finally {
    clearTimeout(timer);
  }
}
