import { globSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDriver } from '../../build-kv.ts';
import { bunVersion } from '../../bun.ts';
import { bundle } from '../../bundle.ts';
import { bundledPackages, licenceNotices } from '../../package/licenses.ts';
import type { Entry } from '../archive.ts';
import { debianFiles, fetchDebianPackages } from './debian.ts';
import { nodeFiles } from './node.ts';
import { type DebianPackage, type Processor, readLock } from './packages.ts';

const file = (path: string, content: string | Uint8Array, mode = 0o644): Entry => ({
  path,
  type: 'File',
  mode,
  content,
});
const link = (path: string, linkpath: string): Entry => ({ path, type: 'SymbolicLink', mode: 0o777, linkpath });

/** What scripts of Debian's packages would make. */
const settings: readonly Entry[] = [
  ...['bin', 'lib', 'lib64', 'sbin'].map((name) => link(name, `usr/${name}`)),
  file('etc/passwd', 'root:x:0:0:root:/root:/usr/sbin/nologin\nazimuth:x:65532:65532:azimuth:/:/usr/sbin/nologin\n'),
  file('etc/group', 'root:x:0:\nazimuth:x:65532:\n'),
  file('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
];

/** The layer of Debian's libraries and Node.js. */
export async function baseLayer(processor: Processor): Promise<readonly Entry[]> {
  const lock = readLock();
  const debian = await debianLayer(lock.debian[processor].base, processor);
  return [...debian, ...settings, ...(await nodeFiles(lock.node, processor))];
}

/** The layer of the tools of programs on nodes. */
export const toolsLayer = (processor: Processor): Promise<readonly Entry[]> =>
  debianLayer(readLock().debian[processor].tools, processor);

async function debianLayer(packages: readonly DebianPackage[], processor: Processor): Promise<readonly Entry[]> {
  const debs = fetchDebianPackages(packages, processor);
  const entries = await Promise.all(debs.map((deb, index) => debianFiles(deb, packages[index]?.name ?? '')));
  // Packages have the same directories.
  return [...new Map(entries.flat().map((entry) => [entry.path, entry])).values()];
}

/** What makes a folder of the Dockerfile's build stages; the licence notices of what is in it. */
const makers: Readonly<Record<string, (folder: string, processor: Processor) => Promise<string>>> = {
  // File names are hashes of content, and a source map has the path of the clone: with maps, two clones differ.
  '/src/dist/image/': async (folder) => licenceNotices(bundledPackages(await bundle(folder, { sourcemap: false }))),
  '/src/dist/driver/': async (folder, processor) => {
    await buildDriver(join(folder, 'kv'), undefined, processor === 'amd64' ? 'x64' : processor);
    return `Bun ${bunVersion} runs the driver kv: MIT, and JavaScriptCore in it LGPL-2.\n`;
  },
};

/** The layer of a `COPY` of the Dockerfile, with the licences of what is in it. */
export async function copiedLayer(source: string, target: string, processor: Processor): Promise<readonly Entry[]> {
  const make = makers[source];
  if (make === undefined) throw new Error(`tools/release/images/layers.ts cannot make ${source} of the Dockerfile`);
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-layer-'));
  try {
    const notices = await make(folder, processor);
    const name = source.split('/').at(-2);
    return [
      ...folderEntries(folder, target.replaceAll(/^\/|\/$/g, '')),
      file('usr/share/doc/azimuth/LICENSE', readFileSync('LICENSE')),
      file(`usr/share/doc/azimuth/LICENSES-${name}.txt`, notices),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a folder, as members below `target`. */
function folderEntries(folder: string, target: string): readonly Entry[] {
  const entries = globSync('**/*', { cwd: folder, withFileTypes: true }).map((each): Entry => {
    const from = join(each.parentPath, each.name);
    const path = join(target, from.slice(folder.length));
    if (each.isSymbolicLink()) return link(path, readlinkSync(from));
    if (each.isDirectory()) return { path, type: 'Directory', mode: 0o755 };
    return file(path, readFileSync(from), statSync(from).mode & 0o111 ? 0o755 : 0o644);
  });
  return [{ path: target, type: 'Directory', mode: 0o755 }, ...entries];
}
