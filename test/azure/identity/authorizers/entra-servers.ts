import { FakeAzure, type FakeHandler } from '../../../fakes/azure-server.ts';
import { cloudAt, dispatcherFor } from '../../support.ts';

const open: (() => Promise<unknown>)[] = [];

/** A server that answers as Microsoft Entra ID; `forms` are the requests so far. */
export async function entraServer(
  handler: FakeHandler = () => ({ body: { token_type: 'Bearer', expires_in: 3599, access_token: 'issued' } }),
) {
  const server = await FakeAzure.start(handler);
  const dispatcher = dispatcherFor(server.ca);
  open.push(
    () => server[Symbol.asyncDispose](),
    () => dispatcher.close(),
  );
  const forms = () => server.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { server, context: { cloud: cloudAt(server.url), dispatcher }, forms };
}

/** Closes all of these servers. */
export async function closeEntraServers(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}
