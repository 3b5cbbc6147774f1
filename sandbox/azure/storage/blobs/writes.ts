import type { Reply } from '../../exchange.ts';
import { ownMember } from '../../json.ts';
import { header, longDate, metadataOf, newEtag, parameter, type StorageCall } from '../call.ts';
import { elementsIn, invalidValue, leavesIn, refuse } from '../xml.ts';
import { requireConditions } from './conditions.ts';
import { requireLease } from './leases.ts';
import {
  blobName,
  blobsOf,
  contentHeadersOf,
  findBlob,
  keyOf,
  md5,
  pageBlobSize,
  replaceBlob,
  requireBlob,
  requireContainer,
  requireType,
  type StoredBlob,
  touch,
  writeHeaders,
} from './model.ts';

/** The blob to write, after the checks of conditions and lease; undefined where it does not exist. */
export function checkedTarget(call: StorageCall): StoredBlob | undefined {
  requireContainer(call);
  const blob = findBlob(call);
  requireConditions(call, blob);
  if (blob) requireLease(call, blob, 'Blob');
  return blob;
}

/** The same of a blob that must be there. */
export function checkedBlob(call: StorageCall): StoredBlob {
  requireBlob(call);
  return checkedTarget(call) as StoredBlob;
}

/** Throws where the content is not what its hash says. */
function requireHash({ exchange: { body, headers } }: StorageCall): void {
  const given = headers['content-md5'];
  if (given !== undefined && given !== md5(body)) {
    throw refuse(
      400,
      'Md5Mismatch',
      'The MD5 value specified in the request did not match with the MD5 value calculated by the server.',
    );
  }
}

/** PUT of a whole blob. */
export function putBlob(call: StorageCall): Reply {
  const type = header(call, 'x-ms-blob-type');
  if (type !== 'BlockBlob' && type !== 'PageBlob' && type !== 'AppendBlob') {
    throw refuse(
      400,
      'MissingRequiredHeader',
      'An HTTP header that is mandatory for this request is not specified: x-ms-blob-type.',
    );
  }
  checkedTarget(call);
  requireHash(call);
  const { body, headers } = call.exchange;
  if (type === 'PageBlob') {
    const size = pageBlobSize(header(call, 'x-ms-blob-content-length'));
    const sequence = Number(header(call, 'x-ms-blob-sequence-number') ?? 0);
    const blob = replaceBlob(call, type, Buffer.alloc(size), { sequence, pages: [] });
    return { status: 201, headers: writeHeaders(blob) };
  }
  if (type === 'AppendBlob')
    return { status: 201, headers: writeHeaders(replaceBlob(call, type, Buffer.alloc(0), { appended: 0 })) };
  const plain = headers['content-type'];
  const own = contentHeadersOf(call);
  const hash = md5(body);
  const all = { 'content-type': plain ?? 'application/octet-stream', 'content-md5': hash, ...own };
  const blob = replaceBlob(call, type, body, { headers: all });
  return { status: 201, headers: { ...writeHeaders(blob), 'content-md5': hash } };
}

/** `comp=block`: keeps a block until it is committed. */
export function putBlock(call: StorageCall): Reply {
  const id = parameter(call, 'blockid') ?? '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(id)) throw invalidValue('InvalidQueryParameterValue');
  const there = checkedTarget(call);
  requireHash(call);
  if (there) requireType(there, 'BlockBlob');
  const blobs = blobsOf(requireContainer(call));
  const key = keyOf(blobName(call));
  blobs[key] ??= {
    name: blobName(call),
    type: 'BlockBlob',
    content: '',
    headers: {},
    metadata: {},
    etag: newEtag(call.ids),
    createdAt: call.now,
    changedAt: call.now,
    uncommitted: true,
  };
  const blob = blobs[key];
  blob.staged = { ...blob.staged, [id]: call.exchange.body.toString('base64') };
  call.exchange.entry.effective = true;
  return { status: 201, headers: { 'content-md5': md5(call.exchange.body), 'x-ms-request-server-encrypted': 'true' } };
}

/** `comp=blocklist`: commits blocks in the order of a list. */
export function putBlockList(call: StorageCall): Reply {
  checkedTarget(call);
  const before = blobsOf(requireContainer(call))[keyOf(blobName(call))];
  const committed = new Map<string, Buffer>();
  let offset = 0;
  for (const { id, size } of before?.blocks ?? []) {
    committed.set(id, Buffer.from(before?.content ?? '', 'base64').subarray(offset, offset + size));
    offset += size;
  }
  const parts = leavesIn(call.exchange.body.toString(), 'Committed', 'Uncommitted', 'Latest').map(
    ({ name, text: id }) => {
      const text = ownMember(before?.staged, id);
      const open = text === undefined || name === 'Committed' ? undefined : Buffer.from(text, 'base64');
      const content = open ?? (name === 'Uncommitted' ? undefined : committed.get(id));
      if (!content) throw refuse(400, 'InvalidBlockList', 'The specified block list is invalid.');
      return { id, content };
    },
  );
  const blocks = parts.map(({ id, content }) => ({ id, size: content.length }));
  const blob = replaceBlob(call, 'BlockBlob', Buffer.concat(parts.map(({ content }) => content)), { blocks });
  return { status: 201, headers: writeHeaders(blob) };
}

/** `comp=appendblock`. */
export function appendBlock(call: StorageCall): Reply {
  const blob = checkedBlob(call);
  requireType(blob, 'AppendBlob');
  requireHash(call);
  const before = Buffer.from(blob.content, 'base64');
  const { body } = call.exchange;
  const position = header(call, 'x-ms-blob-condition-appendpos');
  if (position !== undefined && Number(position) !== before.length) {
    throw refuse(412, 'AppendPositionConditionNotMet', 'The append position condition specified was not met.');
  }
  const most = header(call, 'x-ms-blob-condition-maxsize');
  if (most !== undefined && before.length + body.length > Number(most)) {
    throw refuse(412, 'MaxBlobSizeConditionNotMet', 'The max blob size condition specified was not met.');
  }
  blob.content = Buffer.concat([before, body]).toString('base64');
  blob.appended = (blob.appended ?? 0) + 1;
  touch(call, blob);
  const headers = {
    ...writeHeaders(blob),
    'x-ms-blob-append-offset': String(before.length),
    'x-ms-blob-committed-block-count': String(blob.appended),
  };
  return { status: 201, headers };
}

/** `comp=page`: writes or clears pages of 512 bytes. */
export function putPages(call: StorageCall): Reply {
  const blob = checkedBlob(call);
  requireType(blob, 'PageBlob');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(header(call, 'x-ms-range') ?? header(call, 'range') ?? '') ?? [];
  const [start, end] = [Number(from), Number(to) + 1];
  const content = Buffer.from(blob.content, 'base64');
  const isClear = header(call, 'x-ms-page-write')?.toLowerCase() === 'clear';
  const { body } = call.exchange;
  if (start % 512 !== 0 || end % 512 !== 0 || end > content.length || (!isClear && body.length !== end - start)) {
    throw refuse(416, 'InvalidPageRange', 'The page range specified is invalid.');
  }
  if (isClear) content.fill(0, start, end);
  else body.copy(content, start);
  const written = new Set(blob.pages);
  for (let page = start; page < end; page += 512) isClear ? written.delete(page) : written.add(page);
  Object.assign(blob, { content: content.toString('base64'), pages: [...written] });
  touch(call, blob);
  return { status: 201, headers: { ...writeHeaders(blob), 'x-ms-blob-sequence-number': String(blob.sequence ?? 0) } };
}

/** `comp=metadata`. */
export function setMetadata(call: StorageCall): Reply {
  const blob = checkedBlob(call);
  blob.metadata = metadataOf(call);
  touch(call, blob);
  return { status: 200, headers: writeHeaders(blob) };
}

/** `comp=properties`: replaces the content headers; of a page blob also size and sequence number. */
export function setHeaders(call: StorageCall): Reply {
  const blob = checkedBlob(call);
  const size = header(call, 'x-ms-blob-content-length');
  if (blob.type === 'PageBlob' && size !== undefined) {
    const content = Buffer.alloc(pageBlobSize(size));
    Buffer.from(blob.content, 'base64').copy(content);
    blob.content = content.toString('base64');
    blob.pages = (blob.pages ?? []).filter((page) => page < content.length);
  }
  const sequence = header(call, 'x-ms-sequence-number-action')?.toLowerCase();
  if (sequence === 'increment') blob.sequence = (blob.sequence ?? 0) + 1;
  else if (sequence !== undefined)
    blob.sequence = Number(header(call, 'x-ms-blob-sequence-number') ?? blob.sequence ?? 0);
  if (size === undefined && sequence === undefined)
    blob.headers = { 'content-type': 'application/octet-stream', ...contentHeadersOf(call) };
  touch(call, blob);
  return { status: 200, headers: writeHeaders(blob) };
}

/** `comp=tags`. */
export function setTags(call: StorageCall): Reply {
  const blob = requireBlob(call);
  const tags = elementsIn(call.exchange.body.toString(), 'Tag').map((content) => {
    const [key, value] = ['Key', 'Value'].map((name) => leavesIn(content, name)[0]?.text ?? '');
    return [key, value];
  });
  blob.tags = Object.fromEntries(tags);
  call.exchange.entry.effective = true;
  return { status: 204 };
}

/** `comp=tier`. */
export function setTier(call: StorageCall): Reply {
  const blob = requireBlob(call);
  const tier = header(call, 'x-ms-access-tier') ?? '';
  if (!['Hot', 'Cool', 'Cold', 'Archive'].includes(tier) && blob.type !== 'PageBlob')
    throw invalidValue('InvalidHeaderValue');
  blob.tier = tier;
  call.exchange.entry.effective = true;
  return { status: 200 };
}

/** `comp=snapshot`. */
export function snapshot(call: StorageCall): Reply {
  const blob = requireBlob(call);
  requireConditions(call, blob);
  const blobs = blobsOf(requireContainer(call));
  let at = call.now;
  while (blobs[keyOf(blob.name, longDate(at))]) at += 1;
  const metadata = metadataOf(call);
  const { lease: _, staged: __, ...copied } = structuredClone(blob);
  blobs[keyOf(blob.name, longDate(at))] = {
    ...copied,
    snapshot: longDate(at),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  call.exchange.entry.effective = true;
  return { status: 201, headers: { ...writeHeaders(blob), 'x-ms-snapshot': longDate(at) } };
}

/** DELETE of a blob, of one snapshot, or of all of them. */
export function deleteBlob(call: StorageCall): Reply {
  const blob = checkedBlob(call);
  const blobs = blobsOf(requireContainer(call));
  if (blob.snapshot === undefined) {
    const snapshots = Object.keys(blobs).filter((key) => key.startsWith(keyOf(blob.name, ' ').slice(0, -1)));
    const wanted = header(call, 'x-ms-delete-snapshots')?.toLowerCase();
    if (snapshots.length > 0 && wanted === undefined) {
      throw refuse(409, 'SnapshotsPresent', 'This operation is not permitted because the blob has snapshots.');
    }
    for (const key of snapshots) delete blobs[key];
    if (wanted === 'only') return { status: 202 };
  }
  delete blobs[keyOf(blob.name, blob.snapshot)];
  call.exchange.entry.effective = true;
  return { status: 202, headers: { 'x-ms-delete-type-permanent': 'true' } };
}
