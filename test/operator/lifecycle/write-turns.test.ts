import { beforeEach, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { formatJournal, newJournal } from '../../../runtime/engine/index.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { type Turn, WriteTurns } from '../../../runtime/operator/lifecycle/write-turns.ts';
import type { ObjectIndex } from '../../../runtime/operator/objects/object-index.ts';
import { writtenResource } from '../../../runtime/operator/objects/unfinished-write.ts';

const network = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/net';
const polling = formatJournal({ ...newJournal('h'), blocks: { submit: { state: 'Polling', memo: {} } } });

let now = 0;
let writing: KubeObject[] = [];
let known: string[] = [];
let objects: KubeObject[] = [];
let next: string[] = [];
let turns: WriteTurns;

function turn(name: string, namespace = 'shop', usesOperatorCredential = true): Turn {
  const found = objects.find(({ metadata }) => metadata.name === name);
  const object = found ?? {
    apiVersion: 'network.azure.com/v20250301',
    kind: 'VirtualNetworksSubnet',
    metadata: {
      namespace,
      name,
      uid: name,
      annotations: { [annotations.resourceId]: `${network}/subnets/${name}`, [annotations.journal]: polling },
    },
  };
  if (!found) objects.push(object);
  return { object, resourceId: `${network}/subnets/${name}`, usesOperatorCredential };
}

beforeEach(() => {
  now = 0;
  writing = [];
  known = [];
  objects = [];
  next = [];
  const index: Pick<ObjectIndex, 'writingTo' | 'get'> = {
    writingTo: (resource) => writing.filter((each) => writtenResource(each) === resource),
    get: (_group, _kind, { name }) => objects.find(({ metadata }) => metadata.name === name),
  };
  turns = new WriteTurns({
    objects: index as ObjectIndex,
    isKnown: (uid) => known.includes(uid),
    now: () => now,
    enqueue: (node) => next.push(node),
  });
});

test('a turn lasts to the end of the operation, and the namespaces that wait are served in rotation', () => {
  expect(turns.tryTake(turn('a1', 'a'))).toBe(true);
  expect(['a2', 'a3'].map((name) => turns.tryTake(turn(name, 'a')))).toEqual([false, false]);
  expect(turns.tryTake(turn('b1', 'b'))).toBe(false);
  turns.keep(turn('a1'), 1000);
  expect(next).toEqual([]);
  turns.release(turn('a1'));
  turns.tryTake(turn('a2'));
  turns.release(turn('a2'));
  turns.tryTake(turn('b1'));
  turns.release(turn('b1'));
  expect(next).toEqual(['turn a2', 'turn b1', 'turn a3']);
  // It is the turn of a3.
  expect(turns.tryTake(turn('b2', 'b'))).toBe(false);
  expect(turns.tryTake(turn('a3'))).toBe(true);
});

test('a resource that Azure writes at any time, and a namespace with its own credential, wait for nobody', () => {
  turns.tryTake(turn('one'));
  expect(turns.tryTake({ ...turn('two'), resourceId: '/subscriptions/s/resourceGroups/g' })).toBe(true);
  expect(turns.tryTake(turn('three', 'own', false))).toBe(true);
});

test('after a refusal with Retry-After, no other object writes before that time, and then one after the other', () => {
  turns.tryTake(turn('one'));
  turns.tryTake(turn('two'));
  turns.tryTake(turn('three'));
  turns.release(turn('one'), 20_000);
  expect([turns.tryTake(turn('two')), turns.tryTake(turn('three'))]).toEqual([false, false]);
  now = 20_000;
  turns.endTurns();
  expect(next).toEqual(['turn two']);
  expect([turns.tryTake(turn('three')), turns.tryTake(turn('two'))]).toEqual([false, true]);
});

test('an object that does not use its turn, or is deleted, does not keep the others waiting', () => {
  for (const name of ['one', 'deleted', 'idle', 'last']) turns.tryTake(turn(name));
  objects = objects.filter(({ metadata }) => metadata.name !== 'deleted');
  turns.release(turn('one'));
  expect(next).toEqual(['turn idle']);
  now = 10_000;
  turns.endTurns();
  expect(next).toEqual(['turn idle', 'turn last']);
});

test('an operation that is not polled any more ends its turn, however often its object is edited', () => {
  turns.tryTake(turn('stuck'));
  turns.tryTake(turn('other'));
  now = 119_999;
  turns.keep(turn('stuck'), 0);
  turns.endTurns();
  expect(next).toEqual([]);
  now = 120_000;
  turns.keep(turn('stuck'), 0);
  expect(next).toEqual(['turn other']);
});

test('after a restart, objects with a write in their journal come first, and are known by their own runs then', () => {
  const before = turn('before');
  writing = [before.object];
  expect(turns.tryTake(turn('new'))).toBe(false);
  known = ['before'];
  turns.keep(before, 5000);
  turns.release(before);
  expect(next).toEqual(['turn new']);
  turns.tryTake(turn('new'));
  turns.release(turn('new'));
  // The cache shows the old journal still.
  expect(turns.tryTake(turn('later'))).toBe(true);
});
