import type { IncomingHttpHeaders } from 'node:http';
import { AzimuthError } from '../../base/errors.ts';
import { type BodyLimits, BodyTooLarge } from '../../base/http/body.ts';
import { KubeStatusError, type RequestSubject, type StatusBody, subjectText } from './status-error.ts';

/** An HTTP answer whose body has not been read yet. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    text(limits?: BodyLimits): Promise<string>;
    /** Reads it to its end and forgets it, so that the connection can be used again. */
    dump(): Promise<void>;
  };
}

/** Longest answer that is read. A list that is longer comes in smaller pages. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A list is longer than the client reads; smaller pages help. */
export class AnswerTooLarge extends AzimuthError {
  constructor(subject: RequestSubject, cause: Error) {
    super('AZ_KUBE_ANSWER', `${subjectText(subject)}: ${cause.message}`, { cause });
  }
}

/**
 * Reads a whole answer. JSON is parsed, `text/plain` is returned as text. Throws KubeStatusError for every status but
 * 2xx, with or without a Status in the body, and AZ_KUBE_ANSWER for a success that is no answer of a Kubernetes API.
 */
export async function readAnswer(
  subject: RequestSubject,
  response: Answer,
  limits: Omit<BodyLimits, 'withinMs'> = {},
): Promise<unknown> {
  const { statusCode, headers } = response;
  const text = await response.body.text({ maxBytes: MAX_BYTES, ...limits }).catch((error: unknown) => {
    throw error instanceof BodyTooLarge ? new AnswerTooLarge(subject, error) : error;
  });
  const type = String(headers['content-type'] ?? '');
  if (statusCode < 200 || statusCode > 299) throw refusal(subject, statusCode, headers, text);
  if (type.startsWith('text/plain')) return text;
  const parsed = parseJson(text);
  if (parsed === undefined) throw unusable(subject, statusCode, type, text);
  return parsed;
}

/** The error for an answer that is not a success. */
export function refusal(
  subject: RequestSubject,
  statusCode: number,
  headers: IncomingHttpHeaders,
  text: string,
): AzimuthError {
  // Redirects are not followed: an API server never sends one, a login page in front of it does.
  if (statusCode < 400) return unusable(subject, statusCode, String(headers['content-type'] ?? ''), text);
  const parsed = parseJson(text) as (StatusBody & { kind?: string }) | undefined;
  const body = parsed?.kind === 'Status' ? parsed : { message: excerpt(text) };
  return new KubeStatusError(subject, statusCode, body, headers['retry-after']);
}

function unusable(subject: RequestSubject, statusCode: number, type: string, text: string): AzimuthError {
  // JSON that was cut off comes from an API server all the same, and may hold a Secret.
  const what = type.startsWith('application/json') ? `${text.length} characters that are not all of it` : excerpt(text);
  return new AzimuthError(
    'AZ_KUBE_ANSWER',
    `${subjectText(subject)}: expected JSON from a Kubernetes API, got ${statusCode} ${type || 'without a content type'}: ${what}`,
  );
}

/** The text by which a person recognises the answer: a page's title, or the beginning of a text. */
function excerpt(whole: string): string {
  const text = whole.slice(0, 10_000);
  const title = /<title[^<>]{0,200}>([^<]{0,500})</i.exec(text)?.[1];
  const plain = (title ?? text.replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replaceAll(/<[^<>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > 200 ? `${plain.slice(0, 200)}...` : plain || 'an empty body';
}

/** Undefined for anything but a JSON object or array. */
function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
