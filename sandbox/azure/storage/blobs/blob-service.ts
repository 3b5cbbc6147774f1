import type { Reply } from '../../exchange.ts';
import { type Need, needs } from '../access/needs.ts';
import { header, parameter, type StorageCall } from '../call.ts';
import { element, leaf, refuse, xmlReply } from '../xml.ts';
import { batch } from './batch.ts';
import * as containers from './container-operations.ts';
import { abortCopy, copyFrom } from './copies.ts';
import { leaseAction } from './leases.ts';
import { listBlobs } from './lists.ts';
import { findBlob, requireBlob, writeHeaders } from './model.ts';
import * as reads from './reads.ts';
import * as writes from './writes.ts';

/** An operation: the right that it needs, and its answer. */
type Operation = readonly [need: Need, answer: (call: StorageCall) => Reply | Promise<Reply>];

const leaseBlob = (call: StorageCall) => {
  const blob = requireBlob(call);
  const { etag = '', 'last-modified': changed = '' } = writeHeaders(blob);
  return leaseAction(call, blob, 'Blob', { etag, 'last-modified': changed });
};

/** By method and `comp`. */
const blobOperations: Readonly<Record<string, Operation>> = {
  'GET ': [needs.readBlob, reads.readBlob],
  'HEAD ': [needs.readBlob, reads.readBlob],
  'GET metadata': [needs.readBlob, reads.readMetadata],
  'HEAD metadata': [needs.readBlob, reads.readMetadata],
  'GET tags': [needs.readBlob, reads.readTags],
  'GET blocklist': [needs.readBlob, reads.readBlocks],
  'GET pagelist': [needs.readBlob, reads.readPages],
  'PUT ': [needs.writeBlob, writes.putBlob],
  'PUT block': [needs.writeBlob, writes.putBlock],
  'PUT blocklist': [needs.writeBlob, writes.putBlockList],
  'PUT appendblock': [needs.appendBlob, writes.appendBlock],
  'PUT page': [needs.writeBlob, writes.putPages],
  'PUT metadata': [needs.writeBlob, writes.setMetadata],
  'PUT properties': [needs.writeBlob, writes.setHeaders],
  'PUT tags': [needs.writeBlob, writes.setTags],
  'PUT tier': [needs.writeBlob, writes.setTier],
  'PUT snapshot': [needs.createBlob, writes.snapshot],
  'PUT lease': [needs.writeBlob, leaseBlob],
  'PUT copy': [needs.writeBlob, abortCopy],
  'DELETE ': [needs.deleteBlob, writes.deleteBlob],
};

const containerOperations: Readonly<Record<string, Operation>> = {
  'PUT ': [needs.writeContainer, containers.createContainer],
  'GET ': [needs.readContainer, containers.readContainer],
  'HEAD ': [needs.readContainer, containers.readContainer],
  'GET metadata': [needs.readContainer, containers.readContainer],
  'HEAD metadata': [needs.readContainer, containers.readContainer],
  'PUT metadata': [needs.writeContainer, containers.setContainerMetadata],
  'GET acl': [needs.readContainer, containers.readPoliciesOf],
  'HEAD acl': [needs.readContainer, containers.readPoliciesOf],
  'PUT acl': [needs.writeContainer, containers.setPolicies],
  'PUT lease': [needs.writeContainer, containers.leaseContainer],
  'DELETE ': [needs.deleteContainer, containers.deleteContainer],
  'GET list': [needs.listBlobs, listBlobs],
};

/** Operations for which the right to create is enough where the blob does not exist. */
const newBlobs = new Set(['PUT ', 'PUT block', 'PUT blocklist']);

/** What an account answers about itself. */
const accountInformation = (call: StorageCall): Reply => ({
  status: 200,
  headers: {
    'x-ms-sku-name': String((call.account.body['sku'] as { name?: string } | undefined)?.name ?? ''),
    'x-ms-account-kind': String(call.account.body['kind']),
    'x-ms-is-hns-enabled': 'false',
  },
});

const serviceProperties = (): Reply => ({
  status: 200,
  ...xmlReply(
    element(
      'StorageServiceProperties',
      element('DeleteRetentionPolicy', leaf('Enabled', false)),
      element('StaticWebsite', leaf('Enabled', false)),
    ),
  ),
});

/** Answers one authenticated request to the blobs of an account. */
export async function answerBlobs(call: StorageCall, delegationKey: (call: StorageCall) => Reply): Promise<Reply> {
  const comp = parameter(call, 'comp')?.toLowerCase() ?? '';
  const key = `${call.exchange.method} ${comp}`;
  const restype = parameter(call, 'restype')?.toLowerCase();
  if (key === 'POST batch') return batch(call, (part) => answerBlobs(part, delegationKey));
  if ((restype === 'account' || call.names.length === 0) && comp === 'properties') {
    call.demand(needs.serviceRead);
    return restype === 'account' ? accountInformation(call) : serviceProperties();
  }
  if (call.names.length === 0) {
    if (key === 'GET list') return run(call, [needs.listContainers, containers.listContainers]);
    if (key === 'POST userdelegationkey') return run(call, [needs.delegationKey, delegationKey]);
    throw unsupported(call);
  }
  if (restype === 'container') return run(call, containerOperations[key]);
  const source = header(call, 'x-ms-copy-source');
  const need = findBlobQuietly(call) ? needs.writeBlob : needs.createBlob;
  if (source !== undefined && call.exchange.method === 'PUT' && ['', 'block', 'appendblock', 'page'].includes(comp)) {
    return run(call, [need, (each) => copyFrom(each, source, comp)]);
  }
  const operation = blobOperations[key];
  return run(call, operation && newBlobs.has(key) ? [need, operation[1]] : operation);
}

function findBlobQuietly(call: StorageCall): boolean {
  try {
    return findBlob(call) !== undefined;
  } catch {
    return false;
  }
}

async function run(call: StorageCall, operation: Operation | undefined): Promise<Reply> {
  if (!operation) throw unsupported(call);
  const [need, answer] = operation;
  call.demand(need);
  return await answer(call);
}

const unsupported = (call: StorageCall) =>
  refuse(
    400,
    'UnsupportedOperation',
    `The sandbox does not have this operation: ${call.exchange.method} ${call.exchange.url.pathname}${parameter(call, 'comp') ? ` with comp=${parameter(call, 'comp')}` : ''}.`,
  );
