import { expect, test } from '@jest/globals';
import { defaultsOf, membersOf, shapeOf } from '../../../sandbox/sessions/comparison.ts';
import { subjectOf } from '../../../sandbox/sessions/groups.ts';
import { type RecordedRequest, requestsToSend } from '../../../sandbox/sessions/session.ts';
import { Translation } from '../../../sandbox/sessions/translation.ts';

const group = '/subscriptions/s/resourceGroups/rg';

test('members are the paths that are not null, with the places of a list and the keys of tags as one', () => {
  const answer = { Tags: { a: '1', b: '2' }, properties: { list: [{ X: 1 }, { y: null }], none: null } };
  expect([...membersOf(answer)]).toEqual(['tags', 'tags.*', 'properties', 'properties.list', 'properties.list[].x']);
});

test('defaults are booleans, numbers and words that no request had, without names, times and states', () => {
  const requested = membersOf({ properties: { sent: true } });
  const properties = { sent: true, on: false, count: 4, mode: 'Dynamic', state: 'Running', text: 'two words' };
  expect(defaultsOf({ properties }, { properties: { on: false } }, requested)).toEqual([
    { path: 'properties.on', azure: false, here: false },
    { path: 'properties.count', azure: 4, here: undefined },
    { path: 'properties.mode', azure: 'Dynamic', here: undefined },
  ]);
});

test('the shape of an answer has its status, the headers of an operation, and whether there is a body', () => {
  expect(shapeOf(201, { 'azure-asyncoperation': 'x', 'retry-after': '3' }, { id: 'y' })).toBe('201 AR body');
  expect(shapeOf(202, { location: 'x' }, {})).toBe('202 L empty');
  expect(shapeOf(200, {}, undefined)).toBe('200 - empty');
});

test('polls are not sent, and no GET twice without a write between', () => {
  const requests = [
    { method: 'GET', path: '/a', query: '', status: 200 },
    { method: 'GET', path: '/a', query: '', status: 200 },
    { method: 'PUT', path: '/a', query: '', status: 200 },
    { method: 'GET', path: '/op', query: '', status: 200, poll: true },
    { method: 'GET', path: '/a', query: '', status: 200 },
  ] satisfies RecordedRequest[];
  expect(requestsToSend({ name: 'x', requests }).map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET']);
});

test('a request is about a type of the catalogue, the platform, another action, or the rest', () => {
  const of = (method: string, path: string) => {
    const { group: name, type } = subjectOf(method, path);
    return `${name} ${type}`;
  };
  const account = `${group}/providers/microsoft.storage/storageaccounts/a`;
  expect(of('GET', `${group}/providers/Microsoft.Storage/storageAccounts`)).toBe(
    'catalogue Microsoft.Storage/storageAccounts',
  );
  expect(of('POST', `${account}/listKeys`)).toBe('catalogue Microsoft.Storage/storageAccounts');
  expect(of('POST', `${account}/failover`)).toBe('actions Microsoft.Storage/storageAccounts/failover');
  expect(of('PUT', group)).toBe('platform Microsoft.Resources/resourceGroups');
  expect(of('GET', `${group}/providers/Microsoft.Web/unknown/x`)).toBe('rest Microsoft.Web/unknown');
});

test('an id that Azure made becomes the one that the sandbox made at its place; one that the client chose stays', () => {
  const [made, chosen, here] = ['1', '2', '3'].map((digit) => `00000000-0000-0000-0000-00000000000${digit}`);
  const translation = new Translation('sub', 'tenant');
  expect(translation.text(`/x/${chosen}`)).toBe(`/x/${chosen}`);
  translation.learn({ a: { Id: made }, name: chosen, etag: 'old' }, { a: { id: here }, name: here, etag: 'new' });
  expect(translation.json({ list: [made, chosen, 'old'] })).toEqual({ list: [here, chosen, 'new'] });
});
