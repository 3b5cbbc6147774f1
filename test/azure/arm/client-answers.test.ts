import { expect, test } from '@jest/globals';
import { setup, vault } from './client-world.ts';

test("a proxy's page is not taken for success", async () => {
  const { client, authorizer } = await setup(() => ({ status: 200, body: '<!DOCTYPE html><html>Sign in</html>' }));
  await expect(client.send({ method: 'PUT', path: vault, body: {}, authorizer })).rejects.toMatchObject({
    code: 'AZ_ARM_UNREACHABLE',
  });
});

/** The resource, with so many levels in it. */
const jsonOf = (levels: number) => `{"id":"${vault}","properties":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

test.each([
  ['an HTML page', { body: '<html><title>Sign in</title></html>' }, 'AZ_ARM_UNREACHABLE', /it sent an HTML page/],
  ['nothing', { body: '' }, 'AZ_ARM_ANSWER', /answered with 200 and an empty body, which is not the resource/],
  ['null', { body: 'null' }, 'AZ_ARM_ANSWER', /the JSON value null/],
  ['a text', { body: '"x"' }, 'AZ_ARM_UNREACHABLE', /the JSON value x/],
  ['a list', { body: '[1]' }, 'AZ_ARM_UNREACHABLE', /a JSON array/],
  [
    'broken gzip',
    { body: '\u001f\u008b\u0008', headers: { 'content-encoding': 'gzip' } },
    'AZ_ARM_UNREACHABLE',
    /no JSON/,
  ],
  ['JSON that is cut off', { body: '{"id": "/subscr' }, 'AZ_ARM_UNREACHABLE', /no JSON/],
  ['JSON of 150 levels', { body: jsonOf(150) }, 'AZ_ARM_UNREACHABLE', /nested too deep/],
  // Too deep for the function that counts the levels.
  ['JSON of 5,000 levels', { body: jsonOf(5000) }, 'AZ_ARM_UNREACHABLE', /nested too deep/],
  ['no content', { status: 204 }, 'AZ_ARM_ANSWER', /answered with 204 and an empty body/],
] as const)('a GET that is answered with %s is no resource', async (_, answer, code, message) => {
  const { client, authorizer } = await setup(() => answer);
  const sent = client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer });
  await expect(sent).rejects.toMatchObject({ code, message: expect.stringMatching(message), retryable: true });
});

test.each(['"gone"', '[]', 'gone', '<html></html>'])(
  'a DELETE that is answered with %s is not believed',
  async (body) => {
    const { client, authorizer } = await setup(() => ({ body }));
    const sent = client.send({ method: 'DELETE', path: vault, apiVersion: '2023-07-01', authorizer });
    await expect(sent).rejects.toMatchObject({ code: 'AZ_ARM_UNREACHABLE' });
  },
);

test('a body without end is given up, and the operator goes on', async () => {
  const { client, authorizer } = await setup(() => ({ body: 'x'.repeat(9 * 1024 * 1024) }));
  const sent = client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer });
  await expect(sent).rejects.toMatchObject({
    code: 'AZ_ARM_UNREACHABLE',
    message: expect.stringContaining('the answer is longer than 8 MiB'),
  });
});

const pages = [
  ['<!DOCTYPE html><html><title>Not found</title></html>', 'an HTML page'],
  ['404 page not found\n', 'a text that is no JSON'],
  ['default backend - 404', 'a text that is no JSON'],
] as const;

test.each(pages.flatMap(([body, what]) => (['GET', 'DELETE'] as const).map((method) => [method, body, what] as const)))(
  'a %s that a gateway answers with 404 and %j does not say that the resource is gone',
  async (method, body, what) => {
    const page = { status: 404, body };
    const send = async (answer: object) => {
      const { client, authorizer } = await setup(() => answer);
      return await client.send({ method, path: vault, apiVersion: '2023-07-01', authorizer }).catch((error) => error);
    };
    expect(await send(page)).toMatchObject({
      code: 'AZ_ARM_UNREACHABLE',
      message: expect.stringContaining(what),
    });
    const headers = { 'x-ms-correlation-request-id': 'c' };
    expect(await send({ ...page, headers })).toMatchObject({ code: 'AZ_ARM_REFUSED', info: { status: 404 } });
  },
);
