import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ids } from '../../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../../sandbox/azure/pki.ts';
import { RecordingProxy } from '../../../sandbox/record/proxy.ts';
import { SessionRecorder } from '../../../sandbox/record/session-recorder.ts';
import { createDispatcher } from '../../base/http/client.ts';
import { runCommand } from './command-run.ts';

/** What is recorded, and how. */
export interface Recording {
  /** The file for the session. */
  readonly file: string;
  /** Origin of the Resource Manager. */
  readonly upstream: string;
  /** Of the proxy; 0 picks a free one. */
  readonly port: number;
  /** Where the certificates go that clients trust. */
  readonly directory: string;
  /** When it aborts, the recording ends. */
  readonly signal: AbortSignal;
  /** Gets the lines for a person. */
  readonly print: (text: string) => void;
  /** Runs in the environment of the recording, which ends with it; without one the signal ends it. @default none */
  readonly command: readonly string[];
  /** PEM certificates that the upstream's is checked by. @default those of Node.js */
  readonly upstreamCa?: string;
}

/** Records until the command or the signal ends it, and writes the file. Resolves to the exit code. */
export async function runRecording(recording: Recording): Promise<number> {
  const { file, upstream, port, directory, signal, print, command, upstreamCa } = recording;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const recorder = new SessionRecorder();
  const { ca, tls } = await certificates();
  const dispatcher = createDispatcher(upstreamCa === undefined ? {} : { ca: upstreamCa });
  const proxy = await RecordingProxy.start({ upstream, dispatcher, recorder, tls }, port);
  const caFile = join(directory, 'record-ca.pem');
  writeFileSync(caFile, [ca.certPem, ...trustedBefore(process.env['NODE_EXTRA_CA_CERTS'])].join('\n'));
  try {
    if (command.length > 0) {
      const env = { ...process.env, ...environment(proxy.url, upstream, caFile) };
      return await runCommand({ command, env, signal });
    }
    print(`Send requests to ${proxy.url}, which passes them on to ${upstream}.\n`);
    print(`Its certificate is in ${caFile}. Interrupt (Ctrl-C) to write ${file}.\n`);
    if (!signal.aborted)
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
    return 0;
  } finally {
    await proxy.close();
    await dispatcher.close();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, recorder.text(), { mode: 0o600 });
  }
}

/** A CA with a name of its own: the client may trust that of a sandbox too. */
async function certificates() {
  const common = { ids: new Ids(undefined, { counter: 0 }), now: Date.now(), days: 30 };
  const ca = await issueCertificate({ ...common, commonName: 'Azimuth recording CA', ca: true });
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1', '::1'] };
  return { ca, tls: await issueCertificate({ ...common, ...names, commonName: 'localhost', issuer: ca }) };
}

/** The endpoint is the proxy; audience and authority stay those of the client's Azure. */
const environment = (url: string, upstream: string, caFile: string) => ({
  AZURE_RESOURCE_MANAGER_ENDPOINT: url,
  AZURE_RESOURCE_MANAGER_AUDIENCE: process.env['AZURE_RESOURCE_MANAGER_AUDIENCE'] ?? upstream,
  AZURE_AUTHORITY_HOST: process.env['AZURE_AUTHORITY_HOST'] ?? 'https://login.microsoftonline.com',
  NODE_EXTRA_CA_CERTS: caFile,
});

function trustedBefore(file: string | undefined): string[] {
  return file === undefined || file === '' ? [] : [readFileSync(file, 'utf8')];
}
