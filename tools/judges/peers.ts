/**
 * The Go programs that ours replace, as judges of what ours cost. Each is built from its own module, with the module's
 * go.mod and go.sum, in the judges' cache.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { aso } from './aso-module.ts';
import { downloadGoModule, type GoModule } from './go-module.ts';

const podIdentity: GoModule = {
  path: 'github.com/Azure/aad-pod-identity',
  version: 'v1.8.17',
  checksum: 'h1:fJ4eGIJs8MO0Y1BN35mwkDcmdVfITuFVsiUBlwng+L8=',
};
const csiProvider: GoModule = {
  path: 'github.com/Azure/secrets-store-csi-driver-provider-azure',
  version: 'v1.7.2',
  checksum: 'h1:GVtAKa3sOzkHQGgOXiKQSbNf7aKo6eIHq96nmnjrugA=',
};

const programs = {
  nmi: { module: podIdentity, package: './cmd/nmi' },
  mic: { module: podIdentity, package: './cmd/mic' },
  provider: { module: csiProvider, package: './cmd' },
  aso: { module: aso('v2.20.0'), package: './cmd/controller' },
};

/** Name of a program: node daemon, identity controller, CSI provider, operator. */
export type Peer = keyof typeof programs;

/** The path of the executable, built where it is missing: minutes the first time. Throws with the reason where not. */
export function buildPeer(name: Peer): string {
  const { module, package: folder } = programs[name];
  const cache = join(process.env['AZIMUTH_JUDGES'] ?? join(homedir(), '.cache', 'azimuth-judges'), 'peers');
  const executable = join(cache, `${name}-${module.version}`);
  if (existsSync(executable)) return executable;
  // Go's cache is read-only, and the build of a main module needs its directory as the working directory.
  const source = join(cache, 'source');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  cpSync(downloadGoModule(module), source, { recursive: true });
  const { status, error } = spawnSync('go', ['build', '-mod=readonly', '-trimpath', '-o', executable, folder], {
    cwd: source,
    env: { ...process.env, GOWORK: 'off', CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  spawnSync('chmod', ['-R', 'u+w', source]);
  rmSync(source, { recursive: true, force: true });
  if (status !== 0)
    throw new Error(`${module.path} ${module.version} does not build${error ? `: ${error.message}` : ''}`);
  return executable;
}
