/** The artefacts of a release from registries on loopback, by the commands of docs/reference/artefacts.md. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../runtime/base/version.ts';
import { scratch } from '../fakes/scratch.ts';
import { get, onApiServer } from '../gitops/cluster.ts';
import { toolsFolder } from '../gitops/support.ts';
import { artefacts, run } from '../release/support.ts';
import { type Server, startContainerd, startImageRegistry, startNpmRegistry } from './servers.ts';

const files = scratch();
const key = join(files.path, 'key.pem');
let release: string;
let images: Server;

beforeAll(async () => {
  run('openssl', ['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', key], files.path);
  const only = ['npm', 'chart', 'images', 'sbom'].flatMap((name) => ['--only', name]);
  release = await artefacts('registries', [...only, '--key', key]);
  images = await startImageRegistry(files.path);
}, 900_000);
afterAll(async () => {
  await images?.stop();
  files.remove();
});

const tool = (name: string, ...args: string[]) => run(join(toolsFolder(), name), args, files.path);

/** Copies an artefact into the registry, and returns the digest that the registry has for it. */
async function push(archive: string, name: string): Promise<string | null> {
  const insecure = '--dest-tls-verify=false';
  const copied = ['copy', '--all', insecure, `oci-archive:${archive}`, `docker://${images.address}/${name}`];
  run('skopeo', copied, release);
  const [repository, tag] = name.split(':');
  const types = ['index', 'manifest'].map((type) => `application/vnd.oci.image.${type}.v1+json`);
  const url = `http://${images.address}/v2/${repository}/manifests/${tag}`;
  const { headers } = await fetch(url, { method: 'HEAD', headers: { accept: types.join(', ') } });
  return headers.get('docker-content-digest');
}

/** The digest of what an artefact has under its tag. */
function digestIn(archive: string): string {
  const index = run('tar', ['-xOf', join(release, archive), 'index.json'], release);
  return JSON.parse(index).manifests[0].digest;
}

test.each([
  ['azimuth-image', 'azimuth'],
  ['azimuth-controllers-image', 'azimuth-controllers'],
  ['azimuth-chart', 'charts/azimuth'],
])('%s arrives in the registry with the digest that the artefact has', async (artefact, repository) => {
  const archive = `${artefact}-${version}.oci.tar`;
  expect(await push(archive, `${repository}:${version}`)).toBe(digestIn(archive));
});

test('helm installs the chart from the registry, and its operator has the image of the registry', async () => {
  const image = `${images.address}/azimuth`;
  await onApiServer(async () => {
    const chart = [`oci://${images.address}/charts/azimuth`, '--version', version, '--plain-http'];
    const into = ['-n', 'azimuth-system', '--create-namespace'];
    tool('helm', 'install', 'azimuth', ...chart, ...into, '--set', `image.repository=${image}`);
    const operator = await get('deployment', 'azimuth-operator', 'azimuth-system');
    expect(operator.spec.template.spec.containers[0].image).toBe(`${image}:${version}`);
  });
});

const missing = ['containerd', 'ctr', 'runc'].filter((name) => spawnSync('which', [name]).status !== 0);
const why = process.getuid?.() === 0 ? missing.join(', ') : 'root';
if (why) test.skip(`NOT RUN: the image started by containerd needs ${why}`, () => undefined);

(why ? test.skip : test)('containerd pulls the image from the registry and starts the programs', async () => {
  const containerd = await startContainerd(files.path);
  const ctr = (...args: string[]) => run('ctr', ['--address', containerd.address, ...args], files.path);
  // An overlay cannot lie on another one, and the root of a container is one.
  const native = ['--snapshotter', 'native'];
  try {
    const image = `${images.address}/azimuth:${version}`;
    ctr('images', 'pull', '--plain-http', ...native, image);
    const start = (id: string, ...command: string[]) => ctr('run', '--rm', ...native, image, id, ...command);
    // Of the entry point, which needs the name of a program.
    expect(() => start('entry-point')).toThrow('Usage: azimuth <program>');
    expect(start('version', 'node', '/azimuth/azimuth.mjs', '--version')).toBe(`azimuth ${version}\n`);
    for (const program of ['operator', 'identity', 'nmi', 'volumes', 'secrets', 'ui', 'flexvolume']) {
      expect(start(program, 'node', '/azimuth/azimuth.mjs', program, '--help')).toContain(`azimuth ${program}`);
    }
    expect(start('user', 'node', '-p', 'process.getuid()')).toBe('65532\n');
    expect(start('tables', 'iptables-nft', '--version')).toContain('nf_tables');
  } finally {
    await containerd.stop();
  }
});

test('npm publishes the package, and installs it from the registry in an empty folder', async () => {
  const registry = await startNpmRegistry(files.path);
  try {
    const config = files.write(
      'npmrc',
      `registry=http://${registry.address}/\n//${registry.address}/:_authToken=none\n`,
    );
    const npm = (folder: string, ...args: string[]) => run('npm', [...args, '--userconfig', config], folder);
    npm(files.path, 'publish', '--provenance=false', join(release, `azimuth-${version}.tgz`));
    const folder = join(files.path, 'project');
    mkdirSync(folder);
    const overrides = { backport: 'npm:noop2@^2' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', type: 'module', overrides }));
    npm(folder, 'install', '--no-audit', '--no-fund', `azimuth@${version}`);
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const hash = createHash('sha512').update(readFileSync(join(release, `azimuth-${version}.tgz`)));
    expect(packages['node_modules/azimuth'].integrity).toBe(`sha512-${hash.digest('base64')}`);
    const azimuth = (...args: string[]) => run('npx', ['--no-install', 'azimuth', ...args], folder);
    expect(azimuth('--help')).toContain('Usage: azimuth <program>');
    const group = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup' };
    const object = { ...group, metadata: { name: 'shop', namespace: 'default' }, spec: { location: 'westeurope' } };
    writeFileSync(join(folder, 'shop.yaml'), JSON.stringify(object));
    expect(azimuth('plan', '--offline', '-f', 'shop.yaml')).toContain('Plan: 1 to create');
  } finally {
    await registry.stop();
  }
});

test('cosign accepts the signature of the checksums, and refuses other checksums', () => {
  const signature = ['--signature', join(release, 'SHA256SUMS.sig'), '--insecure-ignore-tlog'];
  const verify = (sums: string) =>
    tool('cosign', 'verify-blob', '--key', join(release, 'SHA256SUMS.pub'), ...signature, sums);
  verify(join(release, 'SHA256SUMS'));
  const other = join(files.path, 'SHA256SUMS');
  copyFileSync(join(release, 'SHA256SUMS'), other);
  writeFileSync(other, `${'0'.repeat(64)}  azimuth-${version}.tgz\n`, { flag: 'a' });
  expect(() => verify(other)).toThrow('invalid signature');
});

test('the signed checksums hold for the packages, the images and the SBOMs', () => {
  run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], release);
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
  for (const name of ['.cdx.json', '.spdx.json', '.oci.tar', '.tgz']) expect(sums).toContain(`${version}${name}\n`);
});
