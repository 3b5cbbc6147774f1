import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { App } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { Platform } from '../../../constructs/platform.ts';
import { programsOf } from '../../../constructs/program-list.ts';

/** The objects of each file that `npm run synth` writes. */
function synth(programs: string, env: Record<string, string> = {}): Map<string, Record<string, unknown>[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'azimuth-synth-'));
  try {
    const app = new App({ outdir });
    const program = programsOf({ AZIMUTH_PROGRAMS: programs, ...env });
    new Platform(app, 'azimuth', { version: '1', image: 'azimuth:1', ...program });
    app.synth();
    const read = (file: string) =>
      parseAllDocuments(readFileSync(join(outdir, file), 'utf8')).map((document) => document.toJS());
    return new Map(readdirSync(outdir).map((file) => [file, read(file)]));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
const argumentsOf = (files: ReturnType<typeof synth>) => {
  const [agent] = [...files.values()].flat().filter(({ kind }) => kind === 'DaemonSet');
  // biome-ignore lint/suspicious/noExplicitAny: a manifest
  return (agent as any).spec.template.spec.containers[0].args as string[];
};

test.each(['key-vault-volumes', 'key-vault-csi'])('%s alone is written without an empty file', (programs) => {
  const files = synth(programs);
  expect([...files.keys()]).toEqual(['azimuth-programs.k8s.yaml']);
  for (const objects of files.values()) expect(objects.every((object) => object?.['kind'])).toBe(true);
});

test('each kind of volume is deployed by its own name, and both by one agent', () => {
  expect(argumentsOf(synth('key-vault-volumes')).join(' ')).not.toContain('--csi-socket');
  const csi = argumentsOf(synth('key-vault-csi'));
  expect(csi).toEqual(
    expect.arrayContaining(['--csi-socket=/var/run/secrets-store-csi-providers/azure.sock', '--install=false']),
  );
  const both = argumentsOf(synth('key-vault-volumes;key-vault-csi', { AZIMUTH_IDENTITY_SCOPES: 'a=/x' }));
  expect(both.filter((argument) => argument.startsWith('--csi-socket'))).toHaveLength(1);
  expect(both).toEqual(expect.arrayContaining(['--host-root=/host', '--identity-scopes=a=/x']));
});
