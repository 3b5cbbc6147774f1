import type { Reply } from '../../exchange.ts';
import { httpDate, pageOf, parameter, type StorageCall } from '../call.ts';
import { element, escaped, leaf, xmlReply } from '../xml.ts';
import { leaseStatus } from './leases.ts';
import { blobsOf, requireContainer, type StoredBlob } from './model.ts';

type Item = { readonly prefix: string } | { readonly blob: StoredBlob };

/** `restype=container&comp=list`: blobs, and the prefixes that end with the delimiter. */
export function listBlobs(call: StorageCall): Reply {
  const container = requireContainer(call);
  const prefix = parameter(call, 'prefix') ?? '';
  const delimiter = parameter(call, 'delimiter') ?? '';
  const include = (parameter(call, 'include') ?? '').split(',');
  const { page, next } = pageOf(call, itemsOf(Object.values(blobsOf(container)), prefix, delimiter, include));
  const items = page.map((item) =>
    'prefix' in item ? element('BlobPrefix', leaf('Name', item.prefix)) : blobItem(call, item.blob, include),
  );
  const attributes = `ServiceEndpoint="${escaped(call.address)}/" ContainerName="${escaped(container.name)}"`;
  const content = [
    leaf('Prefix', prefix),
    leaf('Marker', parameter(call, 'marker')),
    leaf('MaxResults', parameter(call, 'maxresults')),
    leaf('Delimiter', parameter(call, 'delimiter')),
    element('Blobs', ...items),
    leaf('NextMarker', next),
  ];
  return { status: 200, ...xmlReply(`<EnumerationResults ${attributes}>${content.join('')}</EnumerationResults>`) };
}

function itemsOf(blobs: readonly StoredBlob[], prefix: string, delimiter: string, include: readonly string[]): Item[] {
  const place = ({ name, snapshot }: StoredBlob) => `${name}\n${snapshot ?? '~'}`;
  const shown = blobs
    .filter(({ name }) => name.startsWith(prefix))
    .filter(({ snapshot }) => snapshot === undefined || include.includes('snapshots'))
    .filter(({ uncommitted }) => !uncommitted || include.includes('uncommittedblobs'))
    .sort((one, other) => (place(one) < place(other) ? -1 : 1));
  const seen = new Set<string>();
  return shown.flatMap((blob): Item[] => {
    const end = delimiter === '' ? -1 : blob.name.indexOf(delimiter, prefix.length);
    if (end < 0) return [{ blob }];
    const common = blob.name.slice(0, end + delimiter.length);
    if (seen.has(common)) return [];
    seen.add(common);
    return [{ prefix: common }];
  });
}

function blobItem(call: StorageCall, blob: StoredBlob, include: readonly string[]): string {
  const { status, state, duration } = leaseStatus(blob, call.now);
  const { headers, copy } = blob;
  const size = Buffer.byteLength(blob.content, 'base64');
  const isBlock = blob.type === 'BlockBlob';
  const properties = element(
    'Properties',
    leaf('Creation-Time', httpDate(blob.createdAt)),
    leaf('Last-Modified', httpDate(blob.changedAt)),
    leaf('Etag', blob.etag),
    leaf('Content-Length', size),
    leaf('Content-Type', headers['content-type'] ?? ''),
    leaf('Content-Encoding', headers['content-encoding'] ?? ''),
    leaf('Content-Language', headers['content-language'] ?? ''),
    leaf('Content-MD5', headers['content-md5'] ?? ''),
    leaf('Cache-Control', headers['cache-control'] ?? ''),
    leaf('Content-Disposition', headers['content-disposition'] ?? ''),
    blob.type === 'PageBlob' ? leaf('x-ms-blob-sequence-number', blob.sequence ?? 0) : '',
    leaf('BlobType', blob.type),
    isBlock ? leaf('AccessTier', blob.tier ?? 'Hot') : '',
    isBlock && !blob.tier ? leaf('AccessTierInferred', true) : '',
    leaf('LeaseStatus', status),
    leaf('LeaseState', state),
    leaf('LeaseDuration', duration),
    ...(copy && include.includes('copy')
      ? [
          leaf('CopyId', copy.id),
          leaf('CopySource', copy.source),
          leaf('CopyStatus', 'success'),
          leaf('CopyProgress', `${size}/${size}`),
          leaf('CopyCompletionTime', httpDate(copy.at)),
        ]
      : []),
    leaf('ServerEncrypted', true),
    blob.tags ? leaf('TagCount', Object.keys(blob.tags).length) : '',
  );
  const metadata = Object.entries(blob.metadata).map(([name, value]) => leaf(name, value));
  const tags = Object.entries(blob.tags ?? {}).map(([key, value]) =>
    element('Tag', leaf('Key', key), leaf('Value', value)),
  );
  return element(
    'Blob',
    leaf('Name', blob.name),
    leaf('Snapshot', blob.snapshot),
    properties,
    include.includes('metadata') ? element('Metadata', ...metadata) : '',
    include.includes('tags') && blob.tags ? element('Tags', element('TagSet', ...tags)) : '',
  );
}
