import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { version } from '../../runtime/base/version.ts';
import { type ImageTarget, imageContent, imageNames } from '../../tools/clusters/dockerfile.ts';
import { sha256 } from '../../tools/release/checksums.ts';
import { type Processor, processors, readLock } from '../../tools/release/images/packages.ts';
import { scratch } from '../fakes/scratch.ts';
import { artefact, run, whyNoImages } from './support.ts';

const files = scratch();
afterAll(() => files.remove());

const ifImages = whyNoImages === '' ? test : test.skip;
if (whyNoImages !== '') test.skip(`NOT RUN: the images of the release. ${whyNoImages}`, () => undefined);

const targets = Object.keys(imageNames) as ImageTarget[];
const images = targets.flatMap((target) => processors.map((processor) => ({ target, processor })));

/** The config of an image, and the folder of its files, which the first call unpacks. */
async function unpacked(target: ImageTarget, processor: Processor) {
  const layout = join(files.path, target);
  if (!existsSync(layout)) {
    mkdirSync(layout);
    run('tar', ['-xf', await artefact(`${imageNames[target]}-${version}.oci.tar`)], layout);
  }
  const blob = ({ digest }: { readonly digest: string }) => join(layout, 'blobs', digest.replace(':', '/'));
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const index = json(blob(json(join(layout, 'index.json')).manifests[0]));
  const found = index.manifests.find(
    (each: { platform: { architecture: string } }) => each.platform.architecture === processor,
  );
  const manifest = json(blob(found));
  const root = join(files.path, `${target}-${processor}`);
  if (!existsSync(root)) {
    mkdirSync(root);
    for (const layer of manifest.layers) run('tar', ['-xzf', blob(layer)], root);
  }
  return { layout, root, config: json(blob(manifest.config)), platforms: index.manifests };
}

ifImages.each(targets)('the image %s is for both processors, and each blob has its digest as name', async (target) => {
  const { layout, platforms } = await unpacked(target, 'amd64');
  expect(platforms.map((each: { platform: object }) => each.platform)).toEqual(
    processors.map((architecture) => ({ os: 'linux', architecture })),
  );
  for (const path of globSync(join(layout, 'blobs/sha256/*'))) {
    expect(path.split('/').at(-1)).toBe(sha256(readFileSync(path)));
  }
});

ifImages.each(images)(
  '$target on $processor has the settings of the Dockerfile, and says its version',
  async (image) => {
    const { config } = await unpacked(image.target, image.processor);
    const { env, entryPoint, user } = imageContent(image.target);
    expect(config).toMatchObject({ architecture: image.processor, os: 'linux' });
    expect(config.config).toMatchObject({ User: user, Entrypoint: entryPoint });
    expect(user).toBe('65532:65532');
    expect(config.config.Env.slice(1)).toEqual(Object.entries(env).map((pair) => pair.join('=')));
    expect(config.config.Labels['org.opencontainers.image.version']).toBe(version);
    expect(config.config.Labels['org.opencontainers.image.revision']).toMatch(/^[0-9a-f]{40}$/);
  },
);

ifImages.each(images)('$target on $processor has the licence of everything in it', async ({ target, processor }) => {
  const { root } = await unpacked(target, processor);
  const { base, tools } = readLock().debian[processor];
  for (const { name } of [...base, ...(target === 'node' ? tools : [])]) {
    expect(readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8')).not.toBe('');
    expect(readFileSync(join(root, 'var/lib/dpkg/status.d', name), 'utf8')).toContain(`Package: ${name}\n`);
  }
  expect(readFileSync(join(root, 'usr/share/doc/nodejs/LICENSE'), 'utf8')).toContain('Node.js is licensed');
  const notices = readFileSync(join(root, 'usr/share/doc/azimuth/LICENSES-image.txt'), 'utf8');
  for (const name of ['undici', 'pino', '@dagrejs/dagre']) expect(notices).toContain(`${name} `);
  expect(existsSync(join(root, 'usr/share/doc/azimuth/LICENSES-driver.txt'))).toBe(target === 'node');
});

const start: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  ['node', '/azimuth/azimuth.mjs', '--version'],
];
const tools: typeof start = [
  ['ip', '-V'],
  ['iptables-nft', '--version'],
  ['ip6tables-nft-save', '--version'],
  ['iptables-legacy', '--version'],
  ['conntrack', '--version'],
];

ifImages.each(targets)("each program of the image %s starts on amd64, as the image's user", async (target) => {
  const { root, config } = await unpacked(target, 'amd64');
  const [path] = config.config.Env;
  for (const command of target === 'node' ? [...start, ...tools] : start) {
    const inRoot = ['-i', path, 'chroot', `--userspec=${config.config.User}`, root, ...command];
    expect(run('env', inRoot, '/')).toMatch(/\d+\.\d+/);
  }
  if (target === 'node') run('sha256sum', ['--check', '--quiet', 'kv.sha256'], join(root, 'azimuth'));
});

const qemu = 'qemu-aarch64-static';
const hasQemu = spawnSync(qemu, ['--version']).status === 0;
if (!hasQemu)
  test.skip(`NOT RUN: the programs for arm64 need ${qemu}, of the package qemu-user-static`, () => undefined);

(hasQemu ? ifImages : test.skip)('azimuth starts on arm64 under qemu, and the tools have their libraries', async () => {
  const { root } = await unpacked('node', 'arm64');
  const emulated = (...command: string[]) => run(qemu, ['-L', root, ...command], root);
  expect(emulated('usr/local/bin/node', join(root, 'azimuth/azimuth.mjs'), '--version')).toContain(version);
  for (const program of ['bin/ip', 'sbin/xtables-nft-multi', 'sbin/xtables-legacy-multi', 'sbin/conntrack']) {
    const listed = emulated('usr/lib/ld-linux-aarch64.so.1', '--list', join(root, 'usr', program));
    expect(listed).toContain('libc.so.6');
    expect(listed).not.toContain('not found');
  }
});
