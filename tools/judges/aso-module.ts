/**
 * Azure Service Operator v2 as a judge: its Go module contains sample manifests (`samples`) and the recorded traffic of
 * its tests (`internal/controllers/recordings`). The module stays in Go's cache; nothing of it is committed.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Versions of the module with their checksums, as go.sum has them; the proxy refuses 2.14, 2.17, 2.19 and 2.21. */
const checksums: Readonly<Record<string, string>> = {
  'v2.18.0': 'h1:zMJCSbXZONI2lr8AnTR22ylAQx/NX8MPVpWWAYOMRQ8=',
  'v2.20.0': 'h1:kHDuLLrhumgo55ikiyAl/arEfliXpmyGp4Pum1YQDV8=',
};

/**
 * The directory of the unpacked module, downloaded the first time (54 MB, 400 MB unpacked); undefined after a message on
 * what is missing.
 * @param version One of the known versions. Default: that in `AZIMUTH_ASO`, otherwise the newest known one.
 */
export function asoModule(version = process.env['AZIMUTH_ASO'] || 'v2.20.0'): string | undefined {
  const checksum = checksums[version];
  if (checksum === undefined) {
    console.error(`AZIMUTH_ASO must be one of ${Object.keys(checksums).join(', ')}; it is ${version}.`);
    return undefined;
  }
  const args = ['mod', 'download', '-json', `github.com/Azure/azure-service-operator/v2@${version}`];
  const { error, stdout } = spawnSync('go', args, {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'on', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) {
    console.error(`The part aso needs Go, which downloads the module of Azure Service Operator: ${error.message}.`);
    return undefined;
  }
  const module = stdout === '' ? {} : (JSON.parse(stdout) as { Dir?: string; Sum?: string; Error?: string });
  if (module.Dir !== undefined && module.Sum === checksum) return module.Dir;
  const found = module.Sum === undefined ? '' : `Its checksum is ${module.Sum} and must be ${checksum}. `;
  console.error(
    `The part aso needs Azure Service Operator ${version} from the Go module proxy. ${found}${module.Error ?? ''}`,
  );
  return undefined;
}
