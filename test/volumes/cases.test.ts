import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkFileName, checkRelativePath } from '../../runtime/api/volumes/file-names.ts';
import { cloudByName, scopeOf } from '../../runtime/azure/clouds.ts';
import { closeDispatcher } from '../../runtime/azure/http-call.ts';
import type { Imds } from '../../runtime/azure/identity/imds.ts';
import type { VaultSecret } from '../../runtime/azure/key-vault/vault-items.ts';
import { vaultUrl } from '../../runtime/azure/key-vault/vault-names.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { plainAnswer, writtenAnswer } from '../../runtime/volumes/driver/driver-answer.ts';
import { requestOf } from '../../runtime/volumes/driver/mount-request.ts';
import { filePermission } from '../../runtime/volumes/mount/file-mode.ts';
import { readFlexOptions } from '../../runtime/volumes/options/flex-options.ts';
import type { VolumeObject } from '../../runtime/volumes/options/volume-spec.ts';
import { secretContent } from '../../runtime/volumes/vault/formats.ts';
import { nodeDaemonAt } from '../../runtime/volumes/vault/node-daemon-client.ts';
import { authorizerOf } from '../../runtime/volumes/vault/token-source.ts';
import { startUnixProxy } from '../fakes/unix-proxy.ts';
import { startWebServer } from '../fakes/web-server.ts';

/** The suites of the public drivers' behaviour that concern this program; `quirk` members are defects, not kept. */
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Case = Record<string, any>;
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
const cases: any = JSON.parse(readFileSync(new URL('key-vault.json', import.meta.url), 'utf8'));

const rows = (list: unknown) => list as Case[];

const complete = {
  tenantid: 't',
  keyvaultname: 'kv1',
  keyvaultobjectnames: 'a',
  keyvaultobjecttypes: 'secret',
  'kubernetes.io/secret/clientid': 'Yw==',
  'kubernetes.io/secret/clientsecret': 'cw==',
};

test('the path that kubelet made says whose volume it is, whatever the options say', () => {
  const directory = '/var/lib/kubelet/pods/u1/volumes/azure~kv/vol';
  const of = (uid: string) =>
    requestOf({ directory, document: JSON.stringify({ ...complete, 'kubernetes.io/pod.uid': uid }) });
  for (const uid of ['u1', '']) expect(of(uid).pod.uid).toBe(uid);
  expect(() => of('u2')).toThrow(/belongs to the pod with uid u1, but the options say u2/);
});

test('blanks and line feeds around the options, and around each value of a list, do not count', () => {
  const pasted = {
    tenantid: ' t\n',
    keyvaultname: 'kv1\r\n',
    keyvaultobjectnames: 'a; b',
    keyvaultobjecttypes: 'secret ;key\n',
    keyvaultobjectaliases: ' x ;',
    keyvaultobjectformats: ' raw; pem',
    filepermission: '0400\n',
    usevmmanagedidentity: 'true\n',
    vmmanagedidentityclientid: '\tc ',
    region: ' ',
  };
  expect(readFlexOptions(JSON.stringify(pasted))).toMatchObject({
    tenantId: 't',
    vault: 'kv1',
    region: undefined,
    filePermission: 0o400,
    identity: { mode: 'vm', clientId: 'c' },
    objects: [
      { name: 'a', type: 'secret', file: 'x', format: 'raw' },
      { name: 'b', type: 'key', file: 'b', format: 'pem' },
    ],
  });
});

test('a group is an id that chown takes: the last of 32 bits would leave the files as they are', () => {
  const of = (fsgroup: string) => readFlexOptions(JSON.stringify({ ...complete, fsgroup })).fsGroup;
  expect(of('4294967294')).toBe(4_294_967_294);
  for (const wrong of ['4294967295', '4294967296', '-1', '1e3', 'root']) expect(() => of(wrong)).toThrow(/fsgroup/);
});

describe('clouds', () => {
  test.each(rows(cases.clouds.envs))('$name', ({ name, aad, arm, kvResource, kvSuffix }) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
      const cloud = cloudByName(spelling);
      expect(`${cloud.authorityHost}/`).toBe(aad);
      expect(`${cloud.resourceManagerEndpoint}/`).toBe(arm);
      expect(cloud.keyVaultAudience).toBe(kvResource);
      expect(cloud.keyVaultDnsSuffix).toBe(kvSuffix);
      expect(readFlexOptions(JSON.stringify({ ...complete, cloudname: spelling })).cloudName).toBe(spelling);
    }
  });
  test('no name means the public cloud, a wrong one is refused', () => {
    expect(cloudByName('').name).toBe(cases.clouds.empty.split(' ')[0]);
    for (const name of cases.clouds.invalid) {
      expect(() => readFlexOptions(JSON.stringify({ ...complete, cloudname: name }))).toThrow(name);
    }
  });
});

test.each(rows(cases.vaultName.cases))('vaultName: $name is valid: $ok', ({ name, ok }) => {
  const read = () => readFlexOptions(JSON.stringify({ ...complete, keyvaultname: name }));
  if (ok) {
    expect(read().vault).toBe(name);
    expect(vaultUrl(name, cloudByName('')).href).toBe(`https://${name}.vault.azure.net/`);
  } else {
    expect(read).toThrow(/keyvaultname/);
  }
});

test.each(rows(cases.fileName.cases))('fileName: "$name"', ({ name, err }) => {
  if (err === null) expect(() => checkFileName(name)).not.toThrow();
  else expect(() => checkFileName(name)).toThrow(/cannot be a file name/);
});

test.each(rows(cases.pathRules.cases))('pathRules: %j', ({ path, repeat, ok }) => {
  const text: string = path ?? repeat[0].repeat(repeat[1]);
  if (ok) expect(() => checkRelativePath(text)).not.toThrow();
  else expect(() => checkRelativePath(text)).toThrow(/cannot be a file name/);
});

test.each(rows(cases.filePermission.cases))('filePermission: "$in"', ({ in: text, mode, err }) => {
  if (err) expect(() => filePermission(text)).toThrow(/octal/);
  else expect(filePermission(text) ?? Number.parseInt(cases.filePermission.default, 8)).toBe(mode);
});

const asked = (change: Partial<VolumeObject>): VolumeObject => ({
  name: 'a',
  type: 'secret',
  version: '',
  file: 'a',
  format: 'raw',
  encoding: 'utf-8',
  ...change,
});
const secret = (value: string): VaultSecret => ({
  id: 'https://kv.vault.azure.net/secrets/a/v',
  name: 'a',
  version: 'v',
  enabled: true,
  created: 1,
  updated: 1,
  notBefore: undefined,
  expires: undefined,
  recoveryLevel: undefined,
  contentType: undefined,
  managed: false,
  tags: {},
  value,
  keyId: undefined,
});

test.each(rows(cases.contentBytes.cases.filter(({ type, err }: Case) => type === 'secret' && !err)))(
  'contentBytes: $content in "$encoding"',
  async ({ content, encoding, utf8 }) => {
    const bytes = await secretContent(asked({ encoding: encoding.toLowerCase() || 'utf-8' }), secret(content));
    expect(bytes.toString('utf8')).toBe(utf8);
  },
);

test.each(['base64', 'hex'] as const)('text that is not %s is refused and not shown', async (encoding) => {
  const value = 'not/encoded?at all!';
  const refused = secretContent(asked({ encoding }), secret(value));
  await expect(refused).rejects.toThrow(/"a" cannot be written/);
  await expect(refused).rejects.not.toThrow(value);
});

describe('flexvol', () => {
  test.each(rows(cases.flexvol.cases.filter(({ msg }: Case) => msg)))('$msg', ({ opts, msg }) => {
    expect(() => readFlexOptions(JSON.stringify(opts))).toThrow(msg);
  });
  test.each(rows(cases.flexvol.cases.filter(({ fail }: Case) => fail)))('$fail', ({ opts }) => {
    expect(() => readFlexOptions(JSON.stringify({ ...complete, ...opts }))).toThrow(/^validation failed, /);
  });
  test.each(Object.entries(cases.flexvol.legacyKeys))('%s is read where %s is empty', (former, now) => {
    const value = { keyvaultobjectname: 'a', keyvaultobjecttype: 'secret', keyvaultobjectversion: 'f00d' }[former];
    const { [now as keyof typeof complete]: _, ...rest } = complete;
    expect(readFlexOptions(JSON.stringify({ ...rest, [former]: value }))).toEqual(
      readFlexOptions(JSON.stringify({ ...complete, [now as string]: value })),
    );
    const both = readFlexOptions(JSON.stringify({ ...complete, [now as string]: value, [former]: 'x;y' }));
    expect(both.objects).toHaveLength(1);
  });
  test('"a;" is two names, the second of them empty', () => {
    const options = { ...complete, keyvaultobjectnames: 'a;', keyvaultobjecttypes: 'secret;secret' };
    expect(() => readFlexOptions(JSON.stringify(options))).toThrow(/keyvaultobjectnames has ""/);
  });
  test.each(['keyvaultobjectversions', 'keyvaultobjectaliases', 'keyvaultobjectformats'])(
    'upstream ignores a wrong count in %s, here it is an error',
    (name) => {
      const options = { ...complete, [name]: 'x;y' };
      expect(() => readFlexOptions(JSON.stringify(options))).toThrow(`${name} has 2 values for 1 name`);
    },
  );
});

test.each(rows(cases.flexProtocol.cases.filter(({ argv }: Case) => argv)))(
  'flexProtocol: $argv',
  ({ argv, stdout }) => {
    const answer = plainAnswer(argv[0]);
    expect(answer).toMatchObject(stdout);
  },
);

test('flexProtocol: control characters in a message are escaped', () => {
  const message = 'a\rb\n"c"\\ \u0000 \u2028';
  const text = writtenAnswer({ status: 'Failure', message });
  expect(JSON.parse(text)).toEqual({ status: 'Failure', message });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.trimEnd()).not.toMatch(/[\x00-\x1f\u2028]/);
});

test.each(rows(cases.spCredentials.cases))('spCredentials: $secrets', ({ secrets, err, clientId, clientSecret }) => {
  const { tenantid, keyvaultname, keyvaultobjectnames, keyvaultobjecttypes } = complete;
  for (const change of [(key: string) => key, (key: string) => key.toUpperCase()]) {
    const keys = Object.entries(secrets ?? {}).map(([key, value]) => [
      `kubernetes.io/secret/${change(key)}`,
      Buffer.from(String(value)).toString('base64'),
    ]);
    const options = { tenantid, keyvaultname, keyvaultobjectnames, keyvaultobjecttypes, ...Object.fromEntries(keys) };
    const read = () => readFlexOptions(JSON.stringify(options)).identity;
    if (err) expect(read).toThrow(/secret\/client(id|secret) is empty/);
    else expect(read()).toEqual({ mode: 'service-principal', clientId, clientSecret });
  }
});

test.each(rows(cases.scope.slice(0, 2)))('scope: $resource', ({ resource, scope }) => {
  expect(scopeOf(resource)).toBe(scope);
});

describe('nmi', () => {
  const cloud = cloudByName('');
  const granted = { ...cases.nmi.ok, binding: { namespace: 'ns', name: 'b' } };
  /** What a volume with a pod's identity gets from a node daemon that answers so, and how often it asked. */
  async function ask(answer: (call: number) => { readonly status: number; readonly body: unknown }) {
    let calls = 0;
    const daemon = await startWebServer((_, response) => {
      const { status, body } = answer(calls++);
      // Upstream's texts say that they are JSON.
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const direct = createDispatcher({ proxy: 'none' });
    const pauses: number[] = [];
    const clock: Clock = { ...systemClock, sleep: async (ms) => void pauses.push(ms) };
    const options = { ...complete, usepodidentity: 'true' };
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-nmi-'));
    const nodeDaemon = nodeDaemonAt(await startUnixProxy(join(directory, 'nmi.sock'), daemon.port));
    const pod = { 'kubernetes.io/pod.namespace': 'ns', 'kubernetes.io/pod.name': 'p' };
    const request = readFlexOptions(JSON.stringify({ ...options, ...pod }));
    const context = { cloud, dispatcher: direct, clock, nodeDaemon, imds: {} as Imds };
    try {
      const token = await authorizerOf(request, context).getToken({ audience: cloud.keyVaultAudience });
      return { token, received: daemon.received, pauses };
    } catch (error) {
      return { error: error as Error, received: daemon.received, pauses };
    } finally {
      await closeDispatcher(direct);
      rmSync(directory, { recursive: true });
      await daemon.close();
    }
  }

  test('the request is the one of AAD Pod Identity, and its answer is read', async () => {
    const { token, received } = await ask(() => ({ status: 200, body: granted }));
    expect(token).toEqual({ token: 't', expiresOn: Number(cases.nmi.ok.token.expires_on) * 1000 });
    const [asked] = received;
    const wanted = new URL(cases.nmi.request.url.replace(/<nmiport[^>]*>/, '1').replace(/<kv resource[^>]*>/, 'r'));
    const url = new URL(asked?.url ?? '', 'http://localhost');
    expect([asked?.method, url.pathname]).toEqual([cases.nmi.request.method, wanted.pathname]);
    expect([...url.searchParams]).toEqual([['resource', cases.nmi.ok.token.resource]]);
    expect(Object.keys(asked?.headers ?? {})).toEqual(expect.arrayContaining(cases.nmi.request.headers));
    expect(asked?.headers).toMatchObject({ podname: 'p', podns: 'ns' });
  });

  test.each(Object.entries<number>(cases.nmi.status))(
    '%s, which is %i, is reported with its reason',
    async (_, status) => {
      const { error, received } = await ask(() => ({ status, body: 'the reason\n' }));
      expect(error?.message).toMatch(new RegExp(`${status} the reason`));
      // What waiting does not repair is not asked again; the rest as often as upstream does.
      const final = [400, 403].includes(status);
      expect(received).toHaveLength(final ? 1 : cases.nmi.flexvolRetry.attempts);
    },
  );

  test('an identity that is still on its way is waited for, no longer than upstream does', async () => {
    const { token, pauses } = await ask((call) =>
      call < 4 ? { status: 404, body: 'no identity' } : { status: 200, body: granted },
    );
    expect(token?.token).toBe('t');
    const { attempts, delaySeconds } = cases.nmi.flexvolRetry;
    const waited = pauses.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(20_000);
    expect(waited).toBeLessThanOrEqual((attempts - 1) * delaySeconds * 1000);
  });
});
