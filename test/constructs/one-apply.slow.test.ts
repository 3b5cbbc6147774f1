import { expect, test } from '@jest/globals';
import { App } from 'cdk8s';
import { subsets } from '../../constructs/helm/variants.ts';
import { Platform } from '../../constructs/platform.ts';
import { programNames, programsOf } from '../../constructs/program-list.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

test('every combination of programs has objects of built-in kinds alone, as kubectl resolves all kinds first', () => {
  const combinations = subsets(programNames).filter(({ size }) => size > 0);
  const found = new Map<string, string>();
  for (const names of combinations) {
    const programs = [...names].join(';');
    const app = new App();
    new Platform(app, 'azimuth', {
      version: 'test',
      image: 'azimuth:test',
      kinds: 'resources.azure.com/ResourceGroup',
      dashboard: {},
      multiTenant: true,
      tenantNamespaces: ['team-a'],
      ...programsOf({ AZIMUTH_PROGRAMS: programs, AZIMUTH_SECRETS_AUDIENCE: 'api://azimuth' }),
    });
    const objects = app.charts.flatMap((chart) => chart.toJson() as Manifest[]);
    expect([programs, objects.length > 0]).toEqual([programs, true]);
    // Groups of Kubernetes have no dot, or end with k8s.io; the kinds of pod identity have such a group too.
    for (const { apiVersion, kind } of objects) {
      const [group = '', version] = apiVersion.split('/');
      const builtIn = version === undefined || !group.includes('.') || group.endsWith('.k8s.io');
      if (!builtIn || group.startsWith('aadpodidentity.')) found.set(`${apiVersion} ${kind}`, programs);
    }
  }
  expect(Object.fromEntries(found)).toEqual({});
  expect(combinations).toHaveLength(2 ** programNames.length - 1);
});
