import type { Reply } from '../../exchange.ts';
import { overrides } from '../access/sas.ts';
import { header, parameter, type StorageCall } from '../call.ts';
import { element, leaf, refuse, xmlReply } from '../xml.ts';
import { requireConditions } from './conditions.ts';
import { requireLease } from './leases.ts';
import {
  blobName,
  blobsOf,
  keyOf,
  md5,
  readHeaders,
  requireBlob,
  requireContainer,
  requireType,
  type StoredBlob,
  writeHeaders,
} from './model.ts';

/** GET and HEAD of a blob, whole or a range. */
export function readBlob(call: StorageCall): Reply {
  const blob = requireBlob(call);
  requireConditions(call, blob, true);
  requireLease(call, blob, 'Blob', false);
  const content = Buffer.from(blob.content, 'base64');
  const given = Object.entries(overrides).flatMap(([name, target]) => {
    const value = parameter(call, name);
    return value ? [[target, value]] : [];
  });
  const headers = { ...readHeaders(call, blob), ...Object.fromEntries(given) };
  const range = rangeOf(header(call, 'x-ms-range') ?? header(call, 'range'));
  if (!range || call.exchange.method === 'HEAD') return { status: 200, headers, body: content };
  const [start, end] = range;
  if (start >= content.length) {
    const message = 'The range specified is invalid for the current size of the resource.';
    throw refuse(416, 'InvalidRange', message, { 'content-range': `bytes */${content.length}` });
  }
  const part = content.subarray(start, end + 1);
  const { 'content-md5': whole, ...others } = headers;
  const rangeHeaders = {
    ...others,
    'content-range': `bytes ${start}-${start + part.length - 1}/${content.length}`,
    ...(whole === undefined ? {} : { 'x-ms-blob-content-md5': whole }),
    ...(header(call, 'x-ms-range-get-content-md5') === 'true' ? { 'content-md5': md5(part) } : {}),
  };
  return { status: 206, headers: rangeHeaders, body: part };
}

/** `bytes=0-511` as its two ends. */
export function rangeOf(text: string | undefined): [start: number, end: number] | undefined {
  const [, start = '', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(text ?? '') ?? [];
  return start === '' ? undefined : [Number(start), end === '' ? Number.POSITIVE_INFINITY : Number(end)];
}

/** `comp=metadata`: the headers with metadata. */
export function readMetadata(call: StorageCall): Reply {
  const blob = requireBlob(call);
  requireConditions(call, blob, true);
  const kept = Object.entries(readHeaders(call, blob)).filter(([name]) =>
    /^(x-ms-meta-|etag$|last-modified$)/.test(name),
  );
  return { status: 200, headers: Object.fromEntries(kept) };
}

/** `comp=tags`. */
export function readTags(call: StorageCall): Reply {
  const tags = Object.entries(requireBlob(call).tags ?? {});
  const items = tags.map(([key, value]) => element('Tag', leaf('Key', key), leaf('Value', value)));
  return { status: 200, ...xmlReply(element('Tags', element('TagSet', ...items))) };
}

/** `comp=blocklist`: blocks that are committed, and those that are not. */
export function readBlocks(call: StorageCall): Reply {
  const blob: StoredBlob | undefined = blobsOf(requireContainer(call))[keyOf(blobName(call))];
  const { blocks = [], staged = {}, content } = blob ?? requireBlob(call);
  const wanted = parameter(call, 'blocklisttype')?.toLowerCase() ?? 'committed';
  const block = (id: string, size: number) => element('Block', leaf('Name', id), leaf('Size', size));
  const committed = wanted === 'uncommitted' ? [] : blocks.map(({ id, size }) => block(id, size));
  const open =
    wanted === 'committed'
      ? []
      : Object.entries(staged).map(([id, text]) => block(id, Buffer.byteLength(text, 'base64')));
  const { headers, body } = xmlReply(
    element('BlockList', element('CommittedBlocks', ...committed), element('UncommittedBlocks', ...open)),
  );
  const length = { 'x-ms-blob-content-length': String(Buffer.byteLength(content, 'base64')) };
  return {
    status: 200,
    headers: { ...headers, ...length, ...(blob && !blob.uncommitted ? writeHeaders(blob) : {}) },
    body,
  };
}

/** `comp=pagelist`: the ranges of pages that were written. */
export function readPages(call: StorageCall): Reply {
  const blob = requireBlob(call);
  requireType(blob, 'PageBlob');
  const [from, to] = rangeOf(header(call, 'x-ms-range') ?? header(call, 'range')) ?? [0, Number.POSITIVE_INFINITY];
  const ranges: [number, number][] = [];
  for (const start of [...(blob.pages ?? [])].sort((one, other) => one - other)) {
    if (start + 511 < from || start > to) continue;
    const last = ranges.at(-1);
    if (last && last[1] + 1 === start) last[1] = start + 511;
    else ranges.push([start, start + 511]);
  }
  const items = ranges.map(([start, end]) => element('PageRange', leaf('Start', start), leaf('End', end)));
  const { headers, body } = xmlReply(element('PageList', ...items));
  const length = { 'x-ms-blob-content-length': String(Buffer.byteLength(blob.content, 'base64')) };
  return { status: 200, headers: { ...headers, ...length, ...writeHeaders(blob) }, body };
}
