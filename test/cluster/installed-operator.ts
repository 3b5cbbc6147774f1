import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { kubectl, takeAway } from './kubectl.ts';

/**
 * The operator as the synthesized manifests run it, on the API server that KUBECONFIG names: under the service account
 * and the roles they made, against the embedded Azure.
 */
export interface InstalledOperator {
  readonly azure: EmbeddedAzure;
  readonly logFile: string;
  remove(): Promise<void>;
}

/** `kinds` is a pattern as in AZIMUTH_KINDS. */
export async function installOperator(kinds: string): Promise<InstalledOperator> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-cluster-'));
  const manifests = join(directory, 'dist');
  const logFile = join(directory, 'operator.log');
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const synth = spawnSync('node', ['main.ts'], {
    env: {
      ...process.env,
      AZIMUTH_KINDS: kinds,
      CDK8S_OUTDIR: manifests,
      KUBERNETES_VERSION: `${major}.${minor}`,
    },
    encoding: 'utf8',
  });
  if (synth.status !== 0) throw new Error(synth.stderr);
  const ours = ['-l', 'app.kubernetes.io/name=azimuth'];
  await kubectl(['apply', '-f', manifests]);
  await kubectl(['wait', '--for=condition=Established', '--timeout=300s', 'crd', ...ours]);
  const azure = await startEmbeddedAzure();
  const operator = await startOperator(azure, directory, logFile, kinds);
  return {
    azure,
    logFile,
    async remove() {
      await operator.stop();
      await azure.close();
      await takeAway(manifests);
      rmSync(directory, { recursive: true });
    },
  };
}

async function startOperator(
  azure: EmbeddedAzure,
  directory: string,
  logFile: string,
  kinds: string,
): Promise<ProgramProcess> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const path = '/api/v1/namespaces/azimuth-system/serviceaccounts/azimuth-operator/token';
  const { status } = JSON.parse(await kubectl(['create', '--raw', path, '-f', '-'], JSON.stringify(review)));
  const admin = JSON.parse(await kubectl(['config', 'view', '--raw', '--minify', '-o', 'json']));
  const kubeconfig = join(directory, 'operator.kubeconfig');
  const users = [{ name: 'operator', user: { token: status.token } }];
  const contexts = [{ name: 'operator', context: { cluster: admin.clusters[0].name, user: 'operator' } }];
  writeFileSync(kubeconfig, JSON.stringify({ ...admin, users, contexts, 'current-context': 'operator' }), {
    mode: 0o600,
  });
  const env = {
    ...azure.env(),
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: 'azimuth-system',
    NO_PROXY: 'localhost,127.0.0.1',
  };
  const healthPort = await freePort();
  const started = new ProgramProcess(
    ['operator', `--health-port=${healthPort}`, `--kinds=${kinds}`, '--log-level=debug'],
    env,
    logFile,
  );
  await started.ready(healthPort);
  return started;
}
