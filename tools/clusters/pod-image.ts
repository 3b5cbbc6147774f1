import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { version } from '../../runtime/base/version.ts';
import { buildDriver } from '../build-kv.ts';
import { bundle } from '../bundle.ts';
import { type ImageTarget, imageContent, imageNames } from './dockerfile.ts';
import { kubeScripts } from './node-cluster.ts';

const run = promisify(execFile);
const directories = [
  'usr/bin',
  'usr/sbin',
  'usr/lib',
  'usr/lib64',
  'azimuth',
  'etc',
  'tmp',
  'run',
  'proc',
  'sys',
  'dev',
];
/** The folders that the Dockerfile copies from its build stages, and what makes each of them here. */
const makers: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  '/src/dist/image/': bundle,
  '/src/dist/driver/': (folder) => buildDriver(join(folder, 'kv')),
};
/** The programs of the Debian packages that the Dockerfile installs. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  conntrack: ['conntrack'],
  iproute2: ['ip'],
  iptables: ['xtables-nft-multi', 'xtables-legacy-multi'],
};
const tables = ['iptables', 'ip6tables'].flatMap((family) =>
  ['nft', 'legacy'].flatMap((variant) =>
    ['', '-save', '-restore'].map((command) => [`${family}-${variant}${command}`, `xtables-${variant}-multi`] as const),
  ),
);

/**
 * Puts the image of a target into the containerd of the node whose files are in `kubeRun`. Its variables are for the
 * caller to set (`imageContent`). Returns its size in bytes. Where AZIMUTH_RELEASE names a folder that `npm run
 * release` wrote, it is the image of that release, else one made of this machine's files.
 */
export async function importPodImage(
  name: string,
  target: ImageTarget,
  { work, kubeRun }: { readonly work: string; readonly kubeRun: string },
): Promise<number> {
  const release = process.env['AZIMUTH_RELEASE'];
  const archive = join(work, `${target}.tar`);
  if (release) {
    const image = join(release, `${imageNames[target]}-${version}.oci.tar`);
    // Of containerd 1.6, kubelet finds no image that came as an index.
    await run('skopeo', ['copy', `oci-archive:${image}`, `docker-archive:${archive}:${name}`]);
  } else {
    await makePodImage(name, target, work, archive);
  }
  const containerd = ['-a', join(kubeRun, 'containerd.sock'), '-n', 'k8s.io'];
  await run('ctr', [...containerd, 'images', 'import', archive]);
  return statSync(archive).size;
}

/**
 * An image of the Dockerfile without a registry to take its base from: the programs, tools and entry point of the Dockerfile,
 * taken from this machine, with the libraries that they load and nothing else, no shell either.
 */
async function makePodImage(name: string, target: ImageTarget, work: string, archive: string): Promise<void> {
  const root = join(work, `rootfs-${target}`);
  for (const directory of directories) mkdirSync(join(root, directory), { recursive: true });
  for (const directory of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${directory}`, join(root, directory));
  const { copies, packages, entryPoint } = imageContent(target);
  for (const [source, folder] of copies) await known(makers, source)(join(root, folder));
  const node = join(root, 'usr', 'bin', 'node');
  cpSync(realpathSync(process.execPath), node);
  const tools = packages.flatMap((name) => known(programsOf, name)).map((program) => addTool(root, program));
  if (packages.includes('iptables')) addTables(root, tools);
  for (const file of readdirSync(join(root, 'azimuth'))) chmodSync(join(root, 'azimuth', file), 0o755);
  for (const library of new Set([node, ...tools].flatMap(librariesOf))) {
    const copy = join(root, library.startsWith('/usr/') ? library : `/usr${library}`);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(realpathSync(library), copy);
  }

  const entry = entryPoint.map((word) => (word === 'node' ? '/usr/bin/node' : word));
  await run('python3', [join(kubeScripts, 'mkimage.py'), name, root, archive, ...entry]);
}

/** The entry of a table for something that the Dockerfile names. @throws where the table lacks it */
function known<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found !== undefined) return found;
  throw new Error(
    `Expected tools/clusters/pod-image.ts to know \`${name}\` of the Dockerfile, besides ${Object.keys(table).join(', ')}`,
  );
}

/** Copies a program of this machine into the image. Returns its path on this machine. */
function addTool(root: string, program: string): string {
  const file = realpathSync(execFileSync('which', [program], { encoding: 'utf8' }).trim());
  cpSync(file, join(root, 'usr', 'sbin', program));
  return file;
}

/** The names under which programs start iptables, and its plugins. */
function addTables(root: string, tools: readonly string[]): void {
  for (const [link, program] of tables) symlinkSync(program, join(root, 'usr', 'sbin', link));
  const plugins = xtablesPlugins(tools);
  cpSync(plugins, join(root, plugins), { recursive: true });
}

function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path as string);
}

/** Where iptables finds its matches and targets, beside the libraries it is linked with. */
function xtablesPlugins(tools: readonly string[]): string {
  const found = tools.flatMap(librariesOf).map((library) => join(dirname(realpathSync(library)), 'xtables'));
  const plugins = found.find((directory) => existsSync(directory));
  if (!plugins) throw new Error('The plugins of iptables were not found beside its libraries');
  return plugins;
}
