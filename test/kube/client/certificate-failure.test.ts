import { expect, test } from '@jest/globals';
import { fixedText } from '../../../runtime/kube/config/text-source.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { authority, client, ok, serve } from './transport-server.ts';

const failure = (kube: ReturnType<typeof client>) => kube.raw<Error>('/version').catch((thrown: Error) => thrown);

test('a certificate of another authority: the message names what is trusted, where from, and what to do', async () => {
  const other = issueCertificate({ commonName: 'other', ca: true });
  const { message } = await failure(client(await serve(ok), { ca: fixedText(other.cert) }));
  expect(message).toMatch(/; trusted by test: CN=other \(until .* GMT\); take the certificate-authority of this/);
});

test('a bundle of many authorities is named by its first ones', async () => {
  const bundle = [1, 2, 3, 4, 5].map((n) => issueCertificate({ commonName: `ca${n}`, ca: true }).cert).join('\n');
  const { message } = await failure(client(await serve(ok), { ca: fixedText(bundle) }));
  expect(message).toMatch(/CN=ca1 .*CN=ca3 \(until [^)]*\), and 2 more; /);
});

test('without an authority of the kubeconfig the built-in roots are named', async () => {
  const server = await serve(ok);
  const { message } = await failure(client({ url: server.url }, { ca: undefined as never }));
  expect(message).toContain('; trusted by test: the built-in roots and NODE_EXTRA_CA_CERTS; ');
});

test('a certificate for another name: the message tells of tls-server-name', async () => {
  const pair = issueCertificate({ commonName: 'kube', hosts: ['inner.example'], issuer: authority });
  const { message } = await failure(client(await serve(ok, pair)));
  expect(message).toContain('inner.example');
  expect(message).toContain('set tls-server-name to one');
});

test('a server that does not answer gets no word about certificates', async () => {
  const { message } = await failure(client({ url: 'https://127.0.0.1:1' }));
  expect(message).not.toContain('trusted by');
});
