import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { downloadGoModule, type GoModule } from './go-module.ts';

/** A program of a Go module, built with the go.mod and go.sum of that module. */
export interface ModuleProgram {
  readonly module: GoModule;
  /** Folder of the program in the module, such as `./cmd/nmi`. */
  readonly package: string;
  /** Path of the executable in the judges' cache. */
  readonly executable: string;
}

/** The path of the executable, built where it is missing: minutes the first time. Throws with the reason where not. */
export function buildModuleProgram({ module, package: folder, executable: name }: ModuleProgram): string {
  const cache = process.env['AZIMUTH_JUDGES'] ?? join(homedir(), '.cache', 'azimuth-judges');
  const executable = join(cache, name);
  if (existsSync(executable)) return executable;
  // Go's cache is read-only, and the build of a main module needs its directory as the working directory.
  const source = join(dirname(executable), 'source');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(dirname(executable), { recursive: true });
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
