import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildDriver } from './build-kv.ts';
import { bundle } from './bundle.ts';
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
const inPath = ['ip', 'conntrack', 'xtables-nft-multi', 'xtables-legacy-multi'];
const tables = ['iptables', 'ip6tables'].flatMap((family) =>
  ['nft', 'legacy'].flatMap((variant) =>
    ['', '-save', '-restore'].map((command) => [`${family}-${variant}${command}`, `xtables-${variant}-multi`] as const),
  ),
);

/** The images of the Dockerfile, by its targets. */
export type ImageTarget = 'programs' | 'node';

/**
 * An image of the Dockerfile without a registry to take its base from: the same programs and tools, taken from this machine,
 * with the libraries that they load and nothing else, no shell either. In the containerd of the node whose files are in
 * `kubeRun` when this resolves. Returns its size in bytes.
 */
export async function importPodImage(
  name: string,
  target: ImageTarget,
  { work, kubeRun }: { readonly work: string; readonly kubeRun: string },
): Promise<number> {
  const root = join(work, `rootfs-${target}`);
  for (const directory of directories) mkdirSync(join(root, directory), { recursive: true });
  for (const directory of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${directory}`, join(root, directory));
  await bundle(join(root, 'azimuth'));
  const node = join(root, 'usr', 'bin', 'node');
  cpSync(realpathSync(process.execPath), node);
  const tools = target === 'node' ? await addNodeTools(root) : [];
  for (const file of readdirSync(join(root, 'azimuth'))) chmodSync(join(root, 'azimuth', file), 0o755);
  for (const library of new Set([node, ...tools].flatMap(librariesOf))) {
    const copy = join(root, library.startsWith('/usr/') ? library : `/usr${library}`);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(realpathSync(library), copy);
  }

  const archive = join(work, `${target}.tar`);
  const entry = ['/usr/bin/node', '/azimuth/azimuth.mjs'];
  await run('python3', [join(kubeScripts, 'mkimage.py'), name, root, archive, ...entry]);
  const containerd = ['-a', join(kubeRun, 'containerd.sock'), '-n', 'k8s.io'];
  await run('ctr', [...containerd, 'images', 'import', archive]);
  return statSync(archive).size;
}

/** Adds the driver, and the tools of the node daemon with the plugins of iptables. Returns the tools. */
async function addNodeTools(root: string): Promise<string[]> {
  await buildDriver(join(root, 'azimuth', 'kv'));
  const tools = inPath.map((program) => {
    const file = realpathSync(execFileSync('which', [program], { encoding: 'utf8' }).trim());
    cpSync(file, join(root, 'usr', 'sbin', program));
    return file;
  });
  for (const [link, program] of tables) symlinkSync(program, join(root, 'usr', 'sbin', link));
  const plugins = xtablesPlugins(tools);
  cpSync(plugins, join(root, plugins), { recursive: true });
  return tools;
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
