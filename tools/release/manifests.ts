import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { Crds } from '../../constructs/crds.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { type Files, tarGz } from './archive.ts';
import { cleanEnvironment, type Release } from './source.ts';

/**
 * The programs (`AZIMUTH_PROGRAMS`) of each install-NAME.yaml. Files can be applied together: what two of them have is
 * equal, but for `operator` and `deployments`, and for the two of Key Vault, which replace each other.
 */
export const programSets = {
  operator: 'operator',
  deployments: 'operator;machine-secrets;deployments',
  'pod-identity': 'pod-identity',
  'key-vault-volumes': 'key-vault-volumes',
  'key-vault-csi': 'key-vault-csi',
  ui: 'ui',
} as const;

/** Writes install-NAME.yaml of each program set: its definitions, then its programs. */
export function writeManifests({ folder, image, version }: Release): void {
  for (const [name, programs] of Object.entries(programSets)) {
    const env = { AZIMUTH_PROGRAMS: programs, AZIMUTH_IMAGE: `${image}:${version}` };
    const files = synthesize([], env, (output) => globSync(join(output, '*.k8s.yaml')).sort().map(readText));
    writeFileSync(join(folder, `install-${name}.yaml`), files.join('---\n'));
  }
}

const readText = (path: string) => readFileSync(path, 'utf8');

/** Runs the synthesis into a folder, gives it to `use` and removes it. */
export function synthesize<T>(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  use: (output: string) => T,
): T {
  const output = mkdtempSync(join(tmpdir(), 'azimuth-release-'));
  try {
    execFileSync(process.execPath, ['main.ts', '--output', output, ...args], {
      stdio: 'ignore',
      env: { ...cleanEnvironment(), ...env },
    });
    return use(output);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** Writes azimuth-definitions-VERSION.tar.gz: definitions/GROUP/KIND.yaml of every kind, in every version. */
export function writeDefinitions({ folder, version, time }: Release): void {
  const files: Files = Object.fromEntries(
    operatorKinds.map((kind) => {
      const chart = new Chart(new App(), 'definitions');
      new Crds(chart, 'Crds', { kinds: [kind] });
      // JSON is YAML, and half of the size.
      return [
        `definitions/${kind.group}/${kind.kind}.yaml`,
        chart
          .toJson()
          .map((it) => JSON.stringify(it))
          .join('\n'),
      ];
    }),
  );
  writeFileSync(join(folder, `azimuth-definitions-${version}.tar.gz`), tarGz(files, time));
}
