import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { AzimuthError } from '../base/errors.ts';
import { createLogger } from '../base/observability/log.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import type { Program } from './program.ts';
import { runCommand } from './sandbox/command-run.ts';
import { type PortName, portNames, type SandboxConfig, sandboxConfig, sandboxSettings } from './sandbox/config.ts';
import { holderOf, tryLock } from './sandbox/directory-lock.ts';
import { readFaults } from './sandbox/fail-scenarios.ts';
import { runRecording } from './sandbox/recording-run.ts';
import { replayFiles } from './sandbox/replay-files.ts';
import { terraformEnvironment } from './sandbox/terraform-environment.ts';

/**
 * Starts both, writes the files, and runs until the signal aborts or, with a command, until that has ended. `print` gets
 * the lines for a person. Resolves to the exit code.
 */
export async function runSandbox(
  config: SandboxConfig,
  signal: AbortSignal,
  print: (text: string) => void,
  command: readonly string[] = [],
): Promise<number> {
  const { directory, persist } = config;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const inDirectory = (name: string) => join(directory, name);
  const lock = inDirectory('lock');
  const release = tryLock(lock);
  if (!release) {
    const message = `process ${holderOf(lock)} runs a sandbox in ${directory}: choose another directory with --dir, or end it`;
    throw new AzimuthError('AZ_CONFIG_INVALID', message);
  }
  const wanted = { ...config.ports };
  const portsFile = inDirectory('ports.json');
  if (persist && existsSync(portsFile)) {
    const before = JSON.parse(readFileSync(portsFile, 'utf8')) as Record<PortName, number>;
    // The folder may be of a version with fewer endpoints.
    for (const name of portNames) wanted[name] ||= before[name] ?? 0;
  }
  const log = createLogger('azimuth-sandbox', { level: config.logLevel });
  log.info(loggable(sandboxSettings, config), 'sandbox starts');
  await using stack = new AsyncDisposableStack();
  stack.defer(release);
  const kube = await startEmbeddedKube({
    port: wanted.kube,
    log,
    ...(persist ? { dir: inDirectory('kube'), persistFile: inDirectory('kube/objects.jsonl') } : {}),
  });
  stack.defer(() => kube.close());
  const azure = await startEmbeddedAzure({
    ports: wanted,
    caFile: inDirectory('azure-ca.pem'),
    issuerCas: [kube.caPem],
    arm: { operationMs: config.operationMs, enforceRbac: config.rbac, expressionIssuers: [kube.issuerUrl] },
    log,
    ...(config.seed === undefined ? {} : { seed: config.seed }),
    ...(persist ? { stateFile: inDirectory('azure-state.json') } : {}),
  });
  stack.defer(() => azure.close());
  for (const file of config.fail) for (const fault of readFaults(file)) azure.faults.add(fault);
  writeFiles(directory, kube, azure);
  if (command.length > 0) {
    return await runCommand({ command, env: { ...process.env, ...clientEnvironment(directory, azure) }, signal });
  }
  const below = relative(process.cwd(), directory);
  const shown = below.startsWith('..') ? directory : below || '.';
  print(summary(shown, kube, azure));
  if (!signal.aborted)
    await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
  print('The sandbox ends.\n');
  return 0;
}

const portOf = (url: string) => Number(/:(\d+)$/.exec(url)?.[1]);

/** The variables by which programs find both. */
function clientEnvironment(directory: string, azure: EmbeddedAzure): Record<string, string> {
  return { ...azure.env(), ...terraformEnvironment(azure), KUBECONFIG: join(directory, 'kubeconfig') };
}

function writeFiles(directory: string, kube: EmbeddedKube, azure: EmbeddedAzure): void {
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text, { mode: 0o600 });
  const { endpoints } = azure;
  write('kubeconfig', kube.adminKubeconfig);
  write('azure.env', environmentText(clientEnvironment(directory, azure)));
  write('cloud.json', `${JSON.stringify(azCloud(azure), undefined, 2)}\n`);
  write('az.sh', azScript(directory, azure));
  write('admin.json', `${JSON.stringify({ url: endpoints.admin, token: azure.adminToken }, undefined, 2)}\n`);
  const inUse = {
    kube: kube.url,
    aad: endpoints.aad,
    arm: endpoints.arm,
    vault: endpoints.vaultSuffix,
    graph: endpoints.graph,
    imds: endpoints.imds,
    blob: endpoints.blob,
    queue: endpoints.queue,
    admin: endpoints.admin,
  };
  write(
    'ports.json',
    `${JSON.stringify(Object.fromEntries(Object.entries(inUse).map(([name, url]) => [name, portOf(url)])))}\n`,
  );
}

const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;

const environmentText = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join('');

/**
 * The cloud as `az cloud register --cloud-config` reads it. `/adfs` keeps az from validating the authority at
 * Microsoft.
 */
function azCloud({ endpoints }: EmbeddedAzure): object {
  return {
    endpoints: {
      activeDirectory: `${endpoints.aad}/adfs`,
      activeDirectoryResourceId: 'https://management.azure.com',
      activeDirectoryGraphResourceId: endpoints.aad,
      microsoftGraphResourceId: endpoints.graph,
      resourceManager: endpoints.arm,
      management: endpoints.arm,
      gallery: endpoints.arm,
    },
    suffixes: { keyvaultDns: `.${endpoints.vaultSuffix}`, storageEndpoint: 'core.windows.net' },
  };
}

/** Registers the sandbox as a cloud of the az command line, in its own configuration directory, and logs in. */
function azScript(directory: string, azure: EmbeddedAzure): string {
  const { defaultApp } = azure;
  const settings = environmentText({
    AZURE_CONFIG_DIR: join(directory, 'az'),
    AZURE_CORE_INSTANCE_DISCOVERY: 'false',
    REQUESTS_CA_BUNDLE: azure.caFile,
  });
  return `# Source this file to use the az command line with the sandbox.
${settings}az cloud update --name azimuth-sandbox --cloud-config @${quoted(join(directory, 'cloud.json'))} 2>/dev/null || az cloud register --name azimuth-sandbox --cloud-config @${quoted(join(directory, 'cloud.json'))}
az cloud set --name azimuth-sandbox
az login --service-principal --tenant adfs --username ${quoted(defaultApp.clientId)} --password=${quoted(defaultApp.secret)}
`;
}

function summary(directory: string, kube: EmbeddedKube, azure: EmbeddedAzure): string {
  const { endpoints } = azure;
  return `The sandbox is up.

  Kubernetes API       ${kube.url}
  Microsoft Entra ID   ${endpoints.aad}
  Resource Manager     ${endpoints.arm}
  Key Vault            https://<vault>.${endpoints.vaultSuffix}, and each vault at a port of its own
  Microsoft Graph      ${endpoints.graph}
  Blobs and queues     ${endpoints.blob}/<account>, ${endpoints.queue}/<account>
  Metadata endpoint    ${endpoints.imds}
  Admin endpoint       ${endpoints.admin}
  Tenant               ${azure.tenantId}
  Subscription         ${azure.subscriptionId}

  kubectl --kubeconfig ${directory}/kubeconfig get namespaces
  . ${directory}/azure.env     programs and SDKs (Kubernetes and Azure)
  . ${directory}/az.sh         the az command line
  ${directory}/admin.json      address and token of the admin endpoint

Interrupt (Ctrl-C) to end it.
`;
}

/** `azimuth sandbox`; resolves to the exit code. */
export const sandbox: Program = async (argv) => {
  const end = argv.indexOf('--');
  const config = sandboxConfig(end < 0 ? argv : argv.slice(0, end), process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const command = end < 0 ? [] : argv.slice(end + 1);
  if (end >= 0 && command.length === 0) throw new AzimuthError('AZ_CONFIG_INVALID', 'no command comes after --');
  const print = (text: string) => process.stdout.write(text);
  if (config.replay.length > 0) {
    if (end >= 0) throw new AzimuthError('AZ_CONFIG_INVALID', '--replay takes no command: it sends recorded requests');
    return await replayFiles(config.replay, print);
  }
  const { record: file, upstream, ports, directory } = config;
  if (file !== undefined) {
    return await runRecording({ file, upstream, port: ports.arm, directory, signal: stopSignal(), print, command });
  }
  return await runSandbox(config, stopSignal(), print, command);
};
