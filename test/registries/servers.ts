import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { eventually } from '../fakes/eventually.ts';
import { toolsFolder } from '../gitops/support.ts';
import { run } from '../release/support.ts';

/** A program that a test started. */
export interface Server {
  /** `127.0.0.1` and the port, or the path of a socket. */
  readonly address: string;
  stop(): Promise<void>;
}

/** A registry of images, with its files below a folder. `added` settings are added, such as those of its authentication. */
export async function startImageRegistry(folder: string, added: object = {}): Promise<Server> {
  const address = `127.0.0.1:${await freePort()}`;
  const settings = {
    version: 0.1,
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: address },
    ...added,
  };
  const config = file(folder, 'registry.yml', settings);
  const running = start(folder, 'registry', join(toolsFolder(), 'registry'), ['serve', config]);
  await answers(`http://${address}/v2/`, running);
  return { address, stop: () => end(running) };
}

/** A registry of npm packages, which has those of the machine's registry too. */
export async function startNpmRegistry(folder: string): Promise<Server> {
  const program = process.env['AZIMUTH_VERDACCIO'];
  if (!program) throw new Error('AZIMUTH_VERDACCIO must name verdaccio: run `npm run test:judges -- registries`');
  const address = `127.0.0.1:${await freePort()}`;
  const others = run('npm', ['config', 'get', 'registry'], folder).trim();
  const settings = {
    storage: join(folder, 'packages'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: { others: { url: others } },
    packages: {
      azimuth: { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'others' },
    },
    log: { type: 'stdout', level: 'warn' },
  };
  const config = file(folder, 'verdaccio.yml', settings);
  const running = start(folder, 'verdaccio', process.execPath, [program, '--config', config, '--listen', address]);
  await answers(`http://${address}/-/ping`, running);
  return { address, stop: () => end(running) };
}

/** containerd with files and socket below a folder. */
export async function startContainerd(folder: string): Promise<Server> {
  const address = join(folder, 'containerd.sock');
  const settings = [
    'version = 2',
    `root = "${join(folder, 'root')}"`,
    `state = "${join(folder, 'state')}"`,
    // Nothing of kubelet's.
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
    '[grpc]',
    `address = "${address}"`,
  ];
  const config = join(folder, 'containerd.toml');
  writeFileSync(config, settings.join('\n'));
  const running = start(folder, 'containerd', 'containerd', ['--config', config]);
  await eventually('containerd has a socket', () => existsSync(address) || checkRuns(running));
  return { address, stop: () => end(running) };
}

function file(folder: string, name: string, settings: object): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), stringify(settings));
  return join(folder, name);
}

/** A program that runs, and the file of its log. */
interface Running {
  readonly child: ChildProcess;
  readonly log: string;
}

function start(folder: string, name: string, program: string, args: readonly string[]): Running {
  const log = join(folder, `${name}.log`);
  const file = openSync(log, 'w');
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none', NODE_OPTIONS: '' };
  const child = spawn(program, args, { stdio: ['ignore', file, file], env }).on('error', () => undefined);
  closeSync(file);
  return { child, log };
}

/** Always false. @throws with the log of a program that has ended */
function checkRuns({ child, log }: Running): false {
  if (child.pid !== undefined && child.exitCode === null) return false;
  throw new Error(`${child.spawnargs.join(' ')} has ended: ${readFileSync(log, 'utf8').slice(-2000)}`);
}

async function answers(url: string, running: Running): Promise<void> {
  const isReady = () =>
    fetch(url).then(
      ({ ok, status }) => ok || status === 401,
      () => checkRuns(running),
    );
  await eventually(`${url} answers`, isReady);
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
