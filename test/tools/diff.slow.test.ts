import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-diff-test-'));
const run = (script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync('node', [script, ...args], {
    env: { ...process.env, AZIMUTH_KINDS: 'resources.azure.com/*', ...env },
    encoding: 'utf8',
  });

beforeAll(() => {
  expect(run('main.ts', [], { CDK8S_OUTDIR: folder }).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder with the same synthesis has no difference', () => {
  const { status, stdout } = run('tools/diff.ts', [folder]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('another image is shown as the line that changes, and ends with 1', () => {
  const { status, stdout } = run('tools/diff.ts', [folder], { AZIMUTH_IMAGE: 'registry.example/azimuth:9' });
  const changed = stdout.split('\n').filter((line) => /^[-+] /.test(line));
  expect(changed.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    expect.stringMatching(/^- image: azimuth:/),
    '+ image: registry.example/azimuth:9',
  ]);
  expect(status).toBe(1);
});

test('a manifest that the synthesis no longer writes is shown', () => {
  writeFileSync(join(folder, 'azimuth-former.k8s.yaml'), 'kind: ConfigMap\n');
  const { status, stdout } = run('tools/diff.ts', [folder]);
  expect(stdout).toContain('-kind: ConfigMap');
  expect(status).toBe(1);
});

test('a folder that does not exist is named, and no argument is an error', () => {
  expect(run('tools/diff.ts', ['nowhere'])).toMatchObject({ status: 2, stderr: expect.stringContaining('`nowhere`') });
  expect(run('tools/diff.ts', []).status).toBe(2);
  const environment = run('tools/diff.ts', [folder], { AZIMUTH_VERSIONS: 'latest' });
  expect(environment).toMatchObject({ status: 2, stderr: expect.stringContaining('Expected AZIMUTH_VERSIONS') });
});

test.each([
  [['--cluster', 'folder']],
  [['--cluster', '--force-conflicts=maybe']],
  [['--field-manager', 'flux']],
  [['--cluster', '--unknown']],
])('the arguments %p are refused', (args) => {
  expect(run('tools/diff.ts', args)).toMatchObject({ status: 2, stderr: expect.stringMatching(/^diff: /) });
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const cluster = hasKubectl ? describe : describe.skip;
cluster(`the cluster that a GitOps controller manages${hasKubectl ? '' : ' (needs kubectl on the PATH)'}`, () => {
  let kube: EmbeddedKube;
  let kubeconfig: string;
  beforeAll(async () => {
    kube = await startEmbeddedKube();
    kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kube.adminKubeconfig);
    rmSync(join(folder, 'azimuth-former.k8s.yaml'), { force: true });
    const applied = await command('kubectl', [
      ...['apply', '--server-side', '--field-manager=argocd-controller'],
      ...['-f', join(folder, '0000-azimuth-crds.k8s.yaml'), '-f', join(folder, '0001-azimuth-programs.k8s.yaml')],
    ]);
    expect(applied).toMatchObject({ status: 0 });
  }, 60_000);
  afterAll(() => kube?.close());

  /** The server runs in this process, so the program runs beside it. */
  const command = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    new Promise<{ status: number; stdout: string; stderr: string }>((done) => {
      const all = { ...process.env, AZIMUTH_KINDS: 'resources.azure.com/*', KUBECONFIG: kubeconfig, ...env };
      const options = { env: all, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(program, args, options, (_, stdout, stderr) =>
        done({ status: child.exitCode ?? 1, stdout, stderr }),
      );
    });
  const diff = (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
    command('node', ['tools/diff.ts', '--cluster', ...args], env);
  const image = { AZIMUTH_IMAGE: 'registry.example/azimuth:9' };

  test('has no difference to the same synthesis', async () => {
    expect(await diff()).toEqual({ status: 0, stdout: '', stderr: 'diff: as the field manager argocd-controller\n' });
  });

  test('has another image, without a conflict', async () => {
    const { status, stdout } = await diff([], image);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\+ +image: registry\.example\/azimuth:9$/m);
    expect(stdout).toMatch(/^- +image: azimuth:/m);
  });

  test('is compared as another manager, whose conflicts are shown only on request', async () => {
    expect(await diff(['--field-manager=kubectl'], image)).toMatchObject({ status: 1 });
    const refused = await diff(['--field-manager', 'kubectl', '--force-conflicts=false'], image);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('argocd-controller') });
  });
});
