import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';

/** The value of a span's attribute. */
export type AttributeValue = string | number | boolean;

/** A piece of work in progress. */
export interface Span {
  /** Adds or replaces an attribute; undefined changes nothing. */
  set(name: string, value: AttributeValue | undefined): void;
}

/** Options of a new span. */
export interface SpanOptions {
  /** Low in variety, such as `PUT Microsoft.Storage/storageAccounts`. */
  readonly name: string;
  /** `client` for a request to another system. @default 'internal' */
  readonly kind?: 'internal' | 'client';
  readonly attributes?: Readonly<Record<string, AttributeValue | undefined>>;
  /** A UUID that is the id of the whole trace, where the span begins one. @default random */
  readonly correlationId?: string;
}

/** Follows work through the program. Spans begun within `work` become children, across everything that is awaited. */
export interface Tracer {
  run<T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

const noSpan: Span = { set: () => undefined };

/** Traces nothing, at no cost. */
export const noTracer: Tracer = { run: (_, work) => work(noSpan) };

/** A span that has ended. Ids are hexadecimal, times milliseconds since the epoch. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Why it failed; undefined if it did not. */
  readonly error: string | undefined;
}

interface Current {
  readonly traceId: string;
  readonly spanId: string;
}

/** A tracer that hands over every span when it has ended. A trace's id is its correlation id without hyphens. */
export function createTracer(onEnd: (span: EndedSpan) => void, clock: Clock = systemClock): Tracer {
  const current = new AsyncLocalStorage<Current>();
  return {
    async run({ name, kind = 'internal', attributes = {}, correlationId }, work) {
      const parent = current.getStore();
      const traceId = correlationId?.replaceAll('-', '').toLowerCase() ?? parent?.traceId ?? hex(16);
      const spanId = hex(8);
      const parentSpanId = parent?.traceId === traceId ? parent.spanId : undefined;
      const spanAttributes: Record<string, AttributeValue> = {};
      const set: Span['set'] = (attribute, value) => {
        if (value !== undefined) spanAttributes[attribute] = value;
      };
      for (const [attribute, value] of Object.entries(attributes)) set(attribute, value);
      const startMs = clock.now();
      const end = (error?: string) =>
        onEnd({
          traceId,
          spanId,
          parentSpanId,
          name,
          kind,
          startMs,
          endMs: clock.now(),
          attributes: spanAttributes,
          error,
        });
      try {
        const result = await current.run({ traceId, spanId }, () => work({ set }));
        end();
        return result;
      } catch (error) {
        end(messageOf(error));
        throw error;
      }
    },
  };
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
