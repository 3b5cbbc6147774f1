import { expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { allKinds } from '../../runtime/api/kinds.ts';
import { isOwnDefinition, nameLabel } from '../../runtime/api/own-definition.ts';

const azimuth = { [nameLabel]: 'azimuth' };
const aso = { [nameLabel]: 'azure-service-operator' };
const annotated = { 'azimuth.dev/definition': 'true' };

test.each([
  ['of version 0.1, with the label alone', { labels: azimuth }, true],
  ['with label and annotation', { labels: azimuth, annotations: annotated }, true],
  [
    'with the label of a kustomization over ours',
    { labels: { [nameLabel]: 'platform' }, annotations: annotated },
    true,
  ],
  ['whose labels a tool has dropped', { annotations: annotated }, true],
  ['that ASO installed', { labels: aso }, false],
  ['that ASO took over and that kept our annotation', { labels: aso, annotations: annotated }, false],
  ['whose annotation somebody has set to false', { annotations: { 'azimuth.dev/definition': 'false' } }, false],
  ['of which nothing tells whose it is', {}, false],
])('a definition %s: %j is ours: %s', (_, metadata, own) => {
  expect(isOwnDefinition(metadata)).toBe(own);
});

test('every definition that is written is ours, also without its labels', () => {
  for (const kind of allKinds) {
    const { metadata } = crdManifest(kind, { versions: 'newest' });
    expect([isOwnDefinition(metadata), isOwnDefinition({ annotations: metadata.annotations })]).toEqual([true, true]);
  }
});
