import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { version } from '../../runtime/base/version.ts';
import { programSets } from '../../tools/release/manifests.ts';
import { scratch } from '../fakes/scratch.ts';
import { toolsFolder } from '../gitops/support.ts';
import { artefact, artefacts, run } from './support.ts';

const files = scratch();
afterAll(() => files.remove());

const resource = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: 'shop', namespace: 'default' },
  spec: { location: 'westeurope' },
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Objects by kind, namespace and name. */
function objectsOf(text: string): Map<string, Manifest> {
  const objects = parseAllDocuments(text).flatMap((each) => (each.toJS() as Manifest | null) ?? []);
  return new Map(objects.map((it) => [`${it.kind}/${it.metadata.namespace ?? ''}/${it.metadata.name}`, it]));
}

const helm = (args: readonly string[]) => run(join(toolsFolder(), 'helm'), args, files.path);

test('two clones of one commit give the same bytes, and sha256sum accepts them', async () => {
  const [first, second] = [await artefacts('first'), await artefacts('second')];
  const sums = readFileSync(join(first, 'SHA256SUMS'), 'utf8');
  expect(readFileSync(join(second, 'SHA256SUMS'), 'utf8')).toBe(sums);
  for (const folder of [first, second]) run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], folder);
  expect(sums.trim().split('\n')).toHaveLength(globSync('*', { cwd: first }).length - 1);
});

test('npm installs the package in an empty folder, and npx azimuth plans', async () => {
  const folder = join(files.path, 'project');
  mkdirSync(folder);
  const overrides = { backport: 'npm:noop2@^2' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module', overrides }));
  run('npm', ['install', '--no-audit', '--no-fund', await artefact(`azimuth-${version}.tgz`)], folder);
  writeFileSync(join(folder, 'shop.yaml'), JSON.stringify(resource));
  expect(run('npx', ['--no-install', 'azimuth', '--version'], folder)).toContain(version);
  const plan = run('npx', ['--no-install', 'azimuth', 'plan', '--offline', '-f', 'shop.yaml'], folder);
  expect(plan).toContain('ResourceGroup');
});

test('the standalone program of this machine runs the commands, also on a cluster', async () => {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  run('tar', ['-xzf', await artefact(`azimuth-${version}-linux-${processor}.tar.gz`)], files.path);
  const program = join(files.path, 'azimuth');
  const azimuth = (...args: string[]) => run(program, args, files.path);
  expect(azimuth('--version')).toBe(`azimuth ${version}\n`);
  const manifest = files.write('shop.yaml', resource);
  expect(azimuth('plan', '--offline', '-f', manifest)).toContain('Plan: 1 to create');
  expect(azimuth('__complete', '--', 'tr')).toBe('tree\n');
  expect(azimuth('completion', 'bash')).toContain('complete -o default');
  // The embedded cluster of the sources.
  const sandbox = resolve('bin', 'azimuth.js');
  const onCluster = (...args: string[]) => run('node', [sandbox, 'sandbox', '--', program, ...args], files.path);
  expect(onCluster('tree', '--all-namespaces', '-o', 'yaml')).toContain('objects:');
  run('tar', ['-xzf', await artefact(`azimuth-definitions-${version}.tar.gz`)], files.path);
  const definition = 'definitions/resources.azure.com/ResourceGroup.yaml';
  expect(onCluster('plan', '-f', definition, '-f', manifest)).toContain('Plan: 1 to create');
  expect(() => azimuth('operator')).toThrow('ended with 1: azimuth: the standalone program has no azimuth operator');
});

test.each([
  ['linux-amd64', '7f454c46', 18, 0x3e],
  ['linux-arm64', '7f454c46', 18, 0xb7],
  ['darwin-amd64', 'cffaedfe', 4, 0x07],
  ['darwin-arm64', 'cffaedfe', 4, 0x0c],
  ['windows-amd64', '4d5a', undefined, 0x64],
  ['windows-arm64', '4d5a', undefined, 0x64],
])('the standalone program for %s has the format of that platform, and mode 0755', async (name, magic, at, machine) => {
  const archive = await artefact(`azimuth-${version}-${name}.tar.gz`);
  const folder = join(files.path, name);
  mkdirSync(folder);
  run('tar', ['-xzf', archive], folder);
  const path = join(folder, name.startsWith('windows') ? 'azimuth.exe' : 'azimuth');
  expect(statSync(path).mode & 0o777).toBe(0o755);
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, magic.length / 2).toString('hex')).toBe(magic);
  // PE names the machine after its signature, whose offset is at 0x3c.
  const field = at ?? bytes.readUInt32LE(0x3c) + 4;
  expect(bytes[field]).toBe(machine);
  if (name.startsWith('windows')) expect(bytes[field + 1]).toBe(name.endsWith('arm64') ? 0xaa : 0x86);
});

test('Helm finds no fault with the chart, and its operator is that of install-operator.yaml', async () => {
  const chart = await artefact(`azimuth-chart-${version}.tgz`);
  expect(helm(['lint', '--strict', chart])).toContain('0 chart(s) failed');
  const rendered = objectsOf(helm(['template', 'azimuth', chart, '-n', 'azimuth-system']));
  const installed = objectsOf(readFileSync(await artefact('install-operator.yaml'), 'utf8'));
  installed.delete('Namespace//azimuth-system');
  expect([...rendered.keys()].sort()).toEqual([...installed.keys()].sort());
  for (const [id, object] of installed) expect({ id, object: rendered.get(id) }).toEqual({ id, object });
});

test('the SBOMs list the packages of the lock file with their versions, and no place of a machine', async () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const exact = Object.entries<string>(devDependencies).filter(([, range]) => /^\d/.test(range));
  const [cdx, spdx] = [await artefact(`azimuth-${version}.cdx.json`), await artefact(`azimuth-${version}.spdx.json`)];
  const { components, metadata } = JSON.parse(readFileSync(cdx, 'utf8'));
  const listed = (components as { name: string; version: string }[]).map((it) => `${it.name}@${it.version}`);
  expect(listed).toEqual(expect.arrayContaining(exact.map(([name, range]) => `${name}@${range}`)));
  expect(metadata.component).toMatchObject({ name: 'azimuth', version });
  expect(JSON.parse(readFileSync(spdx, 'utf8')).packages).toHaveLength(components.length + 1);
  for (const path of [cdx, spdx]) expect(readFileSync(path, 'utf8')).not.toContain('release-judge');
});

test('the release notes say what was not run', async () => {
  const notes = readFileSync(await artefact('RELEASE-NOTES.md'), 'utf8');
  expect(notes).toContain(`# Azimuth ${version}`);
  expect(notes).toContain('not run');
  expect(notes).not.toContain('](../');
});

test('the OCI layout has the packaged chart', async () => {
  const layout = join(files.path, 'layout');
  mkdirSync(layout);
  run('tar', ['-xf', await artefact(`azimuth-chart-${version}.oci.tar`)], layout);
  const read = (path: string) => JSON.parse(readFileSync(join(layout, path), 'utf8'));
  const path = (digest: string) => join('blobs', digest.replace(':', '/'));
  const manifest = read(path(read('index.json').manifests[0].digest));
  expect(read(path(manifest.config.digest))).toMatchObject({ name: 'azimuth', version });
  const chart = readFileSync(await artefact(`azimuth-chart-${version}.tgz`));
  expect(readFileSync(join(layout, path(manifest.layers[0].digest)))).toEqual(chart);
});

test('program sets can be applied together: what two of them have is equal', async () => {
  const names = Object.keys(programSets);
  const sets = names.map(async (name) => {
    const text = readFileSync(await artefact(`install-${name}.yaml`), 'utf8');
    expect(text).not.toMatch(/image: (?!registry\.example\/azimuth:)/);
    return [name, objectsOf(text)] as const;
  });
  const differences: string[] = [];
  const all = await Promise.all(sets);
  for (const [index, [name, objects]] of all.entries()) {
    for (const [other, others] of all.slice(index + 1)) {
      for (const [id, object] of objects) {
        const twin = others.get(id);
        if (twin && JSON.stringify(twin) !== JSON.stringify(object)) differences.push(`${name}, ${other}: ${id}`);
      }
    }
  }
  expect(differences).toEqual([
    'operator, deployments: ClusterRole//azimuth-operator',
    'operator, deployments: Deployment/azimuth-system/azimuth-operator',
    'key-vault-volumes, key-vault-csi: DaemonSet/azimuth-system-nodes/azimuth-volumes',
  ]);
});

test('the archive of definitions has each kind of Azure resources in a file of its own', async () => {
  run('tar', ['-xzf', await artefact(`azimuth-definitions-${version}.tar.gz`)], files.path);
  const paths = globSync('definitions/*/*.yaml', { cwd: files.path });
  const defined = paths.map((path) => {
    const { spec } = JSON.parse(readFileSync(join(files.path, path), 'utf8'));
    expect(basename(path)).toBe(`${spec.names.kind}.yaml`);
    return `${spec.group}/${spec.names.kind}`;
  });
  expect(defined.sort()).toEqual(operatorKinds.map(({ group, kind }) => `${group}/${kind}`).sort());
});
