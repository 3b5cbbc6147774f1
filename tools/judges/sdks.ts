/**
 * The current Azure SDKs as judges of the node daemon's refusals: one small program for each language, with the newest
 * release that its package registry has. They stay in the judges' cache.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** A program that takes `default` or `managed` and a client id, and prints `{ms, text}`. */
export interface SdkProgram {
  readonly sdk: string;
  readonly version: string;
  readonly command: readonly string[];
}

type Install = (directory: string) => Omit<SdkProgram, 'sdk'>;

const sources = resolve('tools/judges/sdks');

const installs: Readonly<Record<string, Install>> = {
  JavaScript() {
    const { version } = JSON.parse(readFileSync('node_modules/@azure/identity/package.json', 'utf8')) as {
      version: string;
    };
    return { version, command: [process.execPath, join(sources, 'chain.ts')] };
  },
  Python(directory) {
    const python = join(directory, 'bin', 'python3');
    if (!existsSync(python)) run('python3', ['-m', 'venv', directory]);
    run(python, ['-m', 'pip', 'install', '-q', '--upgrade', '--disable-pip-version-check', 'azure-identity']);
    const version = run(python, ['-c', 'import azure.identity; print(azure.identity.__version__)']);
    return { version, command: [python, join(sources, 'chain.py')] };
  },
  Go(directory) {
    const module = 'github.com/Azure/azure-sdk-for-go/sdk/azidentity';
    copyFileSync(join(sources, 'go', 'main.go'), join(directory, 'main.go'));
    if (!existsSync(join(directory, 'go.mod'))) run('go', ['mod', 'init', 'sdks'], directory);
    run('go', ['get', `${module}@latest`], directory);
    run('go', ['mod', 'tidy'], directory);
    run('go', ['build', '-o', 'chain', '.'], directory);
    const version = run('go', ['list', '-m', '-f', '{{.Version}}', module], directory);
    return { version, command: [join(directory, 'chain')] };
  },
  Java(directory) {
    copyFileSync(join(sources, 'java', 'pom.xml'), join(directory, 'pom.xml'));
    const classpath = join(directory, 'classpath');
    run('mvn', ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${classpath}`], directory);
    const jars = readFileSync(classpath, 'utf8').trim();
    run('javac', ['-cp', jars, '-d', directory, join(sources, 'java', 'Chain.java')]);
    const version = /azure-identity-([^/]+)\.jar/.exec(jars)?.[1] ?? '';
    return { version, command: ['java', '-cp', `${directory}:${jars}`, 'Chain'] };
  },
  Rust(directory) {
    cpSync(join(sources, 'rust'), directory, { recursive: true });
    if (!existsSync(join(directory, 'Cargo.toml'))) run('cargo', ['init', '-q', '--name', 'chain'], directory);
    run('cargo', ['add', '-q', 'azure_core', 'azure_identity', 'serde_json'], directory);
    run('cargo', ['add', '-q', 'tokio', '--features', 'macros,rt-multi-thread'], directory);
    run('cargo', ['update', '-q'], directory);
    run('cargo', ['build', '-q', '--release'], directory);
    const lock = readFileSync(join(directory, 'Cargo.lock'), 'utf8');
    const version = /name = "azure_identity"\nversion = "([^"]+)"/.exec(lock)?.[1] ?? '';
    return { version, command: [join(directory, 'target', 'release', 'chain')] };
  },
};

/** Installs each SDK. Prints NOT RUN with the missing program for one that cannot be installed, and leaves it out. */
export function installSdks(): SdkProgram[] {
  const cache = process.env['AZIMUTH_JUDGES'] ?? join(homedir(), '.cache', 'azimuth-judges');
  return Object.entries(installs).flatMap(([sdk, install]) => {
    const directory = join(cache, 'sdks', sdk.toLowerCase());
    mkdirSync(directory, { recursive: true });
    try {
      return [{ sdk, ...install(directory) }];
    } catch (error) {
      console.error(`NOT RUN: ${sdk}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
}

/** The output of a program. Throws where it is missing or fails, with its words. */
function run(program: string, args: readonly string[], cwd?: string): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (error) throw new Error(`${program} is missing (${error.message})`);
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${(stderr || stdout).trim().slice(0, 500)}`);
  return stdout.trim();
}
