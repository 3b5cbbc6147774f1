import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What a tool printed about one object. */
export interface Result {
  readonly object: string;
  readonly status: string;
  readonly message?: string;
}

/** The end of a program. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where the built tools are, etcd and kube-apiserver among them. */
export function toolsFolder(): string {
  const tools = process.env['AZIMUTH_GITOPS_TOOLS'];
  if (tools) return tools;
  throw new Error('AZIMUTH_GITOPS_TOOLS must name the built tools: run `npm run test:judges -- gitops`');
}

/** Runs a program; a name without a slash is one of the built tools. */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const path = ['node', 'kubectl'].includes(program) ? program : join(toolsFolder(), program);
  const child = spawn(path, args, { stdio: 'pipe', env: { ...process.env, ...env } });
  child.stdin.on('error', () => undefined).end(input);
  const [[status], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { status: (status as number | null) ?? 1, stdout, stderr };
}

/** Standard output of a program that has to succeed. */
export async function succeed(...call: Parameters<typeof run>): Promise<string> {
  const { status, stdout, stderr } = await run(...call);
  if (status !== 0) throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${status}: ${stderr}\n${stdout}`);
  return stdout;
}

/** Runs a command of tools/judges/gitops on objects. */
export async function judge(args: readonly string[], objects: readonly object[] | string): Promise<Result[]> {
  const input = typeof objects === 'string' ? objects : objects.map((object) => JSON.stringify(object)).join('\n---\n');
  return JSON.parse(await succeed('gitops', args, { input })) as Result[];
}

/** Every program, so that the manifests have every object. */
export const everything = {
  AZIMUTH_KINDS: '*',
  AZIMUTH_PROGRAMS: 'operator;pod-identity;key-vault-volumes;key-vault-csi;machine-secrets;deployments',
  AZIMUTH_SECRETS_AUDIENCE: 'api://azimuth',
  AZIMUTH_DASHBOARD: 'true',
} as const;

/** Synthesizes into a folder of its own. */
export async function synth(env: Readonly<Record<string, string>> = {}, ...args: string[]): Promise<string> {
  const folder = temporaryFolder();
  await succeed('node', ['main.ts', ...args], { env: { ...env, CDK8S_OUTDIR: folder } });
  return folder;
}

const folders: string[] = [];

/** A new folder that `removeFolders` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-gitops-'));
  folders.push(folder);
  return folder;
}

/** Removes every folder of this file. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
