import type { Reply } from '../../exchange.ts';
import { needs } from '../access/needs.ts';
import { header, metadataOf, type StorageCall } from '../call.ts';
import { refuse } from '../xml.ts';
import { requireConditions } from './conditions.ts';
import {
  blobName,
  blobsOf,
  copyHeaders,
  keyOf,
  md5,
  replaceBlob,
  requireBlob,
  requireContainer,
  writeHeaders,
} from './model.ts';
import { rangeOf } from './reads.ts';
import { appendBlock, checkedTarget, putBlob, putBlock, putPages } from './writes.ts';

/** A PUT whose content is that of another blob of this sandbox: a copy, or a block, range or whole content from a URL. */
export async function copyFrom(call: StorageCall, source: string, comp: string): Promise<Reply> {
  const other = await call.other(source, header(call, 'x-ms-copy-source-authorization'));
  if (!other) {
    throw refuse(
      404,
      'CannotVerifyCopySource',
      'The specified resource does not exist. The sandbox reads only its own accounts.',
    );
  }
  other.demand(needs.readBlob);
  const from = requireBlob(other);
  requireConditions(sourceConditions(other, call), from);
  const content = Buffer.from(from.content, 'base64');
  if (comp !== '' || header(call, 'x-ms-blob-type') !== undefined) {
    const [start, end] = rangeOf(header(call, 'x-ms-source-range')) ?? [0, content.length - 1];
    const part = content.subarray(start, end + 1);
    const withContent = { ...call, exchange: { ...call.exchange, body: part } };
    if (comp === 'block') return putBlock(withContent);
    if (comp === 'appendblock') return appendBlock(withContent);
    if (comp === 'page') return putPages(withContent);
    return putBlob(withContent);
  }
  checkedTarget(call);
  const metadata = metadataOf(call);
  const copy = { id: call.ids.uuid(), source, at: call.now };
  const blob = replaceBlob(call, from.type, content, {
    headers: from.headers,
    metadata: Object.keys(metadata).length > 0 ? metadata : from.metadata,
    copy,
    ...(from.blocks ? { blocks: from.blocks } : {}),
    ...(from.pages ? { pages: from.pages } : {}),
    ...(from.appended === undefined ? {} : { appended: from.appended }),
  });
  const headers = copyHeaders(blob);
  const answer = {
    ...writeHeaders(blob),
    'x-ms-copy-id': headers['x-ms-copy-id'] ?? '',
    'x-ms-copy-status': 'success',
  };
  const isSync = header(call, 'x-ms-requires-sync') === 'true';
  return { status: 202, headers: isSync ? { ...answer, 'content-md5': md5(content) } : answer };
}

/** The call of a source with the conditions that the copy names for it. */
function sourceConditions(source: StorageCall, call: StorageCall): StorageCall {
  const names = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
  const headers = Object.fromEntries(
    names.flatMap((name) => {
      const value = header(call, `x-ms-source-${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { ...source, exchange: { ...source.exchange, headers } };
}

/** `comp=copy`: every copy has ended, so that none can be aborted. */
export function abortCopy(call: StorageCall): Reply {
  const blob = blobsOf(requireContainer(call))[keyOf(blobName(call))] ?? requireBlob(call);
  const message = blob.copy ? 'There is currently no pending copy operation.' : 'The copy ID does not exist.';
  throw refuse(409, 'NoPendingCopyOperation', message);
}
