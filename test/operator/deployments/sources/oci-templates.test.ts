import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { computeDeployment } from '../../../../runtime/api/deployments/compute-deployment.ts';
import { OciTemplates } from '../../../../runtime/operator/deployments/sources/oci-templates.ts';
import type { RegistryRule } from '../../../../runtime/operator/deployments/sources/registry-rules.ts';
import { AllowedTargets, type TargetRule } from '../../../../runtime/operator/deployments/targets/allowed-targets.ts';
import { startWebServer, type WebServer } from '../../../fakes/web-server.ts';
import { bothSchemes, digestOf, LocalTargets } from './local-registry.ts';

const signal = new AbortController().signal;

/** Answers of a registry by path. */
const content = new Map<string, { readonly text: string; readonly location?: string; readonly status?: number }>();
let server: WebServer;
beforeAll(async () => {
  server = await startWebServer(({ url }, response) => {
    const found = content.get(url);
    const status = found?.status ?? (found?.location ? 307 : found ? 200 : 404);
    response.writeHead(status, found?.location ? { location: found.location } : {});
    response.end(found?.text);
  });
});
afterAll(() => server.close());
beforeEach(() => content.clear());

const port = () => String(server.port);
const registry = () => `registry.example.org:${port()}`;
const rulesOf = (host: string): TargetRule[] => bothSchemes({ scheme: 'https:', host, port: port() });
const templates = (isOpen = true, others: readonly TargetRule[] = []) => {
  const rules = rulesOf('registry.example.org').map((rule): RegistryRule => ({ ...rule, others }));
  const addressesOf = async () => ['127.0.0.1'];
  const deps = { rules: isOpen ? rules : [], apiServers: [], setting: '--template-registries', addressesOf };
  return new OciTemplates(new LocalTargets(deps), rules);
};

/** Puts an artefact of these files into the registry, and returns its reference. */
function push(files: Readonly<Record<string, string>>, change: object = {}): string {
  const layers = Object.entries(files).map(([title, text]) => {
    content.set(`/v2/team/templates/blobs/${digestOf(text)}`, { text });
    const annotations = title === '' ? {} : { annotations: { 'org.opencontainers.image.title': title } };
    return { mediaType: 'application/json', digest: digestOf(text), size: text.length, ...annotations, ...change };
  });
  const manifest = JSON.stringify({ schemaVersion: 2, layers });
  content.set(`/v2/team/templates/manifests/${digestOf(manifest)}`, { text: manifest });
  return `${registry()}/team/templates@${digestOf(manifest)}`;
}

test('the files of an artefact are read by digest, under the paths of their titles', async () => {
  const files = { 'nested/network.json': '{"a":1}', 'web.json': '{"b":2}' };
  expect(await templates().read(push(files), signal)).toEqual(files);
  expect(await templates().read(push({ '': '{}' }), signal)).toEqual({ templates: '{}' });
});

test('a registry that the operator does not name is not asked', async () => {
  const read = templates(false).read(push({ a: '{}' }), signal);
  await expect(read).rejects.toThrow(/not among the targets that the operator allows \(--template-registries\)/);
});

test('bytes of another digest are refused, in the manifest and in a file', async () => {
  const reference = push({ a: '{"a":1}' });
  content.set(`/v2/team/templates/blobs/${digestOf('{"a":1}')}`, { text: '{"a":2}' });
  await expect(templates().read(reference, signal)).rejects.toThrow(/is answered with the digest sha256:/);
  content.set(`/v2/team/templates/manifests/${reference.split('@')[1]}`, { text: '{"layers":[]}' });
  await expect(templates().read(reference, signal)).rejects.toThrow(/manifests.* is answered with the digest/);
});

test('sizes are bounded by 4 MB, and by what the manifest says', async () => {
  const large = templates().read(push({ a: 'x' }, { size: 4 * 1024 * 1024 + 1 }), signal);
  await expect(large).rejects.toThrow(/more than 100 files or 4194304 bytes/);
  await expect(templates().read(push({ a: 'xx' }, { size: 1 }), signal)).rejects.toThrow(/longer than/);
  await expect(templates().read(push({ a: 'x' }, { digest: 'md5:1' }), signal)).rejects.toThrow(/no SHA-256 digest/);
});

test('a redirect goes to the same host, unless the setting names another', async () => {
  const reference = push({ a: '{}' });
  const blob = `/v2/team/templates/blobs/${digestOf('{}')}`;
  content.set('/moved', { text: '{}' });
  content.set(blob, { text: '', location: '/moved' });
  expect(await templates().read(reference, signal)).toEqual({ a: '{}' });
  content.set(blob, { text: '', location: 'http://other.example.org/moved' });
  await expect(templates().read(reference, signal)).rejects.toThrow(
    /redirects to another host, http:\/\/other.example.org: --template-registries does not/,
  );
  content.set(blob, { text: '', location: blob });
  await expect(templates().read(reference, signal)).rejects.toThrow(/redirects more than \d+ times/);
});

test('a registry that asks for a credential, and an artefact that it lacks, are distinguished', async () => {
  const reference = push({ a: '{}' });
  const blob = `/v2/team/templates/blobs/${digestOf('{}')}`;
  content.set(blob, { text: '', status: 401 });
  await expect(templates().read(reference, signal)).rejects.toThrow(
    /with 401: it must be readable without a credential/,
  );
  content.delete(blob);
  await expect(templates().read(reference, signal)).rejects.toThrow(/is answered with 404$/);
});

test('a tag, and a place that is loopback or link-local, are refused', async () => {
  await expect(templates().read('registry.example.org/team/templates:v1', signal)).rejects.toThrow(/@sha256:digest/);
  const rules: TargetRule[] = [{ scheme: 'https:', host: 'registry.example.org', port: '' }];
  const inner = new AllowedTargets({
    rules,
    apiServers: [],
    addressesOf: async () => ['169.254.169.254', '127.0.0.1'],
  });
  const reference = `registry.example.org/team/templates@${digestOf('')}`;
  await expect(new OciTemplates(inner, []).read(reference, signal)).rejects.toThrow(/loopback or link-local/);
});

test.each(['../../x', 'team/../x', './x', 'team/.', 'team//x', '/x', 'team/'])(
  'the repository %s, which is a path to somewhere else, is refused, by the definition too',
  async (repository) => {
    const asOf = (name: string) => `registry.example.org/${name}@${digestOf('')}`;
    await expect(templates().read(asOf(repository), signal)).rejects.toThrow(/is not registry\/repository@sha256/);
    const [, pattern = ''] = /"pattern":("[^"]+@sha256:[^"]+")/.exec(JSON.stringify(computeDeployment.schema)) ?? [];
    const isAccepted = (name: string) => new RegExp(JSON.parse(pattern)).test(asOf(name));
    expect([isAccepted(repository), isAccepted('team/a..b/c-d_e')]).toEqual([false, true]);
  },
);
