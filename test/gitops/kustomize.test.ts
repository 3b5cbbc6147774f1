import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import { type NmiConfig, nmiConfig } from '../../runtime/nmi/config/config.ts';
import { hasExceptedAccount } from '../../runtime/nmi/config/excepted-accounts.ts';
import type { Pod } from '../../runtime/nmi/objects.ts';
import { everything, removeFolders, succeed, synth, temporaryFolder } from './support.ts';

let folder = '';
beforeAll(async () => {
  folder = await synth(everything);
});
afterAll(removeFolders);

const application = `
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: {name: photos, namespace: default}
spec: {location: westeurope}
---
apiVersion: managedidentity.azure.com/v1api20230131
kind: UserAssignedIdentity
metadata: {name: web, namespace: default}
spec: {location: westeurope, owner: {name: photos}}
---
apiVersion: storage.azure.com/v20250601
kind: StorageAccount
metadata:
  name: photos
  namespace: default
  annotations: {serviceoperator.azure.com/credential-from: login}
spec:
  location: westeurope
  kind: StorageV2
  sku: {name: Standard_LRS}
  owner: {name: photos}
  identity: {type: UserAssigned, userAssignedIdentities: [{reference: {group: managedidentity.azure.com, kind: UserAssignedIdentity, name: web}}]}
  operatorSpec: {keyVault: {vaultReference: {group: keyvault.azure.com, kind: Vault, name: elsewhere}}}
---
apiVersion: dbforpostgresql.azure.com/v1api20230601preview
kind: FlexibleServer
metadata: {name: orders, namespace: default}
spec:
  location: westeurope
  owner: {name: photos}
  administratorLoginPassword: {name: login, key: password}
---
apiVersion: aadpodidentity.k8s.io/v1
kind: AzureIdentity
metadata: {name: web, namespace: default}
spec: {type: 1, clientPassword: {name: login, namespace: default}}
---
apiVersion: aadpodidentity.k8s.io/v1
kind: AzureIdentityBinding
metadata: {name: web, namespace: default}
spec: {azureIdentity: web, selector: web}
---
apiVersion: v1
kind: Secret
metadata: {name: login, namespace: default}
`;

async function build(kustomization: string): Promise<Record<string, { metadata: never; spec: never }>> {
  const own = temporaryFolder();
  writeFileSync(join(own, 'application.yaml'), application);
  copyFileSync(join(folder, 'gitops/name-references.yaml'), join(own, 'name-references.yaml'));
  writeFileSync(join(own, 'kustomization.yaml'), kustomization);
  const objects = parseAllDocuments(await succeed('kustomize', ['build', own])).map((each) => each.toJS());
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

test('a prefix reaches owners, references, Secrets and bindings, and leaves names of others alone', async () => {
  const found = await build(
    'resources: [application.yaml]\nconfigurations: [name-references.yaml]\nnamePrefix: team-\nnameSuffix: -v2\n',
  );
  expect(found['StorageAccount']).toMatchObject({
    metadata: { name: 'team-photos-v2', annotations: { 'serviceoperator.azure.com/credential-from': 'team-login-v2' } },
    spec: {
      owner: { name: 'team-photos-v2' },
      identity: { userAssignedIdentities: [{ reference: { name: 'team-web-v2' } }] },
      operatorSpec: { keyVault: { vaultReference: { name: 'elsewhere' } } },
    },
  });
  expect(found['FlexibleServer']).toMatchObject({
    spec: { owner: { name: 'team-photos-v2' }, administratorLoginPassword: { name: 'team-login-v2', key: 'password' } },
  });
  expect(found['AzureIdentity']).toMatchObject({
    spec: { clientPassword: { name: 'team-login-v2', namespace: 'default' } },
  });
  expect(found['AzureIdentityBinding']).toMatchObject({ spec: { azureIdentity: 'team-web-v2', selector: 'web' } });
});

test('without the configuration a prefix breaks the owner: the configuration is the reason that it works', async () => {
  const found = await build('resources: [application.yaml]\nnamePrefix: team-\n');
  expect(found['StorageAccount']).toMatchObject({
    metadata: { name: 'team-photos' },
    spec: { owner: { name: 'photos' } },
  });
});

test('another namespace reaches the Secret of an AzureIdentity', async () => {
  const found = await build(
    'resources: [application.yaml]\nconfigurations: [name-references.yaml]\nnamespace: team-a\nnamePrefix: team-\n',
  );
  expect(found['AzureIdentity']).toMatchObject({
    metadata: { namespace: 'team-a' },
    spec: { clientPassword: { name: 'team-login', namespace: 'team-a' } },
  });
});

test('programs under a prefix keep their accounts, roles, and the exception from the node daemon', async () => {
  const own = temporaryFolder();
  const base = join('..', basename(await synth({ ...everything, AZIMUTH_KINDS: 'resources.azure.com/*' })));
  writeFileSync(
    join(own, 'kustomization.yaml'),
    stringify({ resources: [base], namePrefix: 'dev-', nameSuffix: '-v2' }),
  );
  const built = parseAllDocuments(await succeed('kustomize', ['build', own])).map((each) => each.toJS());
  const all = (kind: string) => built.filter((object) => object.kind === kind);
  const programs = [...all('Deployment'), ...all('DaemonSet')];
  expect(programs).toHaveLength(5);
  const known = new Set(all('ServiceAccount').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const bound = new Set(
    all('ClusterRoleBinding').flatMap(({ subjects, roleRef }) => {
      expect(all('ClusterRole').map(({ metadata }) => metadata.name)).toContain(roleRef.name);
      return subjects.map((subject: { namespace: string; name: string }) => `${subject.namespace}/${subject.name}`);
    }),
  );
  const daemon = programs.find(({ metadata }) => metadata.name === 'dev-azimuth-nmi-v2');
  const flag = daemon.spec.template.spec.containers[0].args.find((arg: string) =>
    arg.startsWith('--excepted-accounts'),
  );
  const { exceptedAccounts } = nmiConfig(['--node=n', flag], {}) as NmiConfig;
  for (const { kind, metadata, spec } of programs) {
    const { serviceAccountName } = spec.template.spec;
    const account = `${metadata.namespace}/${serviceAccountName}`;
    expect([account, known.has(account), bound.has(account)]).toEqual([account, true, true]);
    const pod = { metadata: { namespace: metadata.namespace }, spec: { serviceAccountName } } as Pod;
    // Those of a DaemonSet use the network of the node, where no daemon is in between.
    expect([account, hasExceptedAccount(pod, exceptedAccounts)]).toEqual([account, kind === 'Deployment']);
  }
});

test('kustomize builds the folder of the manifests, and the built objects are all of them', async () => {
  // Kustomize needs a quarter of a minute for the definitions of all kinds.
  const some = await synth({ ...everything, AZIMUTH_KINDS: 'resources.azure.com/*;storage.azure.com/*' });
  const built = parseAllDocuments(await succeed('kustomize', ['build', some])).map((each) => each.toJS());
  const kinds = new Set(built.map(({ kind }) => kind as string));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['CustomResourceDefinition', 'Deployment', 'DaemonSet', 'Service']),
  );
  // The files that `kubectl apply -f` takes of a folder.
  const files = globSync(`${some}/*.{yaml,yml,json}`).map((file) => readFileSync(file, 'utf8'));
  expect(files.flatMap((text) => parseAllDocuments(text))).toHaveLength(built.length);
});
