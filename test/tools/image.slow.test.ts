/** The Dockerfile, held to what the programs need; images are built elsewhere. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { Redirection } from '../../runtime/nmi/redirection/redirection.ts';

/** Dockerfile instructions with continued lines joined, by stage. */
const stages = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .map((stage) => stage.split('\n').filter(Boolean));
const image = stages.at(-1) ?? [];
const build = stages.find(([from]) => from?.endsWith(' AS build')) ?? [];
const installed = /apt-get install (.*?) &&/
  .exec(image.join('\n'))?.[1]
  ?.split(' ')
  .filter((word) => !word.startsWith('-'));

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

test('the image has every program that the node daemon runs', async () => {
  const programs = await spawned();
  expect(programs).toEqual(
    expect.arrayContaining(['conntrack', 'ip', 'ip6tables-legacy-save', 'iptables-nft-restore']),
  );
  const needed = programs.map((program) => {
    const name = packages.find(([pattern]) => pattern.test(program))?.[1];
    return { program, inImage: name !== undefined && installed?.includes(name) };
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

test('the image has the bundle as its entry point, and the driver for nodes with its digest', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const run = build.filter((line) => line.startsWith('RUN ')).join(' && ');
  for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(script);
  // The bundle goes to dist/image by itself; the driver and its digest are put beside it.
  expect(run).toContain('npm run bundle');
  // Each platform's image has a driver for its own processor.
  expect(run).toContain('npm run build:kv -- dist/image/kv --arch "$TARGETARCH"');
  expect(build[0]).toBe('FROM --platform=$BUILDPLATFORM node:24-slim AS build');
  expect(build.indexOf('ARG TARGETARCH')).toBeLessThan(build.findIndex((line) => line.includes('$TARGETARCH"')));
  expect(build).toContain('ARG TARGETARCH');
  expect(image).toContain('COPY --from=build /src/dist/image/ /azimuth/');
  expect(image.at(-1)).toContain('"/azimuth/azimuth.mjs"');
  expect(image.find((line) => line.startsWith('ENV '))).toContain('KV_SOURCE=/azimuth/kv');
});

test('nothing of this machine goes into the build', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const name of ['node_modules', 'dist', '.git', '.azimuth']) expect(ignored).toContain(name);
  for (const line of build.filter((one) => one.startsWith('COPY '))) {
    for (const source of line.split(' ').slice(1, -1)) expect(existsSync(source)).toBe(true);
  }
});

test('it does not run as root unless a manifest says so', () => {
  expect(image).toContain('USER 65532:65532');
});
