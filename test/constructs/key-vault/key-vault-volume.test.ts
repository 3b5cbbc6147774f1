import { expect, test } from '@jest/globals';
import { type Chart, Duration, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { KeyVaultVolume, type KeyVaultVolumeProps, type VaultObject } from '../../../constructs/index.ts';
import { readFlexOptions } from '../../../runtime/volumes/options/flex-options.ts';
import type { Manifest } from '../manifests.ts';

const props: KeyVaultVolumeProps = {
  vault: 'contoso',
  tenantId: 'contoso.example',
  reader: { kind: 'pod' },
  objects: [{ type: 'secret', name: 'password' }],
};
const everything: KeyVaultVolumeProps = {
  ...props,
  name: 'tls',
  reader: { kind: 'machine', clientId: 'c' },
  objects: [
    { type: 'secret', name: 'password' },
    { type: 'cert', name: 'web', file: 'tls.crt', format: 'pem', version: 'abc123' },
    { type: 'key', name: 'signing', file: 'key.jwk', format: 'jwk' },
  ],
  refresh: Duration.minutes(5),
  filePermission: '0400',
  fsGroup: 2000,
  region: 'westus2',
  cloud: 'AzureChinaCloud',
};

function podOf(change: Partial<KeyVaultVolumeProps>, more: (workload: Deployment) => void = () => undefined): Manifest {
  const chart = Testing.chart();
  const workload = new Deployment(chart, 'Web', { containers: [{ image: 'web' }] });
  const volume = KeyVaultVolume.flex(chart, 'Vault', { ...props, ...change });
  for (const container of workload.containers) container.mount('/vault', volume, { readOnly: true });
  more(workload);
  const manifests = Testing.synth(chart) as Manifest[];
  return manifests.find(({ kind }) => kind === 'Deployment').spec.template;
}
const problems = (change: Partial<KeyVaultVolumeProps>) => {
  const chart: Chart = Testing.chart();
  KeyVaultVolume.flex(chart, 'Vault', { ...props, ...change });
  return chart.node.findAll().flatMap((node) => node.node.validate());
};
const flexVolume = (change: Partial<KeyVaultVolumeProps>) => podOf(change).spec.volumes[0].flexVolume;

test('a volume of defaults has the required options and one that says who reads', () => {
  const { spec } = podOf({});
  expect(spec.volumes).toEqual([
    {
      name: 'vault',
      flexVolume: {
        driver: 'azure/kv',
        options: {
          tenantid: 'contoso.example',
          keyvaultname: 'contoso',
          keyvaultobjectnames: 'password',
          keyvaultobjecttypes: 'secret',
          usepodidentity: 'true',
        },
      },
    },
  ]);
  expect(spec.containers[0].volumeMounts).toEqual([{ name: 'vault', mountPath: '/vault', readOnly: true }]);
});

test('the driver reads what everything set says', () => {
  const { driver, options, secretRef } = flexVolume(everything);
  expect([driver, secretRef]).toEqual(['azure/kv', undefined]);
  expect(readFlexOptions(JSON.stringify(options))).toMatchObject({
    vault: 'contoso',
    tenantId: 'contoso.example',
    cloudName: 'AzureChinaCloud',
    region: 'westus2',
    identity: { mode: 'vm', clientId: 'c' },
    filePermission: 0o400,
    fsGroup: 2000,
    refreshSeconds: 300,
    objects: [
      { type: 'secret', name: 'password', file: 'password', format: 'raw', version: '' },
      { type: 'cert', name: 'web', file: 'tls.crt', format: 'pem', version: 'abc123' },
      { type: 'key', name: 'signing', file: 'key.jwk', format: 'jwk', version: '' },
    ],
  });
});

test('a service principal comes by a Secret, refresh at the interval of the agent by a word', () => {
  const { options, secretRef } = flexVolume({
    reader: { kind: 'servicePrincipal', secretName: 'kvcreds' },
    refresh: true,
  });
  expect(secretRef).toEqual({ name: 'kvcreds' });
  expect(options).not.toHaveProperty('usepodidentity');
  expect(readFlexOptions(JSON.stringify({ ...options, usevmmanagedidentity: 'true' })).refreshSeconds).toBe(0);
});

test('the driver reads a member of a JSON secret', () => {
  const { options } = flexVolume({
    reader: { kind: 'machine' },
    objects: [{ type: 'secret', name: 'shop', jsonKey: '/db/user' }, ...props.objects],
  });
  expect(readFlexOptions(JSON.stringify(options)).objects).toMatchObject([
    { name: 'shop', jsonKey: '/db/user' },
    { name: 'password' },
  ]);
  const refused = [
    { type: 'secret', name: 'a', jsonKey: 'x;y' },
    { type: 'secret', name: 'b', jsonKey: '/~' },
  ] as const;
  expect(problems({ objects: refused })).toEqual([
    expect.stringContaining('`jsonKey` of the secret "b" is no JSON Pointer'),
    expect.stringContaining('`jsonKey` of a FlexVolume\'s object to be without ";"'),
  ]);
});

test('a workload that asks for restarts is marked', () => {
  const { metadata } = podOf({ refresh: true }, (workload) => KeyVaultVolume.restartOnChange(workload));
  expect(metadata.annotations).toEqual({ 'volumes.azimuth.dev/restart-on-change': 'true' });
});

test('what the driver would refuse is reported at synth, all of it', () => {
  const objects = [
    { type: 'secret', name: 'a_b' },
    { type: 'secret', name: 'a', file: '../x' },
    { type: 'key', name: 'b', format: 'pfx' },
    { type: 'cert', name: 'c', version: 'not a version' },
    { type: 'secret', name: 'd', file: 'x;y' },
    { type: 'secret', name: 'e', file: 'd2' },
    { type: 'cert', name: 'd2' },
  ] as readonly unknown[] as VaultObject[];
  expect(
    problems({
      vault: 'https://contoso.vault.azure.net',
      tenantId: '',
      name: 'Vault',
      reader: { kind: 'servicePrincipal', secretName: '' },
      refresh: Duration.seconds(5),
      filePermission: 'rw',
      fsGroup: -1,
      objects,
    }),
  ).toEqual([
    expect.stringContaining('`name`'),
    expect.stringContaining('`vault`'),
    expect.stringContaining('`tenantId`'),
    expect.stringContaining('`reader.secretName`'),
    expect.stringContaining('`refresh`'),
    expect.stringContaining('`filePermission`'),
    expect.stringContaining('`fsGroup`'),
    expect.stringContaining('got `a_b`'),
    expect.stringContaining('path separator'),
    expect.stringContaining('raw, pem, jwk, der, got `pfx`'),
    expect.stringContaining('got `not a version`'),
    expect.stringContaining('"e" and "d2" would both be the file "d2"'),
    expect.stringContaining('without ";"'),
  ]);
  expect(problems({ objects: [] })).toEqual([expect.stringContaining('1 to 500 objects, got `0`')]);
  expect(problems({})).toEqual([]);
});
