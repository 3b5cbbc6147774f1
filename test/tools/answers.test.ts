import { expect, test } from '@jest/globals';
import { learnMembers } from '../../tools/answers/learn.ts';
import { type Exchange, read } from '../../tools/answers/samples.ts';
import { learnShapes } from '../../tools/answers/shapes.ts';
import { isGeneral, templateOf } from '../../tools/answers/templates.ts';

const group = '/subscriptions/s/resourceGroups/some-group';
const idOf = (name: string) => `${group}/providers/Microsoft.Sql/servers/${name}`;
const exchange = (method: string, name: string, more: Partial<Exchange>): Exchange => ({
  method,
  path: idOf(name),
  apiVersion: '2020-01-01',
  body: undefined,
  status: 200,
  headers: {},
  answer: undefined,
  ...more,
});

test('texts that belong to one resource become the name of their place', () => {
  const names = { id: idOf('server-one'), location: 'westus2', item: '' };
  expect(templateOf('server-one.database.windows.net', names)).toBe('{name}.database.windows.net');
  expect(templateOf(`${names.id}/parts/x`, names)).toBe('{id}/parts/x');
  expect(templateOf('2020-05-05T10:00:00Z by 198.51.100.7', names)).toBe('{time} by {publicAddress}');
  expect(templateOf('West US 2', names)).toBe('{Location}');
  expect(templateOf('https://server-one.westus2.example.net', names)).toBe('https://{name}.{location}.example.net');
});

test('what one client chose, what is secret and what belongs to a person is not general', () => {
  expect(isGeneral('{name}.database.windows.net', 2)).toBe(true);
  expect(isGeneral('Enabled', 1)).toBe(true);
  expect(isGeneral('{id}/rules/httpRule', 5)).toBe(false);
  expect(isGeneral('user@example.com', 5)).toBe(false);
  expect(isGeneral('some text of one recording', 1)).toBe(false);
});

test('members that no request had are learned, with their usual values, and those of the items of lists', () => {
  const put = (name: string, list: object[], added: object) =>
    read(name, [
      exchange('PUT', name, {
        status: 201,
        body: { properties: { list } },
        answer: {
          id: idOf(name),
          properties: { ...added, list: list.map((item) => ({ ...item, id: `${idOf(name)}/list/part`, on: true })) },
        },
      }),
    ]).samples;
  const members = learnMembers([
    ...put('first', [{ name: 'part' }], { mode: 'Basic', host: 'first.example.net' }),
    ...put('second', [{ name: 'part' }], { mode: 'Basic', host: 'second.example.net', rare: 1 }),
    ...put('third', [], { mode: 'Other', host: 'third.example.net' }),
  ]);
  expect(members).toEqual({
    'properties?': { host: '{name}.example.net', 'list?': [{ id: '{id}/list/{item}', on: true }], mode: 'Basic' },
  });
});

test('the most frequent shape of each kind of write is learned; a PUT that changes nothing is of its own kind', () => {
  const asynchronous = { 'azure-asyncoperation': 'x', 'retry-after': '3' };
  const { writes } = read('x', [
    exchange('PUT', 'a', { status: 201, body: { a: 1 }, headers: asynchronous, answer: { id: idOf('a') } }),
    exchange('PUT', 'a', { body: { a: 2 }, headers: asynchronous, answer: { id: idOf('a') } }),
    exchange('PUT', 'a', { body: { a: 2 }, answer: { id: idOf('a') } }),
    exchange('PATCH', 'a', { status: 202, body: { a: 3 }, answer: { operation: 'Upsert' } }),
    exchange('DELETE', 'a', { status: 202, headers: { location: 'x' } }),
  ]);
  expect(learnShapes(writes)).toEqual({
    create: '201 AR body 3',
    patch: '202 - operation',
    remove: '202 L -',
    repeat: '200 - body',
    update: '200 AR body 3',
  });
});
