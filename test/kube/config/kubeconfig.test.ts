import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { type Issued, issueCertificate } from '../../fakes/certificates.ts';
import { type Scratch, scratch } from '../../fakes/scratch.ts';

let files: Scratch;
let authority: Issued;
let client: Issued;
const base64 = (text: string) => Buffer.from(text).toString('base64');

beforeAll(() => {
  files = scratch();
  authority = issueCertificate({ commonName: 'authority', ca: true });
  client = issueCertificate({ commonName: 'somebody', issuer: authority });
});
afterAll(() => files.remove());

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly root?: object;
}

/** A kubeconfig with one context `c` of cluster `k` and user `u`. */
const config = ({ cluster, user, context, root }: Parts = {}) => ({
  clusters: [{ name: 'k', cluster: { server: 'https://kube.example:6443', ...cluster } }],
  users: [{ name: 'u', user: { token: 'hidden-token', ...user } }],
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...context } }],
  'current-context': 'c',
  ...root,
});
let count = 0;
const write = (content: object | string) => files.write(`config-${count++}.yaml`, content);
const load = (parts: Parts) => loadKubeConnection({ kubeconfig: write(config(parts)), env: {} });

/** The error of a load, with the assurance that no secret is in it. */
function problem(action: () => unknown): AzimuthError {
  try {
    action();
  } catch (error) {
    if (!(error instanceof AzimuthError)) throw error;
    expect(error.code).toBe('AZ_KUBECONFIG_INVALID');
    expect(`${error.message} ${error.stack}`).not.toContain('hidden');
    return error;
  }
  throw new Error('nothing was thrown');
}

test('the first file of KUBECONFIG to name an entry wins with the whole entry', async () => {
  const first = write({
    users: [{ name: 'u', user: { token: 'first' } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'one' } }],
  });
  const second = write(config({ user: { token: 'second', as: 'other' }, context: { namespace: 'two' } }));
  const connection = loadKubeConnection({ env: { KUBECONFIG: `${first}::/does/not/exist:${second}:${first}` } });
  expect(connection).toMatchObject({ server: 'https://kube.example:6443', namespace: 'one' });
  expect(connection.impersonate).toBeUndefined();
  expect(await connection.credential.current()).toEqual({ authorization: 'Bearer first' });
  expect(connection.source).toBe(`${first}, context "c"`);
});

test('~/.kube/config is read when KUBECONFIG is not set', () => {
  const home = scratch();
  home.write('.kube/config', config());
  expect(loadKubeConnection({ env: { HOME: home.path } }).server).toBe('https://kube.example:6443');
  home.remove();
});

test('a context can be named, and namespace falls back to default', () => {
  const kubeconfig = write({
    ...config(),
    contexts: [{ name: 'other', context: { cluster: 'k', user: 'u' } }],
  });
  expect(loadKubeConnection({ kubeconfig, context: 'other', env: {} }).namespace).toBe('default');
});

test('paths are relative to the file that holds them', async () => {
  files.write('nested/ca.pem', authority.cert);
  files.write('nested/tls/client.pem', client.cert);
  files.write('nested/tls/client.key', client.key);
  files.write('nested/token', 'from-file\n');
  const kubeconfig = files.write(
    'nested/config',
    config({
      cluster: { 'certificate-authority': 'ca.pem' },
      user: {
        token: undefined,
        tokenFile: 'token',
        'client-certificate': 'tls/client.pem',
        'client-key': './tls/client.key',
      },
    }),
  );
  const connection = loadKubeConnection({ kubeconfig, env: {} });
  expect(connection.ca?.read()).toBe(authority.cert.trim());
  expect(await connection.credential.current()).toEqual({
    authorization: 'Bearer from-file',
    cert: client.cert.trim(),
    key: client.key.trim(),
  });
});

test('inline certificates are decoded, and a user name with password makes a Basic header', async () => {
  const connection = load({
    cluster: { 'certificate-authority-data': base64(authority.cert) },
    user: {
      token: undefined,
      username: 'jo',
      password: 'pässword',
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(client.key),
    },
  });
  expect(connection.ca?.read()).toBe(authority.cert);
  expect(await connection.credential.current()).toEqual({
    authorization: `Basic ${base64('jo:pässword')}`,
    cert: client.cert,
    key: client.key,
  });
});

test('tokenFile goes before token, which serves while the file is missing', async () => {
  const parts = { user: { token: 'fallback', tokenFile: `${files.path}/late-token` } };
  const { credential } = load(parts);
  expect(await credential.current()).toEqual({ authorization: 'Bearer fallback' });
  files.write('late-token', 'late');
  expect(await credential.current()).toEqual({ authorization: 'Bearer late' });
});

test('a token file is read again after a refusal, and the last good token stays while it is empty', async () => {
  const tokenFile = files.write('token', 'one');
  const { credential } = load({ user: { token: undefined, tokenFile } });
  const proof = await credential.current();
  files.write('token', 'two');
  expect(await credential.current()).toEqual(proof);
  credential.refused(proof);
  expect(await credential.current()).toEqual({ authorization: 'Bearer two' });
  files.write('token', '');
  credential.refused(await credential.current());
  expect(await credential.current()).toEqual({ authorization: 'Bearer two' });
});

test('cluster and user settings reach the connection', () => {
  expect(
    load({
      cluster: {
        server: 'https://kube.example/k8s/clusters/c-1/',
        'insecure-skip-tls-verify': true,
        'tls-server-name': 'inner.example',
        'proxy-url': 'socks5://proxy.example:1080',
      },
      user: { as: 'jane', 'as-uid': '7', 'as-groups': ['dev', 'ops'], 'as-user-extra': { scopes: ['view', 'edit'] } },
    }),
  ).toMatchObject({
    server: 'https://kube.example/k8s/clusters/c-1',
    insecureSkipTlsVerify: true,
    tlsServerName: 'inner.example',
    proxy: 'socks5://proxy.example:1080',
    impersonate: { user: 'jane', uid: '7', groups: ['dev', 'ops'], extra: { scopes: ['view', 'edit'] } },
  });
});

test('a server without a scheme is https with any TLS setting and http without', () => {
  expect(load({ cluster: { server: 'kube.example:6443', 'insecure-skip-tls-verify': true } }).server).toBe(
    'https://kube.example:6443',
  );
  expect(load({ cluster: { server: 'localhost:8080' } }).server).toBe('http://localhost:8080');
});

test('a context without a user is anonymous', async () => {
  expect(await load({ context: { user: '' } }).credential.current()).toEqual({});
});

test('a legacy auth-provider is named, with the way out', () => {
  const { message } = problem(() => load({ user: { token: undefined, 'auth-provider': { name: 'azure' } } }));
  expect(message).toMatch(/user "u": auth-provider "azure" is a legacy mechanism .* exec plugin/);
});

test.each<[string, Parts, RegExp]>([
  ['no server', { cluster: { server: '' } }, /cluster "k": server is missing/],
  ['a server that is no URL', { cluster: { server: 'ftp://x' } }, /cluster "k": server must be an http or https URL/],
  ['a server with a password', { cluster: { server: 'https://a:hidden@x' } }, /server must be .* without user/],
  ['a server of the wrong type', { cluster: { server: 7 } }, /cluster "k": server must be a string/],
  ['a cluster that is a list', { root: { clusters: [{ name: 'k', cluster: [] }] } }, /cluster "k" must be a mapping/],
  ['clusters that are no list', { root: { clusters: {} } }, /clusters must be a list/],
  ['an entry without a name', { root: { users: [{ user: {} }] } }, /users\[0\]: name is missing/],
  ['an unknown cluster', { context: { cluster: 'z' } }, /context "c": cluster names "z", .* known are: k$/],
  ['an unknown user', { context: { user: 'z' } }, /context "c": user names "z"/],
  ['no cluster', { context: { cluster: '' } }, /context "c": cluster is missing/],
  ['no current context', { root: { 'current-context': '' } }, /current-context is missing; contexts are: c/],
  ['an unknown context', { root: { 'current-context': 'z' } }, /there is no context "z"; contexts are: c/],
  ['CA data that is no PEM', { cluster: { 'certificate-authority-data': 'hidden' } }, /authority-data must be base64/],
  [
    'a CA beside insecure',
    { cluster: { 'certificate-authority-data': base64('-----BEGIN '), 'insecure-skip-tls-verify': true } },
    /insecure-skip-tls-verify must not be given beside/,
  ],
  [
    'a CA both ways',
    { cluster: { 'certificate-authority-data': 'x', 'certificate-authority': 'y' } },
    /certificate-authority must not be given beside certificate-authority-data/,
  ],
  ['a missing CA file', { cluster: { 'certificate-authority': '/nowhere' } }, /\/nowhere \(ENOENT\)/],
  ['insecure as text', { cluster: { 'insecure-skip-tls-verify': 'yes' } }, /must be true or false/],
  ['a proxy that is no URL', { cluster: { 'proxy-url': 'hidden:pass@proxy' } }, /cluster "k": proxy-url must be/],
  [
    'a certificate without key',
    { user: { 'client-certificate-data': base64('-----BEGIN ') } },
    /client-key is missing/,
  ],
  [
    'a key without certificate',
    { user: { 'client-key-data': base64('-----BEGIN ') } },
    /client-certificate is missing/,
  ],
  ['token and password', { user: { password: 'hidden' } }, /username must not be given beside a token/],
  ['groups without a user', { user: { 'as-groups': ['a'] } }, /user "u": as is missing/],
  ['groups that are no list', { user: { as: 'a', 'as-groups': 'b' } }, /as-groups must be a list of strings/],
])('%s is an error that names file, entry and member', (_, parts, message) => {
  const error = problem(() => load(parts));
  expect(error.message).toMatch(message);
  expect(error.message).toContain(files.path);
});

test('text that is not YAML is reported by line, without quoting it', () => {
  const kubeconfig = write('users:\n  - name: u\n    user: {token: "hidden\n');
  expect(problem(() => loadKubeConnection({ kubeconfig })).message).toMatch(/line \d is not YAML/);
  expect(problem(() => loadKubeConnection({ kubeconfig: write('just text') })).message).toMatch(/must be a mapping/);
});

test('an explicit file must exist, and the places searched are named', () => {
  expect(problem(() => loadKubeConnection({ kubeconfig: '/nowhere/config' })).message).toMatch(/ENOENT/);
  expect(problem(() => loadKubeConnection({ env: { KUBECONFIG: '/nowhere/a:/nowhere/b' } })).message).toMatch(
    /No kubeconfig at \/nowhere\/a, \/nowhere\/b/,
  );
});
