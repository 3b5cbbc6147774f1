import { type Agent, request } from 'node:http';

const tokenPath = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net';

/** One request to the node daemon as a pod sends it, for a token unless a path is given, by a connection of its own. */
export function askForToken(
  metadata: string,
  localAddress: string,
  path = tokenPath,
  method = 'GET',
  agent: Agent | false = false,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(metadata);
    const sent = request({ hostname, port, path, method, localAddress, agent, headers: { metadata: 'true' } });
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });
}
