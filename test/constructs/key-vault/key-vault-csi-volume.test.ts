import { expect, test } from '@jest/globals';
import { type Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  type CsiObject,
  type CsiSelection,
  type KeyVaultCsiVolumeProps,
  KeyVaultVolume,
} from '../../../constructs/key-vault/key-vault-volume.ts';
import { readMountCall, readTexts } from '../../../runtime/volumes/csi/provider-request.ts';
import type { Manifest } from '../manifests.ts';

const props: KeyVaultCsiVolumeProps = {
  vault: 'contoso',
  tenantId: 'contoso.example',
  reader: { kind: 'pod' },
  objects: [{ type: 'secret', name: 'password' }],
};

function manifestsOf(change: Partial<KeyVaultCsiVolumeProps>) {
  const chart = Testing.chart();
  const workload = new Deployment(chart, 'Web', { containers: [{ image: 'web' }] });
  const volume = KeyVaultVolume.csi(chart, 'Vault', { ...props, ...change });
  for (const container of workload.containers) container.mount('/vault', volume, { readOnly: true });
  const manifests = Testing.synth(chart) as Manifest[];
  const of = (wanted: string) => manifests.find(({ kind }) => kind === wanted);
  return { pod: of('Deployment').spec.template.spec, secretClass: of('SecretProviderClass') };
}

/** As the driver hands it to the provider. */
function read(change: Partial<KeyVaultCsiVolumeProps>, more: Record<string, string> = {}, secrets = {}) {
  const { parameters } = manifestsOf(change).secretClass.spec;
  const pod = { 'csi.storage.k8s.io/pod.name': 'p', 'csi.storage.k8s.io/pod.namespace': 'ns' };
  const attributes = JSON.stringify({ ...parameters, ...pod, ...more });
  return readMountCall(readTexts({ attributes, secrets: JSON.stringify(secrets) }), '420');
}

test('a class and a volume that names it', () => {
  const { pod, secretClass } = manifestsOf({});
  expect(pod.volumes).toEqual([
    {
      name: 'vault',
      csi: {
        driver: 'secrets-store.csi.k8s.io',
        readOnly: true,
        volumeAttributes: { secretProviderClass: secretClass.metadata.name },
      },
    },
  ]);
  expect(pod.containers[0].volumeMounts).toEqual([{ name: 'vault', mountPath: '/vault', readOnly: true }]);
  expect(secretClass).toMatchObject({
    apiVersion: 'secrets-store.csi.x-k8s.io/v1',
    spec: {
      provider: 'azure',
      parameters: { keyvaultName: 'contoso', tenantId: 'contoso.example', usePodIdentity: 'true' },
    },
  });
});

test('the provider reads what everything set says', async () => {
  const objects: CsiObject[] = [
    { type: 'secret', name: 'password', filePermission: '0400' },
    { type: 'secret', name: 'web', file: 'tls/web.pem', format: 'pem' },
    { type: 'secret', name: 'web', file: 'tls/web.pfx', format: 'pfx' },
    { type: 'cert', name: 'web', file: 'a: "b" #c', version: '0012345678' },
    { type: 'key', name: 'signing', history: 3 },
    { type: 'secret', name: 'shop', file: 'user', jsonKey: '/db/user' },
  ];
  const reader = { kind: 'machine', clientId: 'c' } as const;
  expect(await read({ objects, reader, cloud: 'AzureChinaCloud' })).toMatchObject({
    vault: 'contoso',
    tenantId: 'contoso.example',
    cloudName: 'AzureChinaCloud',
    identity: { mode: 'vm', clientId: 'c' },
    objects: [
      { type: 'secret', name: 'password', file: 'password', format: 'pfx', encoding: 'utf-8', mode: 0o400, history: 1 },
      { type: 'secret', name: 'web', file: 'tls/web.pem', format: 'pem', encoding: 'utf-8', mode: 0o644 },
      { type: 'secret', name: 'web', file: 'tls/web.pfx', format: 'pfx', encoding: 'base64' },
      { type: 'cert', name: 'web', file: 'a: "b" #c', version: '0012345678' },
      { type: 'key', name: 'signing', file: 'signing', history: 3 },
      { type: 'secret', name: 'shop', file: 'user', format: 'pem', jsonKey: '/db/user' },
    ],
  });
});

test('a service principal comes by a Secret, a service account by the client id that trusts it', async () => {
  const reader = { kind: 'servicePrincipal', secretName: 'kvcreds' } as const;
  const [{ csi }] = manifestsOf({ reader }).pod.volumes;
  expect(csi.nodePublishSecretRef).toEqual({ name: 'kvcreds' });
  expect((await read({ reader }, {}, { clientid: 'i', clientsecret: 's' })).identity).toMatchObject({ clientId: 'i' });
  const tokens = JSON.stringify({ 'api://AzureADTokenExchange': { token: 't' } });
  const token = { 'csi.storage.k8s.io/serviceAccount.tokens': tokens };
  expect((await read({ reader: { kind: 'workload', clientId: 'c' } }, token)).identity).toEqual({
    mode: 'federated',
    clientId: 'c',
    token: 't',
  });
});

test('the provider reads objects by pattern and tag', async () => {
  const objects: CsiSelection[] = [
    { type: 'secret', pattern: 'app-*', jsonKey: 'user', filePermission: '0440' },
    { type: 'cert', tag: 'team=shop', file: 'shop/{name}' },
  ];
  expect((await read({ objects })).objects).toMatchObject([
    { type: 'secret', file: '{name}', jsonKey: 'user', mode: 0o440, select: { pattern: 'app-*' } },
    { type: 'cert', file: 'shop/{name}', select: { pattern: '*', tag: { name: 'team', value: 'shop' } } },
  ]);
});

test('selections that the provider would refuse are reported at synth', () => {
  const chart: Chart = Testing.chart();
  const objects: CsiSelection[] = [
    { type: 'key' },
    { type: 'secret', pattern: 'a/*' },
    { type: 'secret', tag: '=x' },
    { type: 'secret', pattern: 'a*', file: 'one', jsonKey: '/~' },
    ...Array.from({ length: 18 }, () => ({ type: 'secret', pattern: '*' }) as const),
  ];
  KeyVaultVolume.csi(chart, 'Vault', { ...props, objects });
  expect(chart.node.findAll().flatMap((node) => node.node.validate())).toEqual([
    expect.stringContaining('`name`, `pattern` or `tag` of each key'),
    expect.stringContaining('`pattern` of each secret with the pattern "a/*" must be 1 to 127'),
    expect.stringContaining('`tag` of each secret with the tag "=x" must be <name>=<value>'),
    expect.stringContaining('`file` of each secret with the pattern "a*" must have {name}'),
    expect.stringContaining('`jsonKey` of each secret with the pattern "a*" is no JSON Pointer'),
    expect.stringContaining('at most 20 patterns and tags, got 22'),
  ]);
});

test('what would be refused is reported at synth, all of it', () => {
  const chart: Chart = Testing.chart();
  KeyVaultVolume.csi(chart, 'Vault', {
    ...props,
    vault: 'a b',
    provider: 'azure provider',
    reader: { kind: 'workload', clientId: '' },
    objects: [
      { type: 'secret', name: 'a', file: '../x', filePermission: 'rw' },
      { type: 'secret', name: 'b', history: 0 },
      { type: 'cert', name: 'c', file: 'b' },
      { type: 'secret', name: 'd', jsonKey: '/~' },
      { type: 'secret', name: 'e', jsonKey: 'user', format: 'pem' },
    ],
  });
  expect(chart.node.findAll().flatMap((node) => node.node.validate())).toEqual([
    expect.stringContaining('`vault`'),
    expect.stringContaining('begin with ".."'),
    expect.stringContaining('`filePermission` of the secret "a"'),
    expect.stringContaining('`jsonKey` of the secret "d" is no JSON Pointer'),
    expect.stringContaining('`jsonKey` of the secret "e" goes without `format`'),
    expect.stringContaining('would both be the file "b"'),
    expect.stringContaining('`history` of the secret "b"'),
    expect.stringContaining('`provider`'),
    expect.stringContaining('`reader.clientId`'),
  ]);
});
