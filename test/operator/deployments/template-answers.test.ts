import { describe, expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { SharedArmRequest } from '../../../runtime/azure/types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { TemplateAnswers, type TemplateAnswersDeps } from '../../../runtime/operator/deployments/template-answers.ts';

const id =
  '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/a';
const needed = { id, key: 'StorageAccount.storage.azure.com/a', apiVersion: '2023-01-01' };
const deployment = { apiVersion: '', kind: '', metadata: { namespace: 'team', name: 'shop', uid: 'uid' } };
const account = (annotation: string | undefined, status = 'True'): KubeObject => ({
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: {
    namespace: 'team',
    name: 'a',
    generation: 1,
    annotations: annotation === undefined ? {} : { [annotations.resourceId]: annotation },
  },
  status: { conditions: [{ type: 'Ready', status, observedGeneration: 1, reason: '', lastTransitionTime: '' }] },
});

/** Answers about one object. `authenticated`: the object as the operator's records prove it. */
function read(
  child: KubeObject | undefined,
  authenticated: KubeObject | undefined,
  more: object = {},
  body: object = { id },
  all = [needed],
) {
  const sent: SharedArmRequest[] = [];
  const parts = {
    arm: {
      send: async (request: SharedArmRequest) => {
        sent.push(request);
        return { status: 200, headers: {}, body, token: { token: 't' } };
      },
    },
    objects: { get: () => authenticated },
    credentials: { credentialFor: async () => ({ credential: { authorizer: 'own' }, usesOperatorCredential: true }) },
    scopes: { checkReach: () => undefined },
    children: { get: () => child, checkChange: async () => undefined },
    ...more,
  } as unknown as TemplateAnswersDeps;
  const answers = new TemplateAnswers(parts).read(deployment, all, new AbortController().signal);
  return { answers, sent };
}

test('an answer is the body of the resource, with the credential of its object, and without secret members', async () => {
  const body = {
    id,
    properties: { primaryKey: 'hunter2', endpoint: 'https://a', nested: { connectionString: 'hunter2' } },
  };
  const { answers, sent } = read(account(id), account(id), {}, body);
  expect(await answers).toEqual({ [id]: { resource: { id, properties: { endpoint: 'https://a', nested: {} } } } });
  expect(sent).toMatchObject([{ method: 'GET', path: id, apiVersion: '2023-01-01', authorizer: 'own', share: 'team' }]);
});

test.each([
  ['of somebody else', undefined, account(id), /not Ready/],
  ['that is not Ready', account(id, 'False'), account(id), /not Ready/],
  ['without an ARM id of the operator', account(id), account(undefined), /not the ARM id/],
  ['with an ARM id of another resource', account(id), account(`${id}other`), /not the ARM id/],
])('nothing is read about an object %s', async (_, child, authenticated, message) => {
  const { answers, sent } = read(child, authenticated);
  await expect(answers).rejects.toThrow(message);
  expect(sent).toEqual([]);
});

test('what the namespace may not reach with the credential of the operator is not read', async () => {
  const scopes = {
    checkReach() {
      throw new Error('may not be reached');
    },
  };
  const { answers, sent } = read(account(id), account(id), { scopes });
  await expect(answers).rejects.toThrow('may not be reached');
  expect(sent).toEqual([]);
});

test('nothing is read for a service account that may not change the object', async () => {
  const checkChange = async () => {
    throw new Error('may not patch');
  };
  const { answers, sent } = read(account(id), account(id), { children: { get: () => account(id), checkChange } });
  await expect(answers).rejects.toThrow('may not patch');
  expect(sent).toEqual([]);
});

test('answers end at a million characters together', async () => {
  const body = { id, properties: { text: 'x'.repeat(600_000) } };
  expect(await read(account(id), account(id), {}, body).answers).toEqual({ [id]: { resource: body } });
  const { answers, sent } = read(account(id), account(id), {}, body, [needed, needed, needed]);
  await expect(answers).rejects.toThrow(expect.objectContaining({ code: 'AZ_TERMINAL' }));
  expect(sent).toHaveLength(2);
});

test('a document of another resource is no answer', async () => {
  await expect(read(account(id), account(id), {}, { id: `${id}other` }).answers).rejects.toThrow(/the id/);
});

describe('an answer about a resource outside of the template', () => {
  /** Answers, with the body that Azure has; `denied`: the service account may not create ArmResources. */
  const outside = (body: unknown, denied = false) => {
    const asked: unknown[] = [];
    const parts = {
      access: {
        check: async (_: unknown, { verb, type }: { verb: string; type: { plural: string } }) => {
          asked.push(`${verb} ${type.plural}`);
          if (denied) throw new Error('may not create');
        },
      },
      outsideCredentials: {
        credentialFor: async ({ metadata }: KubeObject) => {
          asked.push(metadata);
          return { credential: { authorizer: 'own' }, usesOperatorCredential: true };
        },
      },
      values: () => async (input: object) => {
        asked.push(input);
        return body;
      },
    } as unknown as TemplateAnswersDeps;
    const wanted = [{ ...needed, key: '' }];
    const annotated = { ...deployment, metadata: { ...deployment.metadata, annotations: { any: 'x' } } };
    return { asked, answers: new TemplateAnswers(parts).read(annotated, wanted, new AbortController().signal) };
  };

  test('is read with the credential of the namespace, without secret members', async () => {
    const { asked, answers } = outside({ id, properties: { primaryKey: 'hunter2', principalId: 'p' } });
    expect(await answers).toEqual({ [id]: { resource: { id, properties: { principalId: 'p' } } } });
    expect(asked).toEqual([
      'create armresources',
      { namespace: 'team', name: 'shop' },
      { type: 'azure', path: 'reference', id, apiVersion: '2023-01-01' },
    ]);
  });

  test('takes the right to create an ArmResource, which can read the same', async () => {
    const { asked, answers } = outside({ id }, true);
    await expect(answers).rejects.toThrow('may not create');
    expect(asked).toEqual(['create armresources']);
  });

  test('is waited for while the resource does not exist', async () => {
    await expect(outside(undefined).answers).rejects.toMatchObject({
      code: 'AZ_REFERENCE_MISSING',
      retryAfterMs: 30_000,
    });
  });
});
