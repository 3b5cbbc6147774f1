import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terraformEnvironment } from '../../../runtime/cli/sandbox/terraform-environment.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { TerraformPrograms } from './programs.ts';
import { startLocalProxy } from './proxy.ts';
import { configurationOf } from './resources.ts';

/** Which step of a resource failed first, if any. */
export interface Outcome {
  readonly resource: string;
  /** The first step that failed. */
  readonly failed?: 'create' | 'plan' | 'destroy';
  /** What the program said about it. */
  readonly reason?: string;
}

/** Creates the resource on an Azure of its own, plans without a change, and destroys it. */
export async function runResource(resource: string, programs: TerraformPrograms): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const azure = await startEmbeddedAzure({ arm: { operationMs: 50, alwaysRetryAfter: true, vaultUri: 'name' } });
  stack.defer(() => azure.close());
  const proxy = await startLocalProxy();
  stack.defer(() => proxy.close());
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-terraform-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'main.tf'), configurationOf(resource));
  const settings = join(directory, 'tofu.rc');
  const providers = JSON.stringify(programs.providers);
  writeFileSync(settings, `provider_installation {\n  dev_overrides { "hashicorp/azurerm" = ${providers} }\n}\n`);
  const env = {
    ...terraformEnvironment(azure),
    PATH: process.env['PATH'],
    // What it sends: for whoever looks into a failure.
    TF_LOG: process.env['TF_LOG'],
    TF_LOG_PATH: process.env['TF_LOG_PATH'],
    HOME: directory,
    HTTPS_PROXY: proxy.url,
    SSL_CERT_FILE: azure.caFile,
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: 'true',
    CHECKPOINT_DISABLE: 'true',
  };
  const steps = [
    ['create', ['apply', '-auto-approve']],
    ['plan', ['plan', '-detailed-exitcode']],
    ['destroy', ['destroy', '-auto-approve']],
  ] as const;
  let outcome: Outcome = { resource };
  for (const [step, words] of steps) {
    const args = [...words, '-input=false', '-no-color'];
    const { status, output } = await run(programs.tofu, args, { cwd: directory, env });
    if (status !== 0) outcome = { failed: step, reason: reasonOf(output), ...outcome };
    // What was created is destroyed in any case.
    if (status !== 0 && step === 'create') break;
  }
  if (proxy.refused.size > 0) console.error(`${resource} asked for ${[...proxy.refused].join(', ')}.`);
  return outcome;
}

/** What OpenTofu says in its first error, or plans to change. */
function reasonOf(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^[│╷╵ ]+/, '').trim());
  const error = lines.findIndex((line) => line.startsWith('Error: '));
  if (error >= 0)
    return lines
      .slice(error, error + 8)
      .filter(Boolean)
      .join(' ');
  return lines.filter((line) => /^([-+~]|-\/\+) /.test(line)).join('; ');
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function run(program: string, args: readonly string[], options: RunOptions) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise<{ status: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}
