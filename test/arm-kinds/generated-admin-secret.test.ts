import { expect, test } from '@jest/globals';
import {
  type AdminInput,
  adminCredentials,
  adminRotation,
  passwordToSend,
} from '../../runtime/arm-kinds/generated-admin-secret.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';

const owner = {
  apiVersion: 'sql.azure.com/v20211101',
  kind: 'Server',
  metadata: { name: 'srv', uid: 'u1' },
} as KubeObject;
const input = (request?: string): AdminInput => ({
  type: 'credentials',
  path: 'administratorLoginPassword',
  login: 'administratorLogin',
  name: 'admin',
  request,
});
const secretOf = (text: Record<string, string>, marks: Record<string, string> = {}, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'admin',
    annotations: marks,
    ownerReferences: [{ apiVersion: 'sql.azure.com/v1', kind: 'Server', name: 'srv', uid: 'u1' }],
    ...more,
  },
  data: Object.fromEntries(Object.entries(text).map(([key, value]) => [key, btoa(value)])),
});
const read = (secret: KubeObject | undefined, request?: string) => adminCredentials(input(request), owner, secret);
const whole = { username: 'user', password: 'one' };

test('a missing Secret, key or owner reference is created', () => {
  expect(read(undefined).task).toBe('generate');
  expect(read(secretOf({ username: 'user' })).task).toBe('generate');
  expect(read(secretOf({ username: 'user', password: '' })).task).toBe('generate');
  expect(read(secretOf({ password: 'one' })).task).toBe('generate');
  const former = { ownerReferences: [{ apiVersion: 'sql.azure.com/v1', kind: 'Server', name: 'srv', uid: 'u0' }] };
  expect(read(secretOf(whole, {}, former))).toMatchObject({ task: 'generate', password: 'one' });
  expect(read(secretOf(whole)).task).toBeUndefined();
});

test('a request gets one password, and none while another password may be on its way', () => {
  expect(read(secretOf(whole), 'r1').task).toBe('renew');
  expect(read(secretOf(whole, { [adminRotation]: 'r1' }), 'r1').task).toBeUndefined();
  expect(read(secretOf({ ...whole, pendingPassword: 'two' }, { [adminRotation]: 'r1' }), 'r2').task).toBeUndefined();
  expect(read(secretOf(whole, { [adminRotation]: 'r1' }), 'r2').task).toBe('renew');
});

test('the pending password is the one to send', () => {
  expect(passwordToSend(read(secretOf(whole)))).toBe('one');
  expect(passwordToSend(read(secretOf({ ...whole, pendingPassword: 'two' })))).toBe('two');
});

test('a Secret of somebody else is not read', () => {
  const foreign = secretOf(whole, {}, { ownerReferences: [] });
  expect(() => read(foreign)).toThrow(expect.objectContaining({ code: 'AZ_CONFLICT_OWNED' }));
});
