/**
 * Starts etcd and kube-apiserver from a directory of binaries (the envtest convention, KUBEBUILDER_ASSETS) on loopback,
 * with throw-away state and certificates.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { certificate } from './certificate.ts';

/** A kube-apiserver with its etcd. */
export interface ApiServer {
  readonly kubeconfig: string;
  /** Process id of kube-apiserver; another one after `restore`. */
  readonly pid: number;
  /** Starts one that serves definitions and custom resources only, of another version, beside this one; stops with it. */
  startDefinitionServer(program: string): Promise<Pick<ApiServer, 'kubeconfig' | 'pid'>>;
  /** Copies the data of etcd as they are now, as a snapshot of its disk does. */
  backUp(): Promise<void>;
  /** Kills all programs, and starts the two with the copy of `backUp`. Resolves once the API server is ready again. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 120_000;
/** Until all threads of a process have stopped. */
const STOPPED_MS = 100;

/** Starts etcd and kube-apiserver from `assets`, with RBAC and an administrator. Rejects if one ends before it is ready. */
export async function startApiServer(assets: string): Promise<ApiServer> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-envtest-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  const [etcdPort, peerPort, port, definitionsPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const authority = certificate('azimuth-envtest-ca');
  const caFile = file('ca.crt', authority.certPem);
  const serving = certificate('kube-apiserver', authority);
  const admin = certificate('admin', authority, 'system:masters');
  const signing = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = file('sa.key', signing.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string);
  const signingPub = file('sa.pub', signing.publicKey.export({ type: 'spki', format: 'pem' }) as string);

  const [data, copy] = [join(directory, 'etcd'), join(directory, 'etcd-backup')];
  const children: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    const log = openSync(join(directory, `${program}.log`), 'a');
    const child = spawn(join(assets, program), args, { stdio: ['ignore', log, log] });
    closeSync(log);
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    children.push(child);
    return child;
  };
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const [certFile, keyFile] = [file('tls.crt', serving.certPem), file('tls.key', serving.keyPem)];
  const startBoth = () => {
    const etcd = start(
      'etcd',
      `--data-dir=${data}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
    );
    const server = start(
      'kube-apiserver',
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--client-ca-file=${caFile}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.96.0.0/16',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${signingPub}`,
      `--service-account-signing-key-file=${signingKey}`,
      '--disable-admission-plugins=ServiceAccount',
      // The beta form of MutatingAdmissionPolicy, which is all that 1.34 and 1.35 have.
      '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
    );
    return { etcd, server };
  };
  let running = startBoth();
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const kubeconfigOf = (server: string) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'envtest',
      contexts: [{ name: 'envtest', context: { cluster: 'envtest', user: 'admin' } }],
      clusters: [{ name: 'envtest', cluster: { server, 'certificate-authority-data': base64(authority.certPem) } }],
      users: [
        {
          name: 'admin',
          user: { 'client-certificate-data': base64(admin.certPem), 'client-key-data': base64(admin.keyPem) },
        },
      ],
    });
  const server = `https://127.0.0.1:${port}`;
  const kubeconfig = file('kubeconfig', kubeconfigOf(server));
  const startDefinitionServer = async (program: string) => {
    const url = `https://127.0.0.1:${definitionsPort}`;
    start(
      program,
      `--etcd-servers=${etcdUrl}`,
      '--etcd-prefix=/definitions',
      '--bind-address=127.0.0.1',
      `--secure-port=${definitionsPort}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--client-ca-file=${caFile}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--enable-priority-and-fairness=false',
      // Their policies are of API groups that an older kube-apiserver does not have.
      '--disable-admission-plugins=ValidatingAdmissionPolicy,MutatingAdmissionPolicy',
    );
    await ready(`${url}/readyz`, children);
    return { kubeconfig: file('definitions.kubeconfig', kubeconfigOf(url)), pid: children.at(-1)?.pid ?? 0 };
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    // The API server ends before its etcd.
    for (const child of children.splice(0).reverse()) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null || child.signalCode !== null || !child.kill(signal)) continue;
      await gone;
    }
  };
  const backUp = async () => {
    running.etcd.kill('SIGSTOP');
    try {
      await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
      cpSync(data, copy, { recursive: true });
    } finally {
      running.etcd.kill('SIGCONT');
    }
  };
  const restore = async () => {
    // At SIGTERM the API server waits a minute for its watches.
    await end('SIGKILL');
    rmSync(data, { recursive: true });
    cpSync(copy, data, { recursive: true });
    running = startBoth();
    await ready(`${server}/readyz`, children);
  };
  const stop = async () => {
    await end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ready(`${server}/readyz`, children);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    kubeconfig,
    get pid() {
      return running.server.pid ?? 0;
    },
    startDefinitionServer,
    backUp,
    restore,
    stop,
  };
}

async function ready(url: string, children: readonly ChildProcess[]): Promise<void> {
  const dispatcher = createDispatcher({ rejectUnauthorized: false, proxy: 'none' });
  const { origin, pathname } = new URL(url);
  try {
    for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline; ) {
      const died = children.find((child) => child.exitCode !== null || child.signalCode !== null);
      if (died) throw new Error(`${died.spawnfile} ended with ${died.exitCode ?? died.signalCode} while starting`);
      const answer = await dispatcher.request({ origin, path: pathname }).catch(() => undefined);
      await answer?.body.dump();
      if (answer?.statusCode === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await dispatcher.close();
  }
  throw new Error(`kube-apiserver was not ready within ${START_LIMIT_MS / 1000} s`);
}
