import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One resource of a stack's state. */
export interface StateResource {
  readonly protect?: boolean;
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
  readonly inputs?: any;
  readonly dependencies?: readonly string[];
  readonly parent?: string;
  readonly retainOnDelete?: boolean;
}

/** The Pulumi CLI with a home and a file backend of its own. */
export class PulumiCli {
  readonly #directory = mkdtempSync(join(tmpdir(), 'azimuth-pulumi-'));
  readonly #program: string;
  readonly #ports: Readonly<Record<'language' | 'azure' | 'kubernetes', number>>;

  constructor(program: string, ports: Readonly<Record<'language' | 'azure' | 'kubernetes', number>>) {
    this.#program = program;
    this.#ports = ports;
  }

  /** Makes the stack `dev` of a project, with its configuration. */
  async init(stack: string, config: Readonly<Record<string, string>>): Promise<void> {
    await this.run(stack, ['stack', 'init', 'organization/'.concat(projectOf(stack), '/dev')]);
    for (const [name, value] of Object.entries(config)) {
      const isPath = name.includes('.') || name.includes('[');
      await this.run(stack, ['config', 'set', ...(isPath ? ['--path'] : []), '--plaintext', name, value]);
    }
  }

  /** Runs a command in a stack's directory; what it printed. @throws where it fails, with what it printed */
  async run(stack: string, args: readonly string[]): Promise<string> {
    const child = spawn(this.#program, [...args, '--non-interactive', '--cwd', `stacks/${stack}`], {
      env: {
        PATH: process.env['PATH'],
        HOME: this.#directory,
        PULUMI_HOME: this.#directory,
        PULUMI_BACKEND_URL: `file://${this.#directory}`,
        PULUMI_CONFIG_PASSPHRASE: 'of the test',
        PULUMI_SKIP_UPDATE_CHECK: 'true',
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
        PULUMI_STACK: `organization/${projectOf(stack)}/dev`,
        PULUMI_DEBUG_LANGUAGES: `nodejs:${this.#ports.language}`,
        PULUMI_DEBUG_PROVIDERS: `azure-native:${this.#ports.azure},kubernetes:${this.#ports.kubernetes}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, said] = ['', ''];
    child.stdout.on('data', (text) => {
      out += text;
      said += text;
    });
    child.stderr.on('data', (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`pulumi ${args.join(' ')} in ${stack} ended with ${code}:\n${said.slice(-6000)}`);
    return out;
  }

  async outputs(stack: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.run(stack, ['stack', 'output', '--json']));
  }

  async state(stack: string): Promise<StateResource[]> {
    return JSON.parse(await this.run(stack, ['stack', 'export'])).deployment.resources ?? [];
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const projectOf = (stack: string) => (stack === 'platform' ? 'azimuth' : `azimuth-${stack}`);
