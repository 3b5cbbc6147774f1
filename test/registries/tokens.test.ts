/** Linked templates from the reference registry, which asks for a token of another host. */
import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportJWK, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { OciTemplates } from '../../runtime/operator/deployments/sources/oci-templates.ts';
import { type RegistryRule, tryParseRegistryRule } from '../../runtime/operator/deployments/sources/registry-rules.ts';
import { scratch } from '../fakes/scratch.ts';
import { bothSchemes, LocalTargets } from '../operator/deployments/sources/local-registry.ts';
import { run } from '../release/support.ts';
import { type Server, startImageRegistry } from './servers.ts';

const files = scratch();
const key = join(files.path, 'key.pem');
const text = '{"$schema":"x"}';
const digestOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const scopes: (string | null)[] = [];
let tokens: HttpServer;
let registry: Server;

beforeAll(async () => {
  run('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key], files.path);
  const jwk = await exportJWK(createPublicKey(readFileSync(key, 'utf8')));
  const jwks = join(files.path, 'jwks.json');
  writeFileSync(jwks, JSON.stringify({ keys: [{ ...jwk, kid: 'tests', use: 'sig', alg: 'ES256' }] }));
  tokens = createServer(async ({ url = '' }, response) => {
    const scope = new URL(url, 'http://tokens').searchParams.get('scope');
    scopes.push(scope);
    response.end(JSON.stringify({ token: await tokenOf('pull', scope?.split(':')[1] ?? '') }));
  });
  await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
  const realm = `https://auth.example.org:${(tokens.address() as AddressInfo).port}/token`;
  const auth = { token: { realm, service: 'tests', issuer: 'tests', jwks, signingalgorithms: ['ES256'] } };
  registry = await startImageRegistry(files.path, { auth });
}, 60_000);
afterAll(async () => {
  await registry?.stop();
  tokens?.close();
  files.remove();
});

/** A token of the issuer for one repository. */
async function tokenOf(actions: string, name: string): Promise<string> {
  const payload: JWTPayload = { access: [{ type: 'repository', name, actions: actions.split(',') }] };
  const signing = new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'tests', typ: 'JWT' });
  const ends = signing
    .setIssuer('tests')
    .setAudience('tests')
    .setIssuedAt()
    .setNotBefore('-1m')
    .setExpirationTime('5m');
  return await ends.sign(await importPKCS8(readFileSync(key, 'utf8'), 'ES256'));
}

/** Puts a template into the repository, and returns the digest of its manifest. */
async function push(repository: string): Promise<string> {
  const headers = { authorization: `Bearer ${await tokenOf('pull,push', repository)}` };
  const from = `http://${registry.address}/v2/${repository}`;
  const layers = [text, '{}'].map((body) => ({
    mediaType: 'application/json',
    digest: digestOf(body),
    size: body.length,
    annotations: { 'org.opencontainers.image.title': 'web.json' },
  }));
  for (const body of [text, '{}']) {
    const upload = await fetch(`${from}/blobs/uploads/`, { method: 'POST', headers });
    const place = `${upload.headers.get('location')}&digest=${digestOf(body)}`;
    expect((await fetch(place, { method: 'PUT', headers, body })).status).toBe(201);
  }
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const body = JSON.stringify({ schemaVersion: 2, mediaType, config: layers[1], layers: layers.slice(0, 1) });
  const pushed = { method: 'PUT', headers: { ...headers, 'content-type': mediaType }, body };
  expect((await fetch(`${from}/manifests/${digestOf(body)}`, pushed)).status).toBe(201);
  return digestOf(body);
}

test('the registry gives a template for the anonymous token of its realm', async () => {
  const digest = await push('team/templates');
  const place = `registry.example.org:${registry.address.split(':')[1]}`;
  const rule = tryParseRegistryRule(
    `${place}=auth.example.org:${(tokens.address() as AddressInfo).port}`,
  ) as RegistryRule;
  const rules = bothSchemes({ ...rule, others: rule.others.flatMap(bothSchemes) });
  const targets = new LocalTargets({ rules, apiServers: [], addressesOf: async () => ['127.0.0.1'] });
  const read = new OciTemplates(targets, rules).read(`${place}/team/templates@${digest}`, AbortSignal.timeout(20_000));
  expect(await read).toEqual({ 'web.json': text });
  expect(scopes).toEqual(['repository:team/templates:pull']);
});
