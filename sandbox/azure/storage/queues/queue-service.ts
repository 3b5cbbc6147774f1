import { queueProperties } from '../../arm/behaviours/storage.ts';
import type { StoredResource } from '../../arm/resources/stored-resources.ts';
import type { Reply } from '../../exchange.ts';
import { type Need, needs } from '../access/needs.ts';
import { policiesReply } from '../blobs/container-operations.ts';
import { httpDate, metadataHeaders, metadataOf, newEtag, pageOf, parameter, type StorageCall } from '../call.ts';
import {
  containersOf,
  dataOf,
  findContainer,
  makeContainer,
  metadataIn,
  readPolicies,
  setProperties,
} from '../containers.ts';
import { element, escaped, invalidValue, leaf, leavesIn, notFound, refuse, xmlReply } from '../xml.ts';
import { messagesOf, type StoredMessage } from './messages.ts';

type Operation = readonly [need: Need, answer: (call: StorageCall) => Reply];

const week = 7 * 86_400;

function requireQueue(call: StorageCall): StoredResource {
  const found = findContainer(call.state, call.account, 'queue', call.names[0] ?? '');
  if (!found) throw notFound('QueueNotFound', 'queue');
  return found;
}

function createQueue(call: StorageCall): Reply {
  const [name = ''] = call.names;
  if (!/^[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9]$/.test(name)) {
    throw refuse(400, 'InvalidResourceName', 'The specified resource name contains invalid characters.');
  }
  const metadata = metadataOf(call);
  const existing = findContainer(call.state, call.account, 'queue', name);
  if (existing) {
    const isSame = JSON.stringify(metadataIn(existing)) === JSON.stringify(metadata);
    if (isSame) return { status: 204 };
    throw refuse(409, 'QueueAlreadyExists', 'The specified queue already exists.');
  }
  const made = { name, properties: { ...queueProperties, metadata }, etag: newEtag(call.ids), now: call.now };
  makeContainer(call.state, call.account, 'queue', made);
  call.exchange.entry.effective = true;
  return { status: 201 };
}

function readQueue(call: StorageCall): Reply {
  const queue = requireQueue(call);
  const count = String(messagesOf(queue, call.now).length);
  return { status: 200, headers: { ...metadataHeaders(metadataIn(queue)), 'x-ms-approximate-messages-count': count } };
}

function setMetadata(call: StorageCall): Reply {
  setProperties(requireQueue(call), { metadata: metadataOf(call) });
  call.exchange.entry.effective = true;
  return { status: 204 };
}

function deleteQueue(call: StorageCall): Reply {
  call.state.resources.delete(requireQueue(call).id);
  call.exchange.entry.effective = true;
  return { status: 204 };
}

function setPolicies(call: StorageCall): Reply {
  dataOf(requireQueue(call)).policies = readPolicies(call.exchange.body.toString());
  call.exchange.entry.effective = true;
  return { status: 204 };
}

function listQueues(call: StorageCall): Reply {
  const prefix = parameter(call, 'prefix') ?? '';
  const all = containersOf(call.state, call.account, 'queue').filter(({ name }) => name.startsWith(prefix));
  const { page, next } = pageOf(call, all);
  const withMetadata = parameter(call, 'include') === 'metadata';
  const items = page.map((queue) => {
    const metadata = Object.entries(metadataIn(queue)).map(([name, value]) => leaf(name, value));
    return element('Queue', leaf('Name', queue.name), withMetadata ? element('Metadata', ...metadata) : '');
  });
  const content = [leaf('Prefix', prefix), element('Queues', ...items), leaf('NextMarker', next)].join('');
  return {
    status: 200,
    ...xmlReply(`<EnumerationResults ServiceEndpoint="${escaped(call.address)}/">${content}</EnumerationResults>`),
  };
}

/** A number of seconds or messages in the query, between two bounds. */
function numberIn(call: StorageCall, name: string, fallback: number, least: number, most: number): number {
  const value = Number(parameter(call, name) ?? fallback);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refuse(
    400,
    'OutOfRangeQueryParameterValue',
    `One of the query parameters specified in the request URI is outside the permissible range: ${name}.`,
  );
}

const shownMessage = (message: StoredMessage, ...more: readonly ('receipt' | 'text')[]): string =>
  element(
    'QueueMessage',
    leaf('MessageId', message.id),
    leaf('InsertionTime', httpDate(message.insertedAt)),
    leaf('ExpirationTime', httpDate(message.expiresAt)),
    more.includes('receipt')
      ? leaf('PopReceipt', message.receipt) + leaf('TimeNextVisible', httpDate(message.visibleAt))
      : '',
    more.includes('text') ? leaf('DequeueCount', message.taken) + leaf('MessageText', message.text) : '',
  );

const messageList = (messages: readonly string[]) => xmlReply(element('QueueMessagesList', ...messages));

function textOf(call: StorageCall): string {
  const found = leavesIn(call.exchange.body.toString(), 'MessageText')[0];
  if (!found) throw invalidValue('InvalidInput');
  if (Buffer.byteLength(found.text) > 65_536) {
    throw refuse(
      413,
      'RequestBodyTooLarge',
      'The request body is too large and exceeds the maximum permissible limit.',
    );
  }
  return found.text;
}

function addMessage(call: StorageCall): Reply {
  const queue = requireQueue(call);
  const hidden = numberIn(call, 'visibilitytimeout', 0, 0, week);
  const life = numberIn(call, 'messagettl', week, -1, Number.MAX_SAFE_INTEGER);
  const message: StoredMessage = {
    id: call.ids.uuid(),
    text: textOf(call),
    receipt: call.ids.bytes(12).toString('base64'),
    insertedAt: call.now,
    expiresAt: life === -1 ? Date.UTC(9999, 11, 31, 23, 59, 59) : call.now + life * 1000,
    visibleAt: call.now + hidden * 1000,
    taken: 0,
  };
  messagesOf(queue, call.now).push(message);
  call.exchange.entry.effective = true;
  return { status: 201, ...messageList([shownMessage(message, 'receipt')]) };
}

function takeMessages(call: StorageCall): Reply {
  const count = numberIn(call, 'numofmessages', 1, 1, 32);
  const isVisible = ({ visibleAt }: StoredMessage) => visibleAt <= call.now;
  const found = messagesOf(requireQueue(call), call.now).filter(isVisible).slice(0, count);
  if (parameter(call, 'peekonly') === 'true') {
    return { status: 200, ...messageList(found.map((message) => shownMessage(message, 'text'))) };
  }
  const hidden = numberIn(call, 'visibilitytimeout', 30, 1, week);
  for (const message of found) {
    message.taken += 1;
    message.receipt = call.ids.bytes(12).toString('base64');
    message.visibleAt = call.now + hidden * 1000;
    call.exchange.entry.effective = true;
  }
  return { status: 200, ...messageList(found.map((message) => shownMessage(message, 'receipt', 'text'))) };
}

function clearMessages(call: StorageCall): Reply {
  messagesOf(requireQueue(call), call.now).length = 0;
  call.exchange.entry.effective = true;
  return { status: 204 };
}

/** The message of the path, which the receipt of the query must fit. */
function requireMessage(call: StorageCall): StoredMessage {
  const found = messagesOf(requireQueue(call), call.now).find(({ id }) => id === call.names[2]);
  if (!found) throw notFound('MessageNotFound', 'message');
  if (found.receipt === parameter(call, 'popreceipt')) return found;
  throw refuse(
    400,
    'PopReceiptMismatch',
    'The specified pop receipt did not match the pop receipt for a dequeued message.',
  );
}

function updateMessage(call: StorageCall): Reply {
  const message = requireMessage(call);
  if (call.exchange.body.length > 0) message.text = textOf(call);
  message.visibleAt = call.now + numberIn(call, 'visibilitytimeout', 0, 0, week) * 1000;
  message.receipt = call.ids.bytes(12).toString('base64');
  call.exchange.entry.effective = true;
  return {
    status: 204,
    headers: { 'x-ms-popreceipt': message.receipt, 'x-ms-time-next-visible': httpDate(message.visibleAt) },
  };
}

function deleteMessage(call: StorageCall): Reply {
  const message = requireMessage(call);
  const messages = messagesOf(requireQueue(call), call.now);
  messages.splice(messages.indexOf(message), 1);
  call.exchange.entry.effective = true;
  return { status: 204 };
}

/** By how many names the path has, method, and `comp`. */
const operations: Readonly<Record<string, Operation>> = {
  '0 GET list': [needs.listQueues, listQueues],
  '1 PUT ': [needs.writeQueue, createQueue],
  '1 DELETE ': [needs.deleteQueue, deleteQueue],
  '1 GET metadata': [needs.readQueue, readQueue],
  '1 HEAD metadata': [needs.readQueue, readQueue],
  '1 PUT metadata': [needs.writeQueue, setMetadata],
  '1 GET acl': [
    needs.readQueue,
    (call) => ({ status: 200, ...policiesReply(dataOf(requireQueue(call)).policies ?? []) }),
  ],
  '1 PUT acl': [needs.writeQueue, setPolicies],
  '2 POST ': [needs.addMessage, addMessage],
  '2 GET ': [needs.takeMessages, takeMessages],
  '2 DELETE ': [needs.clearMessages, clearMessages],
  '3 PUT ': [needs.updateMessage, updateMessage],
  '3 DELETE ': [needs.deleteMessage, deleteMessage],
};

/** Answers one authenticated request to the queues of an account. */
export function answerQueues(call: StorageCall): Reply {
  const { names, exchange } = call;
  const comp = parameter(call, 'comp')?.toLowerCase() ?? '';
  const key = `${names.length} ${exchange.method} ${comp}`;
  const operation = operations[key];
  if (!operation || (names.length > 1 && names[1] !== 'messages')) {
    throw refuse(
      400,
      'UnsupportedOperation',
      `The sandbox does not have this operation: ${exchange.method} ${exchange.url.pathname}.`,
    );
  }
  const [need, answer] = operation;
  const isPeek = key === '2 GET ' && parameter(call, 'peekonly') === 'true';
  call.demand(isPeek ? needs.peekMessages : need);
  return answer(call);
}
