/**
 * Starts etcd and kube-apiserver from a directory of binaries (the envtest convention, KUBEBUILDER_ASSETS) on loopback,
 * with throw-away state and certificates.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import forge from 'node-forge';
import { createDispatcher } from '../../runtime/base/http/client.ts';

/** A kube-apiserver with its etcd. */
export interface ApiServer {
  readonly kubeconfig: string;
  /** Process id of kube-apiserver. */
  readonly pid: number;
  /** Starts one that serves definitions and custom resources only, of another version, beside this one; stops with it. */
  startDefinitionServer(program: string): Promise<Pick<ApiServer, 'kubeconfig' | 'pid'>>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 120_000;

/** Starts etcd and kube-apiserver from `assets`, with RBAC and an administrator. Rejects if one ends before it is ready. */
export async function startApiServer(assets: string): Promise<ApiServer> {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-envtest-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  const [etcdPort, peerPort, port, definitionsPort] = await freePorts(4);
  const authority = certificate('azimuth-envtest-ca');
  const caFile = file('ca.crt', authority.certPem);
  const serving = certificate('kube-apiserver', authority);
  const admin = certificate('admin', authority, 'system:masters');
  const signing = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = file('sa.key', signing.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string);
  const signingPub = file('sa.pub', signing.publicKey.export({ type: 'spki', format: 'pem' }) as string);

  const children: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    const log = openSync(join(directory, `${program}.log`), 'a');
    children.push(spawn(join(assets, program), args, { stdio: ['ignore', log, log] }));
  };
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  start(
    'etcd',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  );
  start(
    'kube-apiserver',
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${file('tls.crt', serving.certPem)}`,
    `--tls-private-key-file=${file('tls.key', serving.keyPem)}`,
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
      `--tls-cert-file=${join(directory, 'tls.crt')}`,
      `--tls-private-key-file=${join(directory, 'tls.key')}`,
      `--client-ca-file=${join(directory, 'ca.crt')}`,
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
  const stop = async () => {
    for (const child of children.reverse()) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGTERM')) continue;
      await gone;
    }
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ready(`${server}/readyz`, children);
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubeconfig, pid: children.at(-1)?.pid ?? 0, startDefinitionServer, stop };
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

interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
  readonly subject: forge.pki.CertificateField[];
}

/** Without an issuer: a self-signed authority. */
function certificate(commonName: string, issuer?: Certificate, organization?: string): Certificate {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyPem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.publicKeyFromPem(pair.publicKey.export({ type: 'spki', format: 'pem' }) as string);
  made.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  made.validity.notBefore = new Date(Date.now() - 3600_000);
  made.validity.notAfter = new Date(Date.now() + 24 * 3600_000);
  const subject = [
    { name: 'commonName', value: commonName },
    ...(organization ? [{ name: 'organizationName', value: organization }] : []),
  ];
  made.setSubject(subject);
  made.setIssuer(issuer?.subject ?? subject);
  made.setExtensions(
    issuer
      ? [
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 7, ip: '127.0.0.1' },
              { type: 2, value: 'localhost' },
            ],
          },
        ]
      : [
          { name: 'basicConstraints', cA: true },
          { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
        ],
  );
  made.sign(forge.pki.privateKeyFromPem(issuer?.keyPem ?? keyPem), forge.md.sha256.create());
  return { certPem: forge.pki.certificateToPem(made), keyPem, subject };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
