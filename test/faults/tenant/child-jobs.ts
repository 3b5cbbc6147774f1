import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { spawnNode } from '../../../runtime/cli/demo/programs/child-node.ts';

/** Work of a child process: gives its results one by one, until the signal. */
export type Job<In, Out> = (input: In, signal: AbortSignal) => AsyncIterable<Out>;

/** In the child: serves jobs to the parent, which reads the port from its output. */
export function serveJobs<In, Out>(job: Job<In, Out>): void {
  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    for await (const result of job(JSON.parse(text) as In, gone.signal)) response.write(`${JSON.stringify(result)}\n`);
    response.end();
  });
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

/** A child process that does jobs, in processors that the caller does not share. */
export class ChildJobs<In, Out> {
  readonly pid: number | undefined;
  /** Takes the input of a job by POST, and answers with a line for each result. */
  readonly url: string;

  private constructor(pid: number | undefined, url: string) {
    this.pid = pid;
    this.url = url;
  }

  /** Starts a file that calls `serveJobs`; it ends with this process at the latest. */
  static async start<In, Out>(
    file: URL,
    launcher: readonly string[],
    atEnd: (close: () => Promise<void>) => void,
  ): Promise<ChildJobs<In, Out>> {
    const child = spawnNode(['--disable-warning=ExperimentalWarning', file.pathname], {}, launcher);
    child.stderr.pipe(process.stderr);
    const ended = once(child, 'exit');
    atEnd(async () => {
      child.kill();
      await ended;
    });
    const failed = ended.then(([code]) => Promise.reject(new Error(`${file.pathname} ended with ${code}`)));
    failed.catch(() => undefined);
    const [port] = (await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), failed])) as [string];
    return new ChildJobs(child.pid, `http://127.0.0.1:${port.trim()}`);
  }

  /** The results of a job; ends without an error when the signal aborts it. */
  async *run(input: In, signal?: AbortSignal): AsyncGenerator<Out> {
    try {
      const answer = await fetch(this.url, { method: 'POST', body: JSON.stringify(input), signal: signal ?? null });
      if (!answer.body) return;
      for await (const line of createInterface({ input: Readable.fromWeb(answer.body) })) yield JSON.parse(line) as Out;
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
}
