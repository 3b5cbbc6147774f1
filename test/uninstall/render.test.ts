import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { programsOf } from '../../runtime/uninstall/programs.ts';
import { renderPlan } from '../../runtime/uninstall/render.ts';
import { group, object } from '../view/support.ts';
import { itemOf } from './support.ts';

const plan = (objects: readonly KubeObject[], mode: 'keep-azure' | 'delete') =>
  renderPlan({ items: objects.map(itemOf), definitions: [], programs: programsOf([], []) }, mode);
const marked = (name: string, metadata: object): KubeObject => {
  const object = group(name);
  return { ...object, metadata: { ...object.metadata, ...metadata } };
};

test.each(['keep-azure', 'delete'] as const)(
  '%s: for objects of a tool it names how to stop it, and no deletion',
  (mode) => {
    const labels = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    };
    const release = { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'demo' };
    const text = plan(
      [marked('one', { labels }), marked('two', { labels }), marked('three', { annotations: release })],
      mode,
    );
    expect(text).toMatch(/ResourceGroup\/one in demo and 1 more again.*flux suspend kustomization apps -n flux-system/);
    expect(text).toMatch(/Delete no Kustomization before the command has ended/);
    expect(text).toMatch(/ResourceGroup\/three in demo again.*run no upgrade/);
    expect(text).not.toMatch(/kubectl delete|helm uninstall|delete the/);
  },
);

test.each(['keep-azure', 'delete'] as const)('%s: it says what objects without a resource leave in Azure', (mode) => {
  const kinds = ['ManagedSecret', 'FeatureRegistration', 'FeatureApproval'];
  const text = plan(
    kinds.map((kind) => object('azimuth.dev/v1alpha1', kind, 'web')),
    mode,
  );
  expect(text).toMatch(/ManagedSecret\/web +stays: its secrets in the vaults$/m);
  expect(text).toMatch(/FeatureRegistration\/web +stays: the registration of the feature$/m);
  expect(text).toMatch(/FeatureApproval\/web *$/m);
});

test('a resource whose PUT is under way has its ARM id in an annotation', () => {
  const id = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg';
  const creating = marked('rg', { annotations: { 'serviceoperator.azure.com/resource-id': id } });
  expect(plan([creating], 'keep-azure')).toContain(`stays: ${id} (may not exist yet)`);
  expect(plan([creating], 'delete')).toContain(`is deleted: ${id} (may not exist yet)`);
  expect(plan([marked('rg', {})], 'delete')).toContain('not there yet');
});
