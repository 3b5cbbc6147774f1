/**
 * The Go programs that ours replace, as judges of what ours cost. Each is built from its own module, with the module's
 * go.mod and go.sum, in the judges' cache.
 */
import { join } from 'node:path';
import { aso } from './aso-module.ts';
import type { GoModule } from './go-module.ts';
import { buildModuleProgram } from './module-program.ts';

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
  const program = programs[name];
  return buildModuleProgram({ ...program, executable: join('peers', `${name}-${program.module.version}`) });
}
