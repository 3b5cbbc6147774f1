import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { ValidationCase } from '../validation-case.ts';

const of = (kind: string, spec: object): KubeObject =>
  ({ apiVersion: 'azimuth.dev/v1alpha1', kind, metadata: { name: 'sample' }, spec }) as KubeObject;
const secret = (spec: object) => of('ManagedSecret', spec);

const subscription = '00000000-0000-0000-0000-000000000000';
const armId = `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/shop`;
const home = { vault: { armId } };
const machine = { group: 'compute.azure.com', kind: 'VirtualMachineScaleSet', name: 'web' };

/** What the API server says of the kinds of machines with secrets. */
export const machineCases: readonly ValidationCase[] = [
  {
    name: 'a certificate with all that one can have',
    object: secret({
      kind: 'Certificate',
      certificate: {
        subject: 'CN=web.example.com',
        dnsNames: ['web.example.com'],
        issuer: { caSecret: { name: 'ca' } },
        keyType: 'RSA',
        keySize: 2048,
        validity: '2160h',
        extendedKeyUsages: ['1.3.6.1.5.5.7.3.1'],
      },
      home,
      regions: [{ location: 'northeurope', vault: { group: 'keyvault.azure.com', kind: 'Vault', name: 'shop-north' } }],
      rotation: { every: '2160h', renewBefore: '720h', overlap: '24h' },
      maxStaleness: '168h',
      consumers: [{ machine, attested: true }, { objectId: subscription }],
      vaultSecretName: 'web',
    }),
  },
  { name: 'a password by its defaults', object: secret({ kind: 'Password', home }) },
  {
    name: 'an identity, which has no vault',
    object: secret({ kind: 'Identity', identity: { location: 'westeurope', owner: { armId } } }),
  },
  {
    name: 'an identity with a rollout, whose state no vault keeps',
    object: secret({
      kind: 'Identity',
      identity: { location: 'westeurope', owner: { armId } },
      rollout: { bakeFor: '1h' },
    }),
    refusedAt: 'spec',
  },
  { name: 'a secret without a vault', object: secret({ kind: 'Password' }), refusedAt: 'spec' },
  {
    name: 'a password with a certificate',
    object: secret({ kind: 'Password', home, certificate: { subject: 'CN=web' } }),
    refusedAt: 'spec',
  },
  { name: 'a certificate without a subject', object: secret({ kind: 'Certificate', home }), refusedAt: 'spec' },
  {
    name: 'a consumer that is two things',
    object: secret({ kind: 'Password', home, consumers: [{ machine, objectId: subscription }] }),
    refusedAt: 'spec.consumers[0]',
  },
  {
    name: 'a span in words',
    object: secret({ kind: 'Password', home, maxStaleness: 'a week' }),
    refusedAt: 'spec.maxStaleness',
  },
  {
    name: 'a DNS name outside of ASCII',
    object: secret({ kind: 'Certificate', home, certificate: { subject: 'CN=web', dnsNames: ['wéb.example.com'] } }),
    refusedAt: 'spec.certificate.dnsNames[0]',
  },
  {
    name: 'a use that is no OID',
    object: secret({
      kind: 'Certificate',
      home,
      certificate: { subject: 'CN=web', extendedKeyUsages: ['serverAuth'] },
    }),
    refusedAt: 'spec.certificate.extendedKeyUsages[0]',
  },
  {
    name: 'a feature of Azure in two regions',
    object: of('FeatureRegistration', {
      subscription,
      feature: 'Microsoft.Compute/EncryptionAtHost',
      locations: ['westeurope', 'northeurope'],
    }),
  },
  {
    name: 'a feature without a namespace',
    object: of('FeatureRegistration', { subscription, feature: 'EncryptionAtHost' }),
    refusedAt: 'spec.feature',
  },
  {
    name: 'an approval with an end',
    object: of('FeatureApproval', { for: { name: 'host' }, note: 'asked by the shop', until: '2027-01-01T00:00:00Z' }),
  },
  ...[' host', 'host\n', ' '].map((name) => ({
    name: `an approval of ${JSON.stringify(name)}, which no registration has as its name`,
    object: of('FeatureApproval', { for: { name } }),
    refusedAt: 'spec.for.name',
  })),
];
