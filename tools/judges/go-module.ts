import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** A version of a Go module, with its checksum as go.sum has it. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  readonly checksum: string;
}

/** Downloads the module into Go's cache; the directory of its files. Throws with what it needs. */
export function downloadGoModule({ path, version, checksum }: GoModule): string {
  const { error, stdout } = spawnSync('go', ['mod', 'download', '-json', `${path}@${version}`], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'on', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw new Error(`needs Go, which downloads ${path}: ${error.message}.`);
  const module = stdout === '' ? {} : (JSON.parse(stdout) as { Dir?: string; Sum?: string; Error?: string });
  if (module.Dir !== undefined && module.Sum === checksum) return module.Dir;
  const difference = module.Sum === undefined ? '' : `Its checksum is ${module.Sum} and must be ${checksum}. `;
  throw new Error(`needs ${path} ${version} from the Go module proxy. ${difference}${module.Error ?? ''}`);
}
