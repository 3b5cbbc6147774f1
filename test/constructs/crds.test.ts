import { expect, test } from '@jest/globals';
import { ApiObject, JsonPatch, Testing, Yaml } from 'cdk8s';
import { Crds } from '../../constructs/crds.ts';
import { kindOf } from '../../runtime/api/kinds.ts';

test('Argo CD, Flux and Helm keep definitions that leave the manifests', () => {
  const chart = Testing.chart();
  const kinds = [kindOf('storage.azure.com', 'StorageAccount'), kindOf('aadpodidentity.k8s.io', 'AzureIdentity')];
  new Crds(chart, 'Crds', { kinds, versions: 'newest' });
  const manifests = Testing.synth(chart) as { metadata: { name: string; annotations: Record<string, string> } }[];
  expect(manifests).toHaveLength(2);
  for (const { metadata } of manifests) {
    expect(metadata.annotations).toMatchObject({
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'helm.sh/resource-policy': 'keep',
    });
  }
});

test('a definition takes patches and labels like every other object, also after a synthesis', () => {
  const chart = Testing.chart();
  const crds = new Crds(chart, 'crds', { kinds: [kindOf('resources.azure.com', 'ResourceGroup')] });
  const [definition] = crds.node.children.filter((each) => each instanceof ApiObject);
  const before = JSON.stringify(definition?.toJson());
  definition?.addJsonPatch(JsonPatch.replace('/spec/scope', 'Cluster'));
  definition?.metadata.addLabel('team', 'a');
  expect(definition?.toJson()).toMatchObject({ metadata: { labels: { team: 'a' } }, spec: { scope: 'Cluster' } });
  expect(JSON.parse(before)).toMatchObject({ spec: { scope: 'Namespaced' } });
  expect(Object.keys(definition?.toJson())).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(Yaml.stringify(definition?.toJson())).not.toMatch(/: [&*]a\d/);
});
