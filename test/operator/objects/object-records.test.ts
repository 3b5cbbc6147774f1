import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { annotations, broughtResourceId } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { ProgramKey } from '../../../runtime/kube/controller/program-key.ts';
import { ObjectRecords } from '../../../runtime/operator/objects/object-records.ts';

const id = '/subscriptions/s/resourceGroups/rg';
const written = { [annotations.resourceId]: id, [annotations.acquired]: 'written operator 2026-01-01T00:00:00.000Z' };

async function newRecords(key = 'k'.repeat(32)): Promise<ObjectRecords> {
  const records = new ObjectRecords({ load: async () => createSecretKey(key, 'utf8') } as unknown as ProgramKey);
  await records.load();
  return records;
}

const object = (own: Record<string, string> = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { namespace: 'shop', name: 'rg', uid: 'u1', annotations: own, ...metadata },
  status: { id },
});

/** The object after a write of these changes. */
function apply(records: ObjectRecords, to: KubeObject, changes: Record<string, string | null>): KubeObject {
  const own = { ...to.metadata.annotations };
  for (const [name, value] of Object.entries(records.changes(to, changes))) {
    if (value === null) delete own[name];
    else own[name] = value;
  }
  return { ...to, metadata: { ...to.metadata, annotations: own } };
}

const seen = (records: ObjectRecords, stored: KubeObject) => {
  const { metadata, status } = records.authenticated(stored);
  return { annotations: metadata.annotations, id: status.id as unknown };
};

test('what the operator wrote is believed by the next process, and what it did not write by none', async () => {
  const stored = apply(await newRecords(), object({ team: 'a' }), written);
  expect(seen(await newRecords(), stored)).toEqual({
    annotations: { team: 'a', ...written },
    id,
  });
  const forged = object({ team: 'a', ...written, [annotations.applied]: 'a.b.c', [annotations.journal]: '{}' });
  expect(seen(await newRecords(), forged)).toEqual({
    annotations: { team: 'a', [broughtResourceId]: id },
    id: undefined,
  });
});

test.each([
  ['another uid', { uid: 'u2' }],
  ['another name', { name: 'other' }],
  ['another namespace', { namespace: 'victims' }],
])('a record is worth nothing on an object of %s', async (_, metadata) => {
  const { metadata: signed } = apply(await newRecords(), object(), written);
  const copy = object(signed.annotations, metadata);
  expect(seen(await newRecords(), copy).annotations).not.toHaveProperty([annotations.acquired]);
});

test('a record of another key, or with one value of an older record, is worth nothing', async () => {
  const records = await newRecords();
  const first = apply(records, object(), { ...written, [annotations.journal]: '{"old":1}' });
  records.authenticated(first);
  const second = apply(records, first, { [annotations.journal]: null });
  expect(seen(await newRecords('x'.repeat(32)), second).annotations).not.toHaveProperty([annotations.acquired]);
  const mixed = object({ ...second.metadata.annotations, [annotations.journal]: '{"old":1}' });
  expect(seen(await newRecords(), mixed)).toEqual({ annotations: written, id });
});

test('who spoils the journal takes nothing from the proof of whose the resource is', async () => {
  const stored = apply(await newRecords(), object(), { ...written, [annotations.journal]: '{"now":1}' });
  const spoilt = object({ ...stored.metadata.annotations, [annotations.journal]: 'x', [annotations.applied]: 'a.b.c' });
  const records = await newRecords();
  expect(seen(records, spoilt)).toEqual({ annotations: written, id });
  expect(records.isIntact(spoilt)).toBe(false);
});

test('a process that wrote a record goes by it when an older one, or none, is put in its place, and writes it again', async () => {
  const records = await newRecords();
  const first = apply(records, object(), { ...written, [annotations.journal]: '{"old":1}' });
  records.authenticated(first);
  const second = apply(records, first, { [annotations.journal]: null });
  records.authenticated(second);
  for (const tampered of [first, object(), object({ [annotations.resourceId]: '/subscriptions/theirs' })]) {
    expect(seen(records, tampered)).toEqual({ annotations: written, id });
    expect(records.isIntact(tampered)).toBe(false);
    expect(seen(await newRecords(), apply(records, tampered, {}))).toEqual({ annotations: written, id });
  }
  records.forget('u1');
  expect(seen(records, object()).annotations).toEqual({});
});

test('a status says nothing of the ARM id that the record does not confirm', async () => {
  const records = await newRecords();
  const stored = apply(records, object(), { ...written, [annotations.resourceId]: `${id}-mine` });
  expect(seen(records, stored).id).toBeUndefined();
  const announced = apply(await newRecords(), object(), {
    ...written,
    [annotations.acquired]: 'announced operator 2026-01-01T00:00:00.000Z',
  });
  expect(seen(await newRecords(), announced).id).toBeUndefined();
});

test('nothing is written where nothing changes', async () => {
  const records = await newRecords();
  const stored = apply(records, object(), written);
  expect(records.changes(stored, written)).toEqual({});
  expect((await newRecords()).changes(object(), {})).toEqual({});
});
