import { Refusal, type Reply } from '../../exchange.ts';
import type { StorageCall } from '../call.ts';
import { refuse } from '../xml.ts';

/** `comp=batch`: the answers to requests that a multipart body has; each has its own credentials. */
export async function batch(call: StorageCall, answer: (part: StorageCall) => Promise<Reply>): Promise<Reply> {
  const [, boundary = ''] = /boundary="?([^";]+)"?/.exec(call.exchange.headers['content-type'] ?? '') ?? [];
  if (boundary === '') throw refuse(400, 'InvalidHeaderValue', 'The content type of a batch needs a boundary.');
  const parts = call.exchange.body.toString('utf8').split(`--${boundary}`).slice(1, -1);
  if (parts.length > 256) throw refuse(400, 'ExceedsMaxBatchRequestCount', 'The batch has more than 256 requests.');
  const mark = `batchresponse_${call.ids.uuid()}`;
  const answers: string[] = [];
  for (const [index, part] of parts.entries()) {
    const reply = await answerPart(call, part, answer);
    const id = /^Content-ID: *(\S+)/im.exec(part)?.[1] ?? String(index);
    const headers = Object.entries(reply.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = reply.body === undefined ? '' : String(reply.body);
    const first = `HTTP/1.1 ${reply.status} ${reply.status < 300 ? 'Accepted' : 'Refused'}\r\n`;
    answers.push(
      `--${mark}\r\nContent-Type: application/http\r\nContent-ID: ${id}\r\n\r\n${first}${headers.join('')}x-ms-request-id: ${call.ids.uuid()}\r\n\r\n${body}\r\n`,
    );
    if (reply.status < 300) call.exchange.entry.effective = true;
  }
  const headers = { 'content-type': `multipart/mixed; boundary=${mark}` };
  return { status: 202, headers, body: `${answers.join('')}--${mark}--\r\n` };
}

async function answerPart(
  call: StorageCall,
  part: string,
  answer: (part: StorageCall) => Promise<Reply>,
): Promise<Reply> {
  const [, method, target, text] = /^(\w+) (\S+) HTTP\/1\.1\r?\n([\s\S]*)$/m.exec(part) ?? [];
  if (method === undefined || target === undefined)
    throw refuse(400, 'InvalidInput', 'A part of the batch is not a request.');
  const lines = (text ?? '').split(/\r?\n/).filter((line) => line.includes(':'));
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  try {
    return await answer(await call.part(method, target, headers));
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}
