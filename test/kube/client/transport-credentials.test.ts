import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { anonymous, type Credential } from '../../../runtime/kube/config/connection.ts';
import { bearerToken, withCertificate } from '../../../runtime/kube/config/credentials.ts';
import { fixedText } from '../../../runtime/kube/config/text-source.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { sendJson } from '../../fakes/web-server.ts';
import { authority, changing, client, ok, pair, serve } from './transport-server.ts';

test('requests carry the token, the user agent and the impersonation', async () => {
  const server = await serve(ok);
  const impersonate = {
    user: 'jane',
    uid: '7',
    groups: ['dev', 'ops'],
    extra: { 'Example.com/scope': ['a', 'b'] },
  };
  await client(server, { credential: bearerToken(fixedText('t')), impersonate }, { userAgent: 'azimuth-operator' }).raw(
    '/version',
  );
  expect(server.received[0]?.headers).toMatchObject({
    authorization: 'Bearer t',
    accept: 'application/json',
    'user-agent': expect.stringMatching(/^azimuth-operator \(linux\/|^azimuth-operator \(/),
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': 'dev, ops',
    'impersonate-extra-example.com%2fscope': 'a, b',
  });
});

test('after a 401 the request is sent once more with a fresh token', async () => {
  const token = changing('old');
  token.next = 'new';
  const server = await serve(({ headers }, response) =>
    headers.authorization === 'Bearer new' ? sendJson(response, { ok: true }) : sendJson(response, {}, 401),
  );
  expect(await client(server, { credential: bearerToken(token) }).raw('/version')).toEqual({ ok: true });
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
});

test('a 401 with nothing fresh to offer is not repeated, and the token is not in the error', async () => {
  const server = await serve((_, response) =>
    sendJson(response, { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' }, 401),
  );
  const error = await client(server, { credential: bearerToken(fixedText('hidden')) })
    .raw<Error>('/version')
    .catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ status: 401, reason: 'Unauthorized', retryable: true });
  expect(JSON.stringify(error) + error.stack).not.toContain('hidden');
  expect(server.received).toHaveLength(1);
});

test('a fresh token that is refused too ends as the second 401', async () => {
  const token = changing('a');
  token.next = 'b';
  const server = await serve((_, response) => sendJson(response, {}, 401));
  await expect(client(server, { credential: bearerToken(token) }).raw('/version')).rejects.toMatchObject({
    status: 401,
  });
  expect(server.received).toHaveLength(2);
});

test('a client certificate is shown, and a renewed one is used without restart', async () => {
  const names: unknown[] = [];
  const server = await serve(
    ({ socket }, response) => {
      names.push(
        (socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate().subject.CN,
      );
      sendJson(response, { ok: true });
    },
    { ...pair, ca: authority.cert, requestCert: true },
  );
  const [first, second] = [
    issueCertificate({ commonName: 'first', issuer: authority }),
    issueCertificate({ commonName: 'second', issuer: authority }),
  ];
  const [cert, key] = [changing(first.cert), changing(first.key)];
  const kube = client(server, { credential: withCertificate(anonymous, { cert, key }) });
  await kube.raw('/version');
  cert.next = second.cert;
  cert.refresh();
  // The key lags behind: a pair that does not fit must not break what works.
  await kube.raw('/version');
  key.next = second.key;
  key.refresh();
  await kube.raw('/version');
  expect(names).toEqual(['first', 'first', 'second']);
});

test('a CA that is replaced is picked up: the first request fails, the next one works', async () => {
  const other = issueCertificate({ commonName: 'other', ca: true });
  const server = await serve(ok);
  const ca = changing(authority.cert);
  const kube = client(server, { ca });
  await kube.raw('/version');
  server.renew(issueCertificate({ commonName: 'kube', hosts: ['127.0.0.1'], issuer: other }));
  ca.next = other.cert;
  for (const socket of server.sockets) socket.destroy();
  await expect(kube.raw('/version')).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  expect(await kube.raw('/version')).toEqual({ ok: true });
});

test('a server without a certificate of the CA is refused, unless verification is off', async () => {
  const server = await serve(ok);
  const ca = fixedText(issueCertificate({ commonName: 'other', ca: true }).cert);
  await expect(client(server, { ca }).raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBE_UNREACHABLE',
    message: expect.stringMatching(/certificate/),
  });
  const { ca: _, ...insecure } = { ca, insecureSkipTlsVerify: true };
  const connection = { source: 'test', server: server.url, namespace: 'default', credential: anonymous, ...insecure };
  const kube = createKubeClient(connection);
  afterwards(() => kube.close());
  expect(await kube.raw('/version')).toEqual({ ok: true });
});

test('tls-server-name is what the certificate must hold', async () => {
  const server = await serve(ok, issueCertificate({ commonName: 'kube', hosts: ['inner.example'], issuer: authority }));
  await expect(client(server).raw('/version')).rejects.toMatchObject({ code: 'AZ_KUBE_UNREACHABLE' });
  expect(await client(server, { tlsServerName: 'inner.example' }).raw('/version')).toEqual({ ok: true });
});

test('a CA that is no certificate is a configuration error that names the source', async () => {
  const ca = fixedText('-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----');
  await expect(client({ url: 'https://127.0.0.1:1' }, { ca }).raw('/version')).rejects.toMatchObject({
    code: 'AZ_KUBECONFIG_INVALID',
    message: expect.stringMatching(/^test: unusable certificate or key/),
  });
});

test('a credential that cannot be obtained is the error of the request', async () => {
  const server = await serve(ok);
  const credential: Credential = { current: () => Promise.reject(new Error('no plugin')), refused: () => undefined };
  await expect(client(server, { credential }).raw('/version')).rejects.toThrow('no plugin');
});

test('a broken credential is retryable, since its fix is outside of the reconciled object', async () => {
  const server = await serve(ok);
  const broken = new AzimuthError('AZ_KUBECONFIG_INVALID', 'the plugin printed something that is not JSON');
  const credential: Credential = { current: () => Promise.reject(broken), refused: () => undefined };
  const text = (value: string) => ({ read: () => value, refresh: () => undefined });
  expect(broken.retryable).toBe(false);
  for (const change of [{ credential }, { ca: text('nothing') }]) {
    await expect(client(server, change).raw('/version')).rejects.toMatchObject({
      code: 'AZ_KUBECONFIG_INVALID',
      retryable: true,
    });
  }
});
