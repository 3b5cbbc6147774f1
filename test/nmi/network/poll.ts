/**
 * Asks the metadata endpoint for tokens, each over a connection of its own, until standard input ends. Then prints, as
 * JSON, how often which answer came: whose the token was, the status of a refusal, or the code of an error.
 */
import { get } from 'node:http';

const url = 'http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=r';
const counts: Record<string, number> = {};
let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();

const once = () =>
  new Promise<string>((resolve) => {
    const request = get(url, { agent: false, headers: { metadata: 'true' }, timeout: 45_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(response.statusCode === 200 ? whose(text) : String(response.statusCode)));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error('silent'), { code: 'SILENT' })));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
  });

function whose(body: string): string {
  const { access_token: token } = JSON.parse(body) as { access_token: string };
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { appid: string }).appid;
}

process.stdout.write('polls\n');
while (!ended) {
  const answer = await once();
  counts[answer] = (counts[answer] ?? 0) + 1;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
