import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';

const require = createRequire(import.meta.url);
const protos = '@pulumi/pulumi/proto';
// biome-ignore lint/suspicious/noExplicitAny: generated messages without types
export const messages = (name: string): any => require(`${protos}/${name}_pb.js`);
// biome-ignore lint/suspicious/noExplicitAny: generated services without types
export const services = (name: string): any => require(`${protos}/${name}_grpc_pb.js`);

// biome-ignore lint/suspicious/noExplicitAny: any request of any service
export type Handlers = Readonly<Record<string, (request: any) => unknown>>;

/** Serves one gRPC service on a free port of 127.0.0.1. A handler's error becomes the status of the call. */
export async function serveGrpc(definition: object, handlers: Handlers): Promise<{ port: number; close(): void }> {
  const server = new Server();
  const implementation = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (call: { request: unknown }, done: (error: unknown, answer?: unknown) => void) => {
        Promise.resolve()
          .then(() => handle(call.request))
          .then(
            (answer) => done(null, answer),
            (error: Error) => done({ code: 2, message: error.message }),
          );
      },
    ]),
  );
  server.addService(definition as ServiceDefinition, implementation as unknown as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

/**
 * The language host of Node. The one of Pulumi is in no registry; like it, this one runs the package's own
 * `cmd/run` for each program.
 */
export async function startLanguageHost(): Promise<{ port: number; close(): void }> {
  const language = messages('language');
  const plugin = messages('plugin');
  const { Empty } = require('google-protobuf/google/protobuf/empty_pb.js');
  const runner = join(require.resolve('@pulumi/pulumi/package.json'), '..', 'cmd', 'run', 'index.js');
  return serveGrpc(services('language').LanguageRuntimeService, {
    handshake: () => new language.LanguageHandshakeResponse(),
    getRequiredPlugins: () => new language.GetRequiredPluginsResponse(),
    getRequiredPackages: () => new language.GetRequiredPackagesResponse(),
    getPluginInfo: () => {
      const info = new plugin.PluginInfo();
      info.setVersion('0.0.0');
      return info;
    },
    about: () => new language.AboutResponse(),
    installDependencies: () => new Empty(),
    run: async (request) => {
      const directory = request.getInfo()?.getProgramDirectory() || request.getPwd();
      const entry = request.getInfo()?.getEntryPoint() || request.getProgram();
      const flags = {
        monitor: request.getMonitorAddress(),
        engine: process.env['PULUMI_TEST_ENGINE'] ?? request.getMonitorAddress(),
        project: request.getProject(),
        stack: request.getStack(),
        organization: request.getOrganization(),
        pwd: directory,
        'dry-run': String(request.getDryrun()),
        parallel: String(request.getParallel()),
      };
      const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
      const child = spawn(process.execPath, [runner, ...args, entry], {
        cwd: directory,
        env: {
          ...process.env,
          NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
          PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
          PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stdout.on('data', (text) => (said += text));
      child.stderr.on('data', (text) => (said += text));
      const code = await new Promise((resolve) => child.once('close', resolve));
      const answer = new language.RunResponse();
      if (code !== 0) answer.setError(`the program ended with ${code}: ${said.slice(-4000)}`);
      return answer;
    },
  });
}
