/** Each folder of examples/: its page, its program, and its manifests as `azimuth plan --offline` checks them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { fluxKustomizations } from '../../constructs/gitops/flux.ts';
import { kindOf, tryKindOf } from '../../runtime/api/kinds.ts';
import { validate } from '../../runtime/api/validate.ts';
import { plan } from '../../runtime/cli/commands/plan.ts';
import { readMountCall } from '../../runtime/volumes/csi/provider-request.ts';
import { readFlexOptions } from '../../runtime/volumes/options/flex-options.ts';
import { runCommand } from '../cli/run-command.ts';
import { scratch } from '../fakes/scratch.ts';
import { examples, manifestFiles, objectsOf, synthesize } from './examples.ts';

const files = scratch();
afterAll(() => files.remove());

/** The longest page of an example. */
const mostLines = 65;

function problemsOf(file: string) {
  return objectsOf(file).flatMap((object) => {
    const kind = tryKindOf(object.apiVersion.split('/')[0] ?? '', object.kind);
    return kind ? validate(kind, object, { strict: true }).map((problem) => ({ file, ...problem })) : [];
  });
}

const planned = async (paths: readonly string[]) =>
  await runCommand(plan, '', ['--offline', '-n', 'shop', ...paths.flatMap((path) => ['-f', path])]);

test.each(examples)('the page of %s says what you get and see, and how to clean up', (example) => {
  const page = readFileSync(`examples/${example}/README.md`, 'utf8');
  expect(page.split('\n').length).toBeLessThanOrEqual(mostLines + 1);
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
    ...['What you get', 'Commands', 'What you see', 'Cleaning up'],
  ]);
  expect(readFileSync('examples/README.md', 'utf8')).toContain(`](${example}/README.md)`);
});

test.each(examples.filter((example) => manifestFiles(example).length > 0))(
  'the manifests of %s are valid, and their plan has no problem',
  async (example) => {
    const paths = manifestFiles(example);
    expect(paths.flatMap(problemsOf)).toEqual([]);
    for (const path of paths) expect(await planned([path])).toMatchObject({ code: 0, err: '' });
  },
);

test.each(globSync('examples/**/*.ts'))(
  '%s synthesizes, and the plan of its manifests has no problem',
  async (program) => {
    const paths = await synthesize(program, join(files.path, dirname(program)));
    expect(paths.flatMap(problemsOf)).toEqual([]);
    expect(await planned(paths)).toMatchObject({ code: 0, err: '' });
  },
);

test('the deployment of bicep has the compiled template, and that has the resources of main.bicep', () => {
  const compiled = readFileSync('examples/bicep/main.json', 'utf8');
  const [, deployment] = objectsOf('examples/bicep/deployment.yaml');
  expect(deployment?.['spec'].template.arm.json).toBe(compiled);
  const source = readFileSync('examples/bicep/main.bicep', 'utf8');
  const { resources } = JSON.parse(compiled) as { resources: { type: string; apiVersion: string }[] };
  expect(resources.map(({ type, apiVersion }) => `${type}@${apiVersion}`)).toEqual(
    [...source.matchAll(/^resource \w+ '(.*)' = \{$/gm)].map(([, type]) => type),
  );
});

test('the class and the FlexVolume of vault-files name the same secret and the same file', async () => {
  const [providerClass] = objectsOf('examples/vault-files/csi.yaml');
  const [pod] = objectsOf('examples/vault-files/flexvolume.yaml');
  const inPod = { 'csi.storage.k8s.io/pod.name': 'csi', 'csi.storage.k8s.io/pod.namespace': 'shop' };
  const attributes = new Map(Object.entries<string>({ ...providerClass?.['spec'].parameters, ...inPod }));
  const csi = await readMountCall({ attributes, secrets: new Map() }, '420');
  const options = pod?.['spec'].volumes[0].flexVolume.options;
  const place = { 'kubernetes.io/pod.name': 'csi', 'kubernetes.io/pod.namespace': 'shop' };
  const flex = readFlexOptions(JSON.stringify({ ...options, ...place }));
  const { vault, identity } = csi;
  expect(flex).toMatchObject({ vault, identity });
  expect([csi, flex].flatMap(({ objects }) => objects.map(({ name, file }) => [name, file]))).toEqual([
    ['database-password', 'password'],
    ['database-password', 'password'],
  ]);
});

test('the Kustomizations of gitops are those of the synthesis, for its kinds and its folder', () => {
  const resources = objectsOf('examples/gitops/azure-resources/shop.yaml').slice(1);
  const kinds = resources.map(({ apiVersion, kind }) => kindOf(apiVersion.split('/')[0] ?? '', kind));
  const text = JSON.stringify(fluxKustomizations(kinds)).replace('./dist', './platform');
  expect(objectsOf('examples/gitops/flux/kustomizations.yaml')).toEqual(JSON.parse(text));
});
