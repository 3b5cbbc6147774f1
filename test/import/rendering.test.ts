/** What somebody who may write in Azure can put into the text that is printed: values, and nothing else. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAllDocuments, type Tags } from 'yaml';
import { armResource } from '../../runtime/api/arm/arm-resource.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import type { ImportedManifest } from '../../runtime/import/manifests.ts';
import { constructsModule, renderCdk8s } from '../../runtime/import/render-cdk8s.ts';
import { renderYaml } from '../../runtime/import/render-yaml.ts';

const nasty = [
  '',
  'a\u2028metadata:\u2028  name: evil',
  '\u0085---\u0085kind: Evil',
  'x\n---\nkind: Evil',
  '*/ `$' + '{process.exit(1)}` // \u2029evil()',
  '\u202eevil\u202c',
  '\ufeffx',
  '<<',
  '=',
  '0o17',
  '1_000',
  '2001-01-01',
  'on',
  '~',
  "it's \"quoted\" \\ and 'more'",
  '\u0007\u001b[2J\u007f\u009b',
  ' # no comment ',
  '!!binary x',
  '&a *a',
  '\t',
  '%TAG',
  '🦀',
];

function manifest(texts: readonly string[], id = '/subscriptions/s/resourceGroups/g'): ImportedManifest {
  const entries = texts.flatMap((text, index) => [[text, `v${index}`] as const, [`k${index}`, text] as const]);
  const tags = Object.fromEntries([...entries, ['__proto__', { own: texts }], ['constructor', texts[0] ?? '']]);
  const object = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ArmResource', metadata: { name: 'x' }, spec: { tags } };
  return { id, definition: armResource, object };
}

/** Members are compared as JSON: equality of jest does not see `__proto__`. */
const jsonOf = (value: unknown) => JSON.stringify(value);

/** This parser takes `<<` for a merge even in quotes; kubectl does not (test/cluster/cli/import.test.ts). */
const withoutMerge = (tags: Tags): Tags =>
  tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge');

function expectSafe(texts: readonly string[], id?: string): void {
  const made = manifest(texts, id);
  const yaml = renderYaml([made]);
  expect(yaml).not.toMatch(/[^\P{C}\n]|[^\P{Z} ]/u);
  const documents = parseAllDocuments(yaml, { version: '1.1', customTags: withoutMerge });
  expect(documents.map((each) => each.errors)).toEqual([[]]);
  expect(jsonOf(documents[0]?.toJS())).toBe(jsonOf(made.object));

  const program = renderCdk8s([made]);
  expect(program).not.toMatch(/[^\P{C}\n]|[^\P{Z} ]/u);
  const objects: { metadata: object; spec: object }[] = [];
  class AzureResource {
    constructor(_: unknown, __: string, props: { metadata: object; spec: object }) {
      objects.push(props);
    }
  }
  class App {
    synth() {}
  }
  const body = program.replaceAll(/^import .*$/gm, '');
  new Function('App', 'Chart', 'AzureResource', body)(App, class {}, AzureResource);
  expect(objects.map(({ spec }) => jsonOf(spec))).toEqual([jsonOf(made.object['spec'])]);
}

test('values with the syntax of YAML, TypeScript, comments or terminal sequences stay values in both forms', () => {
  for (const text of nasty) expectSafe([text]);
  expectSafe(nasty, `/subscriptions/s/resourceGroups/g\u2028evil()\u0085- x`);
});

test('what kubectl would merge, even in quotes, is said to be a text', () => {
  expect(renderYaml([manifest(['<<'])])).toMatch(/!!str "<<": v0\n +k0: !!str "<<"\n/);
});

test('whatever the values, what is printed is read as they were', () => {
  const piece = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  const texts = fc.array(
    fc.array(piece, { maxLength: 3 }).map((each) => each.join('')),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(texts, (all) => {
      expectSafe(all.map((text) => text.toWellFormed()));
    }),
    { numRuns: 300 },
  );
});

test('each object is of the class of its kind, and refers to constructs, whatever the order in Azure', () => {
  const of = (group: string, kind: string, name: string, spec: object): ImportedManifest => ({
    id: `/${name}`,
    definition: kindOf(group, kind),
    object: { apiVersion: `${group}/v1`, kind, metadata: { name }, spec },
  });
  const owner = { name: 'shop' };
  const site = of('web.azure.com', 'Site', 'site', {
    owner,
    serverFarmReference: { group: 'web.azure.com', kind: 'ServerFarm', name: 'plan' },
    hostingEnvironmentProfile: { reference: { armId: '/subscriptions/s/elsewhere' } },
  });
  const container = of('app.azure.com', 'ContainerApp', 'web', { owner });
  const grantOn = { group: 'web.azure.com', kind: 'Site', name: 'site' };
  const role = of('authorization.azure.com', 'RoleAssignment', 'role', { owner: grantOn, tag: { name: 'shop' } });
  const plan = of('web.azure.com', 'ServerFarm', 'plan', { owner });
  const program = renderCdk8s([role, site, container, of('resources.azure.com', 'ResourceGroup', 'shop', {}), plan]);
  expect(program.replaceAll(/\s+/g, ' ')).toBe(
    [
      "import { App, Chart } from 'cdk8s';",
      "import { app, authorization, resources, web } from './constructs/index.ts';",
      'const program = new App();',
      "const chart = new Chart(program, 'imported', { disableResourceNameHashes: true });",
      "// /shop const resourceGroupShop = new resources.ResourceGroup(chart, 'resourceGroupShop',",
      "{ metadata: { name: 'shop', }, spec: {}, });",
      "// /plan const serverFarmPlan = new web.ServerFarm(chart, 'serverFarmPlan',",
      "{ metadata: { name: 'plan', }, spec: { owner: resourceGroupShop, }, });",
      "// /site const siteSite = new web.Site(chart, 'siteSite', { metadata: { name: 'site', },",
      'spec: { owner: resourceGroupShop, serverFarmReference: serverFarmPlan,',
      "hostingEnvironmentProfile: { reference: { armId: '/subscriptions/s/elsewhere', }, }, }, });",
      "// /role new authorization.RoleAssignment(chart, 'roleAssignmentRole', { metadata: { name: 'role', },",
      "spec: { owner: siteSite, tag: { name: 'shop', }, }, });",
      "// /web new app.ContainerApp(chart, 'containerAppWeb', { metadata: { name: 'web', },",
      'spec: { owner: resourceGroupShop, }, });',
      'program.synth(); ',
    ].join(' '),
  );
});

test('a program imports the constructs of the clone, or those of the package where that runs', () => {
  expect(constructsModule('file:///clone/runtime/import/render-cdk8s.ts')).toBe('./constructs/index.ts');
  expect(constructsModule('file:///app/node_modules/azimuth/dist/package/chunk.mjs')).toBe('azimuth');
  const program = renderCdk8s([manifest([])], 'azimuth');
  expect(program).toContain("import { AzureResource } from 'azimuth';");
});
