import { type Clock, systemClock } from '../clock.ts';
import { expected, messageOf } from '../errors.ts';
import type { Dispatcher } from '../http/client.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { trimEndOf } from '../text/text.ts';
import type { Logger } from './log.ts';
import { counter, type Metrics } from './metrics.ts';
import type { AttributeValue, EndedSpan } from './tracing.ts';

/** Options of the exporter of spans (OTLP over HTTP with JSON). */
export interface OtlpOptions {
  /** Base URL, such as http://collector:4318; spans go to `/v1/traces` beneath it. */
  readonly endpoint: string;
  /** In the form of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values percent-encoded. @default none */
  readonly headers?: string;
  /** `service.name` and further attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** Milliseconds between two requests. @default 5000 */
  readonly intervalMs?: number;
  /** Spans in one request at most. @default 512 */
  readonly batchSize?: number;
  /** Spans that may wait; more are dropped and counted. @default 2048 */
  readonly queueSize?: number;
}

/** Answers after which the specification demands a retry. */
const passing = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector: OTLP over HTTP in JSON (opentelemetry.io/docs/specs/otlp). Beside the work and never in its way:
 * spans that cannot be sent are tried again while there is room, then dropped and counted.
 */
export class OtlpExporter {
  readonly #options: OtlpOptions;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #spans;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #waiting: EndedSpan[] = [];
  #failing = false;

  /** Throws AZ_CONFIG_INVALID for an endpoint that is no URL, or headers of another form. */
  constructor(options: OtlpOptions) {
    this.#options = options;
    this.#url = tracesUrl(options.endpoint);
    this.#headers = { 'content-type': 'application/json', ...headersOf(options.headers ?? '') };
    this.#spans = counter(options.metrics, {
      name: 'azimuth_spans_total',
      help: 'Spans by result: exported, or dropped because the collector accepted too few.',
      labelNames: ['result'],
    });
    this.#running = this.#run();
  }

  readonly add = (span: EndedSpan): void => {
    const { queueSize = 2048 } = this.#options;
    if (this.#waiting.length < queueSize) this.#waiting.push(span);
    else this.#spans.inc({ result: 'dropped' });
  };

  /** Sends the waiting spans, once, and ends. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    while (this.#waiting.length > 0) if ((await this.#send()) !== 'sent') break;
    this.#spans.inc({ result: 'dropped' }, this.#waiting.length);
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    const { clock = systemClock, intervalMs = 5000 } = this.#options;
    let pauseMs = intervalMs;
    while (!this.#stop.signal.aborted) {
      await clock.sleep(pauseMs, this.#stop.signal).catch(() => undefined);
      pauseMs = intervalMs;
      while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
        const answer = await this.#send();
        if (answer === 'sent') continue;
        pauseMs = Math.max(intervalMs, answer.retryAfterMs);
        break;
      }
    }
  }

  /** One request. Spans go back to the head of the queue if the collector may take them later. */
  async #send(): Promise<'sent' | { readonly retryAfterMs: number }> {
    const { batchSize = 512, queueSize = 2048, dispatcher, resource } = this.#options;
    const batch = this.#waiting.splice(0, batchSize);
    const again = (reason: string, retryAfterMs = 0) => {
      this.#waiting.unshift(...batch.slice(0, Math.max(0, queueSize - this.#waiting.length)));
      this.#note(reason);
      return { retryAfterMs };
    };
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        origin: this.#url.origin,
        path: this.#url.pathname + this.#url.search,
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(tracesOf(batch, resource)),
      });
      await body.dump();
      if (passing.has(statusCode)) {
        return again(`it answered ${statusCode}`, parseRetryAfter(headers['retry-after']) ?? 0);
      }
      const sent = statusCode >= 200 && statusCode < 300;
      this.#spans.inc({ result: sent ? 'exported' : 'dropped' }, batch.length);
      this.#note(sent ? undefined : `it refused spans with ${statusCode}`);
      return 'sent';
    } catch (error) {
      return again(messageOf(error));
    }
  }

  /** One line when the collector begins to fail, and one when it is well again. */
  #note(reason: string | undefined): void {
    const { log } = this.#options;
    if (reason !== undefined && !this.#failing) log.warn({ host: this.#url.host, reason }, 'spans cannot be exported');
    if (reason === undefined && this.#failing) log.info({ host: this.#url.host }, 'spans are exported again');
    this.#failing = reason !== undefined;
  }
}

function tracesUrl(endpoint: string): URL {
  const url = URL.parse(endpoint);
  if (!url || !/^https?:$/.test(url.protocol)) throw expected('OTLP endpoint', 'an http or https URL', endpoint);
  if (url.username !== '' || url.password !== '') {
    throw expected('OTLP endpoint', 'a URL without user and password, which go into the headers', url.host);
  }
  url.pathname = `${trimEndOf(url.pathname, '/')}/v1/traces`;
  return url;
}

function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      if (name.trim() === '' || value.length === 0) {
        throw expected('OTEL_EXPORTER_OTLP_HEADERS', 'name=value pairs separated by commas', '(not shown)');
      }
      return [name.trim().toLowerCase(), decodeURIComponent(value.join('=').trim())];
    }),
  );
}

/** ExportTraceServiceRequest in the JSON mapping of OTLP: ids in hexadecimal, 64-bit numbers as text. */
function tracesOf(spans: readonly EndedSpan[], resource: Readonly<Record<string, string>>): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'azimuth' }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, error }: EndedSpan): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kind === 'client' ? 3 : 1,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

const nanoseconds = (ms: number) => (BigInt(Math.round(ms * 1000)) * 1000n).toString();

function attributesOf(attributes: Readonly<Record<string, AttributeValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

function anyValueOf(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
