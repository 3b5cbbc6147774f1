import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { App, type Chart, Testing } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/platform.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { mostWatchedNamespaces } from '../../runtime/api/permissions/index.ts';
import type { Manifest } from '../constructs/manifests.ts';

const azureGroups = new Set(operatorKinds.map(({ group }) => group));

function manifestsOf(operator: PlatformProps['operator'] = {}): Manifest[] {
  const app = new App();
  new Platform(app, 'azimuth', {
    image: 'azimuth:test',
    version: 'test',
    operator,
    podIdentity: {},
    keyVaultVolumes: {},
    monitoring: {},
  });
  return app.charts.flatMap((chart: Chart) => Testing.synth(chart));
}

/** What the rules allow, as the page writes it: `resources: verbs`, all Azure kinds as one. */
function allowed(rules: readonly Manifest[]): string {
  const parts = rules.map(({ apiGroups, resources, verbs, resourceNames, nonResourceURLs }) => {
    if (nonResourceURLs) return `${nonResourceURLs.join(', ')}: ${verbs.join(' ')}`;
    const azure =
      apiGroups.every((group: string) => azureGroups.has(group)) && resources.join() !== 'userassignedidentities';
    const status = azure && resources[0].endsWith('/status') ? ' (status)' : '';
    const named = resourceNames ? ` (${resourceNames.join(', ')})` : '';
    return `${azure ? `Azure kinds${status}` : resources.join(', ')}${named}: ${verbs.join(' ')}`;
  });
  return [...new Set(parts)].join('; ') || 'nothing';
}

function rows(manifests: readonly Manifest[]): string[] {
  const held = (binding: string, name: string) =>
    manifests.filter(({ kind, subjects }) => kind === binding && subjects.some((each: Manifest) => each.name === name));
  const rulesOf = (role: string, name: string) =>
    held(`${role}Binding`, name).flatMap(({ roleRef, metadata }) => {
      const found = manifests.find(
        (each) =>
          each.kind === role && each.metadata.name === roleRef.name && each.metadata.namespace === metadata.namespace,
      );
      return found.rules;
    });
  return manifests
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ metadata: { name } }) => {
      return `| \`${name}\` | ${allowed(rulesOf('ClusterRole', name))} | ${allowed(rulesOf('Role', name))} |`;
    });
}

test('the reference says what each service account may do, as the manifests have it', () => {
  const page = readFileSync('docs/reference/permissions.md', 'utf8');
  const withTargets = (targetNamespaces: string[], words: string) =>
    rows(manifestsOf({ targetNamespaces }))
      .filter((row) => row.includes('`azimuth-operator`'))
      .map((row) => row.replace('` |', `\`, ${words} |`));
  const all = [
    ...rows(manifestsOf()),
    ...withTargets(['team-a'], 'target namespaces'),
    ...withTargets(
      Array.from({ length: mostWatchedNamespaces + 1 }, (_, index) => `team-${index}`),
      'more than 8 of them',
    ),
  ];
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter((row) => !page.includes(row))).toEqual([]);
});
