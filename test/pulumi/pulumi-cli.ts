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

/** Where the language host and the providers listen. */
interface Ports {
  readonly language: number;
  readonly azure?: number;
  readonly kubernetes?: number;
}

/** The Pulumi CLI with a home and a file backend of its own. */
export class PulumiCli {
  readonly #directory = mkdtempSync(join(tmpdir(), 'azimuth-pulumi-'));
  readonly #program: string;
  readonly #ports: Ports;
  readonly #plugins: string;

  /** Providers that have no port are programs in the folder `plugins`. */
  constructor(program: string, ports: Ports, plugins = '') {
    this.#program = program;
    this.#ports = ports;
    this.#plugins = plugins;
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
    const { language, azure, kubernetes } = this.#ports;
    const providers = Object.entries({ 'azure-native': azure, kubernetes }).filter(([, port]) => port !== undefined);
    const child = spawn(this.#program, [...args, '--non-interactive', '--cwd', `stacks/${stack}`], {
      env: {
        PATH: `${this.#plugins}:${process.env['PATH']}`,
        KUBECONFIG: process.env['KUBECONFIG'],
        HOME: this.#directory,
        PULUMI_HOME: this.#directory,
        PULUMI_BACKEND_URL: `file://${this.#directory}`,
        PULUMI_CONFIG_PASSPHRASE: 'of the test',
        PULUMI_SKIP_UPDATE_CHECK: 'true',
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
        PULUMI_STACK: `organization/${projectOf(stack)}/dev`,
        PULUMI_DEBUG_LANGUAGES: `nodejs:${language}`,
        PULUMI_DEBUG_PROVIDERS: providers.map((each) => each.join(':')).join(','),
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
