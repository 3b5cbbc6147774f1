import { createHash } from 'node:crypto';
import type { StoredResource } from '../../arm/resources/stored-resources.ts';
import { recordIn } from '../../json.ts';
import { header, httpDate, metadataHeaders, metadataOf, newEtag, parameter, type StorageCall } from '../call.ts';
import { findContainer, type Lease } from '../containers.ts';
import { invalidValue, notFound, refuse } from '../xml.ts';
import { leaseStatus } from './leases.ts';

/** Most bytes of a page blob, which is in memory as a whole; Azure takes 8 TiB. */
const mostPageBytes = 256 * 1024 * 1024;

/** The size of a page blob. Throws the refusal of one that is no number of pages, or too large for the sandbox. */
export function pageBlobSize(value: string | undefined): number {
  const size = Number(value);
  if (Number.isInteger(size) && size % 512 === 0 && size >= 0 && size <= mostPageBytes) return size;
  throw invalidValue('InvalidHeaderValue');
}

/** A blob, or a snapshot of one. Times are milliseconds since the epoch, contents are base64. */
export interface StoredBlob {
  name: string;
  snapshot?: string;
  type: 'BlockBlob' | 'PageBlob' | 'AppendBlob';
  content: string;
  /** Content headers of answers, in lower case. */
  headers: Record<string, string>;
  metadata: Record<string, string>;
  tags?: Record<string, string>;
  tier?: string;
  etag: string;
  createdAt: number;
  changedAt: number;
  lease?: Lease;
  /** Blocks that are not committed, by id. */
  staged?: Record<string, string>;
  blocks?: { id: string; size: number }[];
  /** Of an append blob: blocks that were appended. */
  appended?: number;
  /** Of a page blob: starts of pages of 512 bytes that were written. */
  pages?: number[];
  sequence?: number;
  copy?: { id: string; source: string; at: number };
  /** Blocks of a blob that was never written: reads do not show it. */
  uncommitted?: boolean;
}

/** The content headers that `x-ms-blob-*` sets. */
const contentHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-md5',
  'content-type',
];

/** The blobs of a container, by `keyOf`. */
export const blobsOf = (container: Pick<StoredResource, 'system'>): Record<string, StoredBlob> =>
  recordIn<StoredBlob>(container.system, 'blobs');

/** Where a blob is among those of its container. */
export const keyOf = (name: string, snapshot?: string): string => (snapshot ? `${name}\n${snapshot}` : name);

/** The container that a request names. */
export function requireContainer(call: StorageCall): StoredResource {
  const found = findContainer(call.state, call.account, 'blob', call.names[0] ?? '');
  if (!found) throw notFound('ContainerNotFound', 'container');
  return found;
}

/** The name of the blob in a request. */
export const blobName = (call: StorageCall): string => call.names.slice(1).join('/');

/** The blob that a request names; undefined where it does not exist. */
export function findBlob(call: StorageCall): StoredBlob | undefined {
  const blob = blobsOf(requireContainer(call))[keyOf(blobName(call), parameter(call, 'snapshot'))];
  return blob?.uncommitted ? undefined : blob;
}

/** The same; throws Azure's refusal where it does not exist. */
export function requireBlob(call: StorageCall): StoredBlob {
  const blob = findBlob(call);
  if (!blob) throw notFound('BlobNotFound', 'blob');
  return blob;
}

/** Throws where the blob has another type. */
export function requireType(blob: StoredBlob, type: StoredBlob['type']): void {
  if (blob.type !== type) throw refuse(409, 'InvalidBlobType', 'The blob type is invalid for this operation.');
}

/** The content headers that a request gives its blob. */
export function contentHeadersOf(call: StorageCall): Record<string, string> {
  return Object.fromEntries(
    contentHeaders.flatMap((name) => {
      const value = header(call, `x-ms-blob-${name}`);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** The MD5 of a content, in base64. */
export const md5 = (content: Buffer): string => createHash('md5').update(content).digest('base64');

/** Stores a new content in the place of what was there. Snapshots and lease stay. */
export function replaceBlob(
  call: StorageCall,
  type: StoredBlob['type'],
  content: Buffer,
  members: Partial<StoredBlob> = {},
): StoredBlob {
  const before = blobsOf(requireContainer(call))[keyOf(blobName(call))];
  const tier = header(call, 'x-ms-access-tier');
  const tags = header(call, 'x-ms-tags');
  const blob: StoredBlob = {
    name: blobName(call),
    type,
    content: content.toString('base64'),
    headers: { 'content-type': 'application/octet-stream', ...contentHeadersOf(call) },
    metadata: metadataOf(call),
    etag: '',
    createdAt: before?.createdAt ?? call.now,
    changedAt: call.now,
    ...(before?.lease ? { lease: before.lease } : {}),
    ...(tier ? { tier } : {}),
    ...(tags ? { tags: Object.fromEntries(new URLSearchParams(tags)) } : {}),
    ...members,
  };
  blobsOf(requireContainer(call))[keyOf(blob.name)] = blob;
  touch(call, blob);
  return blob;
}

/** Gives a blob that changed its new etag and time. */
export function touch(call: StorageCall, blob: StoredBlob): void {
  blob.etag = newEtag(call.ids);
  blob.changedAt = call.now;
  call.exchange.entry.effective = true;
}

/** Etag and time of a blob, for the answer to a write. */
export const writeHeaders = (blob: StoredBlob): Record<string, string> => ({
  etag: `"${blob.etag}"`,
  'last-modified': httpDate(blob.changedAt),
  'x-ms-request-server-encrypted': 'true',
});

/** All headers of a GET or HEAD but for length and range. */
export function readHeaders(call: StorageCall, blob: StoredBlob): Record<string, string> {
  const { status, state, duration } = leaseStatus(blob, call.now);
  const { copy } = blob;
  return {
    ...blob.headers,
    ...metadataHeaders(blob.metadata),
    etag: `"${blob.etag}"`,
    'last-modified': httpDate(blob.changedAt),
    'x-ms-creation-time': httpDate(blob.createdAt),
    'x-ms-blob-type': blob.type,
    'x-ms-lease-status': status,
    'x-ms-lease-state': state,
    ...(duration ? { 'x-ms-lease-duration': duration } : {}),
    'x-ms-server-encrypted': 'true',
    'accept-ranges': 'bytes',
    ...(blob.type === 'BlockBlob'
      ? { 'x-ms-access-tier': blob.tier ?? 'Hot', ...(blob.tier ? {} : { 'x-ms-access-tier-inferred': 'true' }) }
      : {}),
    ...(blob.type === 'AppendBlob' ? { 'x-ms-blob-committed-block-count': String(blob.appended ?? 0) } : {}),
    ...(blob.type === 'PageBlob' ? { 'x-ms-blob-sequence-number': String(blob.sequence ?? 0) } : {}),
    ...(blob.tags ? { 'x-ms-tag-count': String(Object.keys(blob.tags).length) } : {}),
    ...(copy ? copyHeaders(blob) : {}),
  };
}

/** Headers about the copy that a blob is. */
export function copyHeaders({ copy, content }: StoredBlob): Record<string, string> {
  if (!copy) return {};
  const size = Buffer.byteLength(content, 'base64');
  return {
    'x-ms-copy-id': copy.id,
    'x-ms-copy-status': 'success',
    'x-ms-copy-source': copy.source,
    'x-ms-copy-progress': `${size}/${size}`,
    'x-ms-copy-completion-time': httpDate(copy.at),
  };
}
