import { header, type StorageCall } from '../call.ts';
import { refuse } from '../xml.ts';

interface Versioned {
  readonly etag: string;
  readonly changedAt: number;
}

const failed = () =>
  refuse(412, 'ConditionNotMet', 'The condition specified using HTTP conditional header(s) is not met.');
const matches = (given: string, etag: string) =>
  given.split(',').some((each) => ['*', etag].includes(each.trim().replaceAll('"', '')));
/** Headers count seconds. */
const second = (ms: number) => Math.floor(ms / 1000);

/** Throws Azure's refusal where `If-Match`, `If-None-Match` and the headers of times do not fit what is there. */
export function requireConditions(call: StorageCall, existing: Versioned | undefined, isRead = false): void {
  const ifMatch = header(call, 'if-match');
  const ifNoneMatch = header(call, 'if-none-match');
  if (ifMatch !== undefined && (!existing || !matches(ifMatch, existing.etag))) throw failed();
  if (!existing) return;
  const unmodified = header(call, 'if-unmodified-since');
  if (unmodified !== undefined && second(existing.changedAt) > second(Date.parse(unmodified))) throw failed();
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, existing.etag)) {
    if (isRead) throw notModified();
    if (ifNoneMatch.trim() === '*') throw refuse(409, 'BlobAlreadyExists', 'The specified blob already exists.');
    throw failed();
  }
  const modified = header(call, 'if-modified-since');
  if (modified !== undefined && second(existing.changedAt) <= second(Date.parse(modified))) {
    throw isRead ? notModified() : failed();
  }
}

const notModified = () => {
  const refusal = refuse(304, 'ConditionNotMet', '');
  return Object.assign(refusal, { reply: { status: 304, headers: { 'x-ms-error-code': 'ConditionNotMet' } } });
};
