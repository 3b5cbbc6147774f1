/**
 * The servers of the bench `secrets`, each in a process of its own: `endpoint` with one secret and Azure in memory, or
 * `bare`, a node:https server that answers as many bytes. Prints nothing; sends port and token to its parent.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { managedSecretsFeature } from '../../../runtime/api/machines/features.ts';
import { clouds } from '../../../runtime/azure/clouds.ts';
import type { ArmClient, Authorizer } from '../../../runtime/azure/types.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import type { Dispatcher, HttpRequest, HttpResponse } from '../../../runtime/base/http/client.ts';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { standardOutput } from '../../../runtime/base/observability/log.ts';
import { tagsOf } from '../../../runtime/compute/managed-secrets/vault-tags.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { secretsConfig } from '../../../runtime/secrets/config.ts';
import { createSecretEndpoint } from '../../../runtime/secrets/endpoint.ts';
import { approvalWatch, registrationWatch } from '../../../runtime/secrets/secrets/feature-gates.ts';
import { managedSecretType } from '../../../runtime/secrets/secrets/managed-secrets.ts';
import { serverCertificate } from '../../fakes/certificates.ts';
import { runtimeOf } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const [what = '', directory = '', bytes = '0'] = process.argv.slice(2);
const { cert, key } = serverCertificate();
const tenantId = '11111111-1111-1111-1111-111111111111';
const objectId = '22222222-2222-2222-2222-222222222222';

if (what === 'bare') {
  const body = 'x'.repeat(Number(bytes));
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const server = createServer({ cert, key, minVersion: 'TLSv1.2', keepAliveTimeout: 75_000 }, (_, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
} else {
  await endpoint();
}

async function endpoint(): Promise<void> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ oid: objectId, sub: objectId, tid: tenantId, idtyp: 'app', appid: objectId })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(`https://sts.windows.net/${tenantId}/`)
    .setAudience('api://bench')
    .setIssuedAt(now)
    .setExpirationTime(now + 86_400)
    .sign(pair.privateKey);
  const kube = new LocalKube();
  const vaultId = `/subscriptions/${tenantId}/resourceGroups/g/providers/Microsoft.KeyVault/vaults/bench`;
  const object = await kube.create(managedSecretType, {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ManagedSecret',
    metadata: { namespace: 'shop', name: 'key' },
    spec: { kind: 'SymmetricKey', home: { vault: { armId: vaultId } }, consumers: [{ objectId }] },
  });
  const apiVersion = 'azimuth.dev/v1alpha1';
  const [registration, approval] = [registrationWatch.type, approvalWatch.type];
  const spec = { subscription: tenantId, feature: managedSecretsFeature };
  await kube.create(registration, { apiVersion, kind: registration.kind, metadata: { name: 'bench' }, spec });
  const consent = { metadata: { name: 'bench' }, spec: { for: { name: 'bench' } } };
  await kube.create(approval, { apiVersion, kind: approval.kind, ...consent });
  const owner = { namespace: 'shop', name: 'key', uid: (object as KubeObject).metadata.uid ?? '' };
  const version = {
    id: `https://bench.vault.azure.net/secrets/s/${'a'.repeat(32)}`,
    attributes: { enabled: true, created: now },
    tags: tagsOf(owner, { number: 1, hash: '0123456789abcdef', created: now * 1000 }),
  };
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' };
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [/openid-configuration$/, { jwks_uri: `${clouds.AzurePublicCloud.authorityHost}/keys` }],
    [/^\/keys$/, { keys: [jwk] }],
    [/\/versions\?/, { value: [version] }],
    [/^\/secrets\//, { ...version, value: 'v'.repeat(64), contentType: 'text/plain' }],
  ];
  const request = async ({ path }: HttpRequest) => {
    const text = JSON.stringify(answers.find(([pattern]) => pattern.test(path))?.[1]);
    return { statusCode: 200, headers: {}, body: { text: async () => text } } as unknown as HttpResponse;
  };
  const dispatcher: Dispatcher = { request, close: async () => undefined, destroy: async () => undefined };
  const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const limits = ['--caller-requests=100000', '--namespace-requests=100000'];
  const given = [`--tenant=${tenantId}`, '--audience=api://bench', '--port=0', '--address=127.0.0.1'];
  const tls = [`--tls-cert-file=${certFile}`, `--tls-key-file=${keyFile}`];
  const config = secretsConfig([...given, ...tls, ...limits], {});
  if ('help' in config) throw new Error('help');
  const runtime = runtimeOf(kube);
  const lines = standardOutput();
  const { listening, held, run } = createSecretEndpoint({
    config,
    manager: new Manager(runtime, { name: 'secrets' }),
    health: new HealthServer(runtime.metrics),
    azure: { cloud: clouds.AzurePublicCloud, dispatcher, clock: systemClock },
    arm: {} as ArmClient,
    authorizer: {
      description: 'bench',
      getToken: async () => ({ token: 't', expiresOn: Date.now() + 3_600_000 }),
    } satisfies Authorizer,
    auditLines: { write: (text) => void lines.write(text) },
  });
  void run(new AbortController().signal);
  const port = await listening;
  while (held.ages().length === 0) await systemClock.sleep(20);
  process.send?.({ port, token });
}
