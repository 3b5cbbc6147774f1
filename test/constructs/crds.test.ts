import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
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
