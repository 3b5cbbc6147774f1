import { afterwards } from '../../../fakes/afterwards.ts';
import { FakeAzure, type FakeHandler } from '../../../fakes/azure-server.ts';
import { cloudAt, dispatcherFor } from '../../support.ts';

/** A server that answers as Microsoft Entra ID, until the test ends; `forms` are the requests so far. */
export async function entraServer(
  handler: FakeHandler = () => ({ body: { token_type: 'Bearer', expires_in: 3599, access_token: 'issued' } }),
) {
  const server = await FakeAzure.start(handler);
  const dispatcher = dispatcherFor(server.ca);
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => dispatcher.close(),
  );
  const forms = () => server.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  return { server, context: { cloud: cloudAt(server.url), dispatcher }, forms };
}
