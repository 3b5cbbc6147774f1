/** The Dockerfile, held to what the programs need. The node tier runs the same two images, built without a container engine. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { Redirection } from '../../runtime/nmi/redirection/redirection.ts';
import { dockerStages, imageContent } from '../../tools/clusters/dockerfile.ts';

const stages = dockerStages();
const [build, driver, programs, node] = ['build', 'driver', 'programs', 'node'].map(
  (name) => stages.get(name) ?? [],
) as [readonly string[], readonly string[], readonly string[], readonly string[]];
const { packages: installed } = imageContent('node');

/** The Debian package of each program of the node daemon. */
const packages: [program: RegExp, name: string][] = [
  [/^ip6?tables-(nft|legacy)(-save|-restore)?$/, 'iptables'],
  [/^ip$/, 'iproute2'],
  [/^conntrack$/, 'conntrack'],
];

/** Every program that redirection runs, with both variants, from the first rule to the last. */
async function spawned(): Promise<string[]> {
  const programs = new Set<string>();
  for (const variant of ['auto', 'nft', 'legacy'] as const) {
    const redirection = new Redirection({
      metadataIps: ['169.254.169.254', 'fd00::1'],
      metadataPort: 80,
      redirectIps: ['169.254.169.253', 'fd00::2'],
      port: 2579,
      variant,
      conntrack: true,
      log: silentLogger,
      run: async (program) => {
        programs.add(program);
        return { code: 0, stdout: '', stderr: '' };
      },
    });
    await redirection.ensure();
    await redirection.remove();
  }
  return [...programs].sort();
}

test('the image for nodes has every program that the node daemon runs', async () => {
  const run = await spawned();
  expect(run).toEqual(expect.arrayContaining(['conntrack', 'ip', 'ip6tables-legacy-save', 'iptables-nft-restore']));
  const needed = run.map((program) => {
    const name = packages.find(([pattern]) => pattern.test(program))?.[1];
    return { program, inImage: name !== undefined && installed.includes(name) };
  });
  expect(needed.filter(({ inImage }) => !inImage)).toEqual([]);
});

test('the packages have those programs, where this machine can check it', async () => {
  const lists = new Map(
    packages.map(([, name]) => [name, spawnSync('dpkg-query', ['-L', name], { encoding: 'utf8' }).stdout ?? '']),
  );
  const missing = (await spawned()).filter((program) => {
    const list = lists.get(packages.find(([pattern]) => pattern.test(program))?.[1] ?? '');
    // Not Debian, or not installed here.
    if (!list) return false;
    return !list.split('\n').some((path) => path.endsWith(`bin/${program}`));
  });
  expect(missing).toEqual([]);
});

test('the images have the bundle as their entry point', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const run = [...build, ...driver].filter((line) => line.startsWith('RUN ')).join(' && ');
  for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(script);
  // The bundle goes to dist/image by itself.
  expect(run).toContain('npm run bundle');
  expect(build[0]).toBe('FROM --platform=$BUILDPLATFORM $BASE_IMAGE AS build');
  expect(programs[0]).toBe('FROM $BASE_IMAGE AS programs');
  expect(programs).toContain('COPY --from=build /src/dist/image/ /azimuth/');
  expect(programs.at(-1)).toContain('"/azimuth/azimuth.mjs"');
  expect(node[0]).toBe('FROM programs AS node');
});

test('the image for nodes is the last one, and alone has the tools of the daemon and the driver with its digest', () => {
  expect([...stages.keys()].at(-1)).toBe('node');
  expect(programs.join('\n')).not.toMatch(/apt-get|driver|KV_SOURCE/);
  // Each platform's image has a driver for its own processor.
  expect(driver.indexOf('ARG TARGETARCH')).toBeGreaterThan(0);
  expect(driver.at(-1)).toContain('npm run build:kv -- dist/driver/kv --arch "$TARGETARCH"');
  expect(node).toContain('COPY --from=driver /src/dist/driver/ /azimuth/');
  expect(node.find((line) => line.startsWith('ENV '))).toContain('KV_SOURCE=/azimuth/kv');
});

test('a target has the content of the target that it is made from, and its own', () => {
  const bundle = ['/src/dist/image/', '/azimuth/'];
  const entryPoint = ['node', '/azimuth/azimuth.mjs'];
  expect(imageContent('programs')).toEqual({
    copies: [bundle],
    packages: [],
    env: { NODE_ENV: 'production' },
    entryPoint,
    user: '65532:65532',
  });
  expect(imageContent('node')).toEqual({
    copies: [bundle, ['/src/dist/driver/', '/azimuth/']],
    packages: ['conntrack', 'iproute2', 'iptables'],
    env: { NODE_ENV: 'production', KV_SOURCE: '/azimuth/kv' },
    entryPoint,
    user: '65532:65532',
  });
});

test('nothing of this machine goes into the build', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const name of ['node_modules', 'dist', '.git', '.azimuth']) expect(ignored).toContain(name);
  for (const line of build.filter((one) => one.startsWith('COPY '))) {
    for (const source of line.split(' ').slice(1, -1)) expect(existsSync(source)).toBe(true);
  }
});

test('they do not run as root unless a manifest says so', () => {
  for (const lines of [programs, node]) {
    expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER 65532:65532');
  }
});
