/**
 * The programs of the part `registries`: a registry of images and cosign from Go modules, a registry of npm packages
 * (verdaccio) from npm, skopeo of Debian. They stay in the judges' cache.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';

/** The newest version on npm when it was last tried. */
const verdaccioVersion = '6.10.4';

/** Variables for the tests, or undefined after a message on what is missing. */
export function registryPrograms(): Readonly<Record<string, string>> | undefined {
  const programs = build('etcd', 'kube-apiserver', 'helm', 'registry', 'cosign');
  if (programs === undefined || !hasSkopeo()) return undefined;
  const folder = join(programs, `verdaccio-${verdaccioVersion}`);
  const verdaccio = join(folder, 'node_modules', '.bin', 'verdaccio');
  if (!existsSync(verdaccio)) install(folder);
  if (existsSync(verdaccio)) return { KUBECONFIG: '', AZIMUTH_GITOPS_TOOLS: programs, AZIMUTH_VERDACCIO: verdaccio };
  console.error(`The part registries needs verdaccio ${verdaccioVersion} from the npm registry.`);
  return undefined;
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // A package of verdaccio asks for a tag of node-fetch that not every registry has.
  const manifest = { private: true, overrides: { 'node-fetch': '2.7.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', `verdaccio@${verdaccioVersion}`];
  spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
}

function hasSkopeo(): boolean {
  const runs = () => spawnSync('skopeo', ['--version']).status === 0;
  if (!runs() && process.getuid?.() === 0) {
    const command = 'apt-get -qq update && apt-get install -y -qq --no-install-recommends skopeo >/dev/null';
    spawnSync('sh', ['-c', command], { stdio: 'inherit' });
  }
  if (!runs()) console.error('The part registries needs skopeo: install the package skopeo of Debian.');
  return runs();
}
