/**
 * `node tools/release/images/lock.ts`: writes lock.json anew, with the present versions of the packages of Debian and
 * the version of Node.js in package.json. The images are made of what the file lists.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apt, updateLists } from './debian.ts';
import { type DebianPackage, type Lock, nodePackages, type Processor, processors } from './packages.ts';

/** What the programs need: a C and C++ library for Node.js, licences, names of protocols. */
const base = ['base-files', 'gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6', 'netbase'];

/** The packages that the Dockerfile installs, and the libraries that their programs load. */
const tools = [
  ...['conntrack', 'iproute2', 'iptables'],
  ...['libbpf1', 'libbsd0', 'libcap2', 'libelf1', 'libip4tc2', 'libip6tc2', 'libmd0', 'libmnl0'],
  ...['libnetfilter-conntrack3', 'libnfnetlink0', 'libnftnl11', 'libxtables12', 'zlib1g'],
];

function debianPackages(names: readonly string[], processor: Processor): DebianPackage[] {
  const listed = apt(processor, ['download', '--print-uris', ...names]);
  const lines = [...listed.matchAll(/^'\S+' (\S+)_(\S+)_\S+\.deb \d+ SHA256:([0-9a-f]{64})$/gm)];
  const found = lines.map(([, name = '', version = '', digest = '']) => ({
    name,
    version: decodeURIComponent(version),
    sha256: digest,
  }));
  return names.map((name) => {
    const one = found.find((each) => each.name === name);
    if (one === undefined) throw new Error(`apt-get names no SHA-256 of ${name} for ${processor}`);
    return one;
  });
}

function integrity(name: string, version: string): string {
  return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' }).trim();
}

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: { node: string } };
const { node: version } = devDependencies;
const perProcessor = <T>(make: (processor: Processor) => T) =>
  Object.fromEntries(processors.map((processor) => [processor, make(processor)])) as Record<Processor, T>;
processors.forEach(updateLists);
const lock: Lock = {
  node: { version, integrity: perProcessor((processor) => integrity(nodePackages[processor], version)) },
  debian: perProcessor((processor) => ({
    base: debianPackages(base, processor),
    tools: debianPackages(tools, processor),
  })),
};
writeFileSync(join(import.meta.dirname, 'lock.json'), `${JSON.stringify(lock, undefined, 2)}\n`);
