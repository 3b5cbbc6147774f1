import { createRequire } from 'node:module';
import { messages, serveGrpc, services } from './language-host.ts';

const require = createRequire(import.meta.url);
const { Struct } = require('google-protobuf/google/protobuf/struct_pb.js');
const { Empty } = require('google-protobuf/google/protobuf/empty_pb.js');

/** Pulumi's mark of a text that is known after the update. */
export const unknownText = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** What a provider does with its resources. */
export interface ProviderWork {
  // biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
  create(type: string, inputs: any): Promise<{ id: string; outputs: object }>;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
  remove(type: string, id: string, inputs: any): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: configuration of any provider
  configure?(config: any): void;
  // biome-ignore lint/suspicious/noExplicitAny: arguments of any function
  invoke?(token: string, args: any): Promise<object>;
  /** Outputs that a preview does not know. */
  readonly unknown: Readonly<Record<string, string>>;
  /** Inputs whose change replaces the resource; of all others it updates. */
  replacedBy(type: string): readonly string[];
}

/** A Pulumi provider on a free port: creates at each create and update, and deletes. Previews make nothing. */
export async function startProvider(work: ProviderWork): Promise<{ port: number; close(): void }> {
  const provider = messages('provider');
  const plugin = messages('plugin');
  const typeOf = (urn: string) => urn.split('::')[2]?.split('$').at(-1) ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: generated messages
  const read = (struct: any) => plain(struct?.toJavaScript() ?? {});
  const made = (
    id: string,
    inputs: object,
    outputs: object,
    answer: { setId?(id: string): void; setProperties(value: unknown): void },
  ) => {
    answer.setId?.(id);
    answer.setProperties(Struct.fromJavaScript({ ...inputs, ...outputs, __inputs: inputs }));
    return answer;
  };
  return serveGrpc(services('provider').ResourceProviderService, {
    handshake: () => new provider.ProviderHandshakeResponse(),
    attach: () => new Empty(),
    getPluginInfo: () => {
      const info = new plugin.PluginInfo();
      info.setVersion('99.0.0');
      return info;
    },
    checkConfig: (request) => {
      const answer = new provider.CheckResponse();
      answer.setInputs(request.getNews());
      return answer;
    },
    diffConfig: () => new provider.DiffResponse(),
    configure: (request) => {
      work.configure?.(read(request.getArgs()));
      return new provider.ConfigureResponse();
    },
    cancel: () => new Empty(),
    check: (request) => {
      const answer = new provider.CheckResponse();
      answer.setInputs(request.getNews());
      return answer;
    },
    diff: (request) => {
      const answer = new provider.DiffResponse();
      const olds = read(request.getOlds()).__inputs ?? {};
      const news = read(request.getNews());
      const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
        (key) => key !== '__inputs' && JSON.stringify(olds[key]) !== JSON.stringify(news[key]),
      );
      const { DIFF_NONE, DIFF_SOME } = provider.DiffResponse.DiffChanges;
      answer.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
      answer.setDiffsList(changed);
      const replacing = work.replacedBy(typeOf(request.getUrn()));
      answer.setReplacesList(changed.filter((key) => replacing.includes(key)));
      answer.setDeletebeforereplace(true);
      return answer;
    },
    create: async (request) => {
      const inputs = read(request.getProperties());
      if (request.getPreview()) return made('', inputs, work.unknown, new provider.CreateResponse());
      const { id, outputs } = await work.create(typeOf(request.getUrn()), inputs);
      return made(id, inputs, outputs, new provider.CreateResponse());
    },
    update: async (request) => {
      const inputs = read(request.getNews());
      if (request.getPreview()) return made('', inputs, work.unknown, new provider.UpdateResponse());
      const { id, outputs } = await work.create(typeOf(request.getUrn()), inputs);
      return made(id, inputs, outputs, new provider.UpdateResponse());
    },
    delete: async (request) => {
      await work.remove(typeOf(request.getUrn()), request.getId(), read(request.getProperties()).__inputs ?? {});
      return new Empty();
    },
    invoke: async (request) => {
      if (!work.invoke) throw new Error(`no function ${request.getTok()}`);
      const answer = new provider.InvokeResponse();
      answer.setReturn(Struct.fromJavaScript(await work.invoke(request.getTok(), read(request.getArgs()))));
      return answer;
    },
  });
}

/** The value without undefined members, which a Struct cannot have. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
const plain = (value: unknown): any => JSON.parse(JSON.stringify(value));
