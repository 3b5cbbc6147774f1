import { AzimuthError } from '../../base/errors.ts';
import { refusal } from './answer.ts';
import { type Expected, expectEventObject } from './expected.ts';
import { LineSplitter } from './line-splitter.ts';
import { KubeStatusError, type RequestSubject, type StatusBody, subjectText } from './status-error.ts';
import type { Transport } from './transport.ts';
import type { KubeObject, WatchEvent } from './types.ts';

/** Options of one watch connection. */
export interface WatchStreamOptions extends Pick<Expected, 'subject' | 'type' | 'namespace' | 'metadataOnly'> {
  /** Path and query, `watch=true` included. */
  readonly path: string;
  /** Milliseconds without a byte, connecting included, until the connection counts as dead; 0 = never. @default 90000 */
  readonly idleTimeoutMs?: number;
  /** As in TransportRequest. */
  readonly accept?: string;
  /** Applied to every object that is no bookmark. */
  readonly convert?: (object: KubeObject) => KubeObject;
  /** As in WatchOptions. */
  readonly onOpen?: () => void;
  readonly signal?: AbortSignal;
}

interface RawEvent {
  readonly type: string;
  readonly object: KubeObject;
}

/**
 * The events of one watch request, until the server ends it. Throws KubeStatusError for a refusal and for an ERROR
 * event (code AZ_WATCH_EXPIRED for 410), AZ_KUBE_ANSWER for bytes that are no event, AZ_KUBE_UNREACHABLE when the
 * connection breaks or stays silent, and the signal's reason when it aborts. Leaving the loop frees the socket at once.
 */
export async function* watchStream<T extends KubeObject>(
  transport: Transport,
  { path, idleTimeoutMs = 90_000, accept, convert, onOpen, signal, ...expected }: WatchStreamOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  signal?.throwIfAborted();
  const { subject } = expected;
  const { controller, unlink } = abortedBy([...(signal ? [signal] : []), transport.closing]);
  const onIdle = () => {
    const text = `${subjectText(subject)}: no byte for ${idleTimeoutMs} ms, the connection counts as dead`;
    controller.abort(new AzimuthError('AZ_KUBE_UNREACHABLE', text));
  };
  let timer = idleTimeoutMs > 0 ? setTimeout(onIdle, idleTimeoutMs) : undefined;
  const { answers } = transport;
  let leave: (() => void) | undefined;
  try {
    const response = await transport.send({
      subject,
      method: 'GET',
      path,
      signal: controller.signal,
      stream: true,
      ...(accept && { accept }),
    });
    if (response.statusCode !== 200) {
      throw refusal(subject, response.statusCode, response.headers, await response.body.text());
    }
    onOpen?.();
    const splitter = new LineSplitter();
    for await (const chunk of response.body) {
      // While the consumer works on an event, unread bytes may wait: that is not silence.
      clearTimeout(timer);
      const lines = splitter.push(chunk as Buffer);
      // The last line, which may be long, is not kept while the next one is awaited.
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
        yield decode<T>(expected, line, convert);
        controller.signal.throwIfAborted();
      }
      const large = answers !== undefined && splitter.pending > answers.largeBytes;
      if (large) leave ??= await answers.enter(controller.signal);
      else {
        leave?.();
        leave = undefined;
      }
      if (idleTimeoutMs > 0) timer = setTimeout(onIdle, idleTimeoutMs);
    }
    const rest = splitter.rest();
    if (rest !== '') yield decode<T>(expected, rest, convert);
  } catch (error) {
    throw transport.unreachable(subject, error, controller.signal);
  } finally {
    clearTimeout(timer);
    leave?.();
    unlink();
    controller.abort();
  }
}

/** A controller that aborts with each of the signals, until `unlink`. */
function abortedBy(signals: readonly AbortSignal[]): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController();
  const links = signals.map((signal) => ({ signal, abort: () => controller.abort(signal.reason) }));
  for (const { signal, abort } of links) signal.addEventListener('abort', abort, { once: true });
  const unlink = () => {
    for (const { signal, abort } of links) signal.removeEventListener('abort', abort);
  };
  return { controller, unlink };
}

function decode<T extends KubeObject>(
  expected: Expected,
  line: string,
  convert: (object: KubeObject) => KubeObject = (object) => object,
): WatchEvent<T> {
  const { subject } = expected;
  let event: RawEvent;
  try {
    event = JSON.parse(line);
  } catch {
    // The parser's own message quotes the text, which may hold a Secret.
    throw undecodable(subject, `${line.length} characters that are not JSON`);
  }
  const { type, object } = event ?? {};
  if (typeof object !== 'object' || object === null) throw undecodable(subject, 'an event without an object');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      expectEventObject(expected, object, false);
      return { type, object: convert(object) as T };
    case 'BOOKMARK':
      expectEventObject(expected, object, true);
      return { type, resourceVersion: object.metadata?.resourceVersion ?? '' };
    case 'ERROR': {
      const status = object as unknown as StatusBody;
      throw new KubeStatusError(subject, status.code ?? 500, status);
    }
    default:
      throw undecodable(subject, `an event of the unknown type ${JSON.stringify(type)}`);
  }
}

function undecodable(subject: RequestSubject, what: string): AzimuthError {
  return new AzimuthError('AZ_KUBE_ANSWER', `${subjectText(subject)}: the stream carries ${what}`);
}
