/**
 * Azure Service Operator v2 as a judge: its Go module contains sample manifests (`samples`) and the recorded traffic of
 * its tests (`internal/controllers/recordings`). The module stays in Go's cache; nothing of it is committed.
 */
import { downloadGoModule, type GoModule } from './go-module.ts';

/** Versions of the module with their checksums, as go.sum has them; the proxy refuses 2.14, 2.17, 2.19 and 2.21. */
const checksums = {
  'v2.18.0': 'h1:zMJCSbXZONI2lr8AnTR22ylAQx/NX8MPVpWWAYOMRQ8=',
  'v2.20.0': 'h1:kHDuLLrhumgo55ikiyAl/arEfliXpmyGp4Pum1YQDV8=',
};

/** The module at one of the known versions. */
export function aso(version: keyof typeof checksums): GoModule {
  return { path: 'github.com/Azure/azure-service-operator/v2', version, checksum: checksums[version] };
}

const isKnown = (version: string): version is keyof typeof checksums => version in checksums;

/**
 * The directory of the unpacked module, downloaded the first time (54 MB, 400 MB unpacked); undefined after a message on
 * what is missing.
 * @param version One of the known versions. Default: that in `AZIMUTH_ASO`, otherwise the newest known one.
 */
export function asoModule(version = process.env['AZIMUTH_ASO'] || 'v2.20.0'): string | undefined {
  if (!isKnown(version)) {
    console.error(`AZIMUTH_ASO must be one of ${Object.keys(checksums).join(', ')}; it is ${version}.`);
    return undefined;
  }
  try {
    return downloadGoModule(aso(version));
  } catch (error) {
    console.error(`The part aso ${(error as Error).message}`);
    return undefined;
  }
}
