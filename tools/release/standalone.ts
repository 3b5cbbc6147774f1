import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { type BunPlatform, bunForLinux, bunPlatforms, bunProgram, bunVersion } from '../bun.ts';
import { bundle } from '../bundle.ts';
import { bundledPackages, licenceNotices } from '../package/licenses.ts';
import { tarGz } from './archive.ts';
import type { Release } from './source.ts';

const absent = join(import.meta.dirname, 'absent-programs.ts');

/** Leaves out the programs that are no commands of people, and what makes the page, which is built already. */
const commandsOnly: Plugin = {
  name: 'commands-only',
  setup(context) {
    const programs = /^\.\/(operator|identity|nmi|volumes|secrets|flexvolume|sandbox|demo|build-page)\.ts$/;
    context.onResolve({ filter: programs }, ({ importer }) =>
      /[\\/](cli[\\/]azimuth|page-files)\.ts$/.test(importer) ? { path: absent } : undefined,
    );
  },
};

/**
 * Writes azimuth-VERSION-SYSTEM-PROCESSOR.tar.gz of each platform: the commands of people as one executable, which is Bun
 * with the bundle, the data of the kinds and the page in it. A machine with Linux makes all of them.
 */
export async function writeStandalone({ folder, version, time }: Release): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-standalone-'));
  try {
    const metafile = await bundle(work, {
      entryPoints: { azimuth: 'runtime/cli/azimuth.ts' },
      external: [],
      // Bun loses an export where it bundles parts again.
      splitting: false,
      sourcemap: false,
      // Bun would write the folder of the build here. Only workers of pino use it, and none runs.
      define: { __dirname: '"/"' },
      plugins: [commandsOnly],
    });
    const own = readFileSync('LICENSE', 'utf8');
    const notices = `Bun ${bunVersion} runs the program: MIT, and JavaScriptCore in it LGPL-2.\n\n${licenceNotices(bundledPackages(metafile))}`;
    for (const platform of bunPlatforms) {
      const program = platform.startsWith('windows') ? 'azimuth.exe' : 'azimuth';
      const files = { [program]: compile(platform, work), LICENSE: own, 'LICENSES.txt': notices };
      const name = `azimuth-${version}-${platform.replace('x64', 'amd64')}.tar.gz`;
      writeFileSync(join(folder, name), tarGz(files, time, [program]));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The executable of a platform, of the bundle in a folder. */
function compile(platform: BunPlatform, bundled: string): Buffer {
  const output = mkdtempSync(join(tmpdir(), 'azimuth-executable-'));
  try {
    const data = globSync('{generated,page}/**/*.{json,js,html,css}', { cwd: bundled }).sort();
    const flags = [
      '--compile',
      // Files in the directory of the caller must not change how the program runs.
      '--no-compile-autoload-dotenv',
      '--no-compile-autoload-bunfig',
      '--format=esm',
      // The program reads its data by these paths, which Bun serves from the executable.
      '--asset-naming=[dir]/[name].[ext]',
      ...['json', 'js', 'html', 'css'].flatMap((extension) => ['--loader', `.${extension}:file`]),
      `--target=bun-${platform}`,
      `--compile-executable-path=${bunProgram(platform)}`,
      `--outfile=${join(output, 'azimuth')}`,
    ];
    execFileSync(bunForLinux(process.arch), ['build', 'azimuth.mjs', ...data, ...flags], {
      cwd: bundled,
      env: {},
      stdio: 'pipe',
    });
    const [path = ''] = globSync(join(output, 'azimuth*'));
    return readFileSync(path);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
